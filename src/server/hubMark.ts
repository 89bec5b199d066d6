/**
 * The variable of its environment by which a process is known that a hub has started. It does not
 * begin as the twins of the options do, which the bundled server would take it for.
 */
export const hubMark = 'STARTED_BY_MCP_ROOTS_HUB';
