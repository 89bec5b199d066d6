/**
 * The variable of its environment by which a process is known that the hub or the extension has
 * started, and with it whatever that starts: `<starter>.<owner>.<process>`. It does not begin as the
 * twins of the options do, which the bundled server would take it for.
 */
export const startedBy = 'STARTED_BY_MCP_ROOTS';

export type Starter = 'hub' | 'editor';

/** Whether a process with this environment was started by a hub, or by something that a hub started. */
export function isStartedByHub(env: Readonly<Record<string, string | undefined>>): boolean {
  const starter: Starter = 'hub';
  return env[startedBy]?.startsWith(`${starter}.`) ?? false;
}
