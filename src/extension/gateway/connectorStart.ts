/** Where the connector lies, and to which window it is to lead. */
export interface ConnectorPlace {
  /** The path of the connector, which stays over updates. */
  readonly file: () => Promise<string>;
  readonly windowId: string;
}

/** How a client starts the connector to a server of this window. */
export interface ConnectorStart {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

/**
 * Editors keep this on disk and hand it to agents as it is, which start it unasked: it holds nothing
 * secret, and no variable to be filled in.
 *
 * @param file the path of the connector.
 * @param name by which clients know the server.
 */
export function connectorStart(file: string, name: string, windowId: string): ConnectorStart {
  return {
    command: process.execPath,
    args: [file, '--server', name],
    // The program is the editor itself on a desktop, and Node elsewhere.
    env: { ELECTRON_RUN_AS_NODE: '1', MCP_ROOTS_WINDOW: windowId },
  };
}
