/** The suites of tests that run inside the editor, each in a different kind of window. */
export const suites = {
  /** A workspace of two folders, `api` and `web`, in a window where everything is trusted. */
  trusted: { folders: ['api', 'web'], asksForTrust: false },
  /** The same workspace in Restricted Mode, until a test trusts it. */
  restricted: { folders: ['api', 'web'], asksForTrust: true },
  /** The same workspace, which names servers for the editor's own MCP client. */
  builtInClient: { folders: ['api', 'web'], asksForTrust: false, namesServers: true },
  /** A window with no folder open. */
  noFolder: { folders: [], asksForTrust: false },
} as const satisfies Readonly<Record<string, Suite>>;

/** The window of a suite; its tests are the files `test/editor/<name>/*.test.ts`. */
export interface Suite {
  readonly folders: readonly string[];
  readonly asksForTrust: boolean;
  /** Whether the bundled server is named in the places of `mcp.json`. */
  readonly namesServers?: boolean;
}

/** The name of a suite, and of its folder. */
export type SuiteName = keyof typeof suites;

/**
 * The oldest editor differs in its API, not in our logic. So only these files run there by default:
 * they use each part of the API that changes between releases.
 */
export const floorTests: ReadonlySet<string> = new Set([
  'builtInClient/bundledServer',
  'trusted/activation',
  'trusted/agents',
  'trusted/definitionFiles',
  'trusted/realServers',
  'trusted/serversTree',
  'trusted/showAccess',
]);
