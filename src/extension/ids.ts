/** Every id that `package.json` contributes. A test compares the two, both ways. */
export const Command = {
  startServer: 'mcpRoots.startServer',
  stopServer: 'mcpRoots.stopServer',
  restartServer: 'mcpRoots.restartServer',
  reviewAccess: 'mcpRoots.reviewAccess',
  revokeAll: 'mcpRoots.revokeAll',
  callTool: 'mcpRoots.callTool',
  showLog: 'mcpRoots.showLog',
  showActivity: 'mcpRoots.showActivity',
  exportActivity: 'mcpRoots.exportActivity',
  copyRootUri: 'mcpRoots.copyRootUri',
  revealRoot: 'mcpRoots.revealRoot',
} as const;

export const View = {
  servers: 'mcpRoots.servers',
  activity: 'mcpRoots.activity',
} as const;

export const Setting = {
  allowWrite: 'mcpRoots.bundledServer.allowWrite',
  autoStart: 'mcpRoots.autoStart',
  servers: 'mcpRoots.servers',
  trace: 'mcpRoots.trace',
} as const;

/** The scheme of the read-only documents that show what a tool answered. */
export const resultScheme = 'mcp-roots-result';
