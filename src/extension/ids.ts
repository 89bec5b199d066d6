/** Every id that `package.json` contributes. A test compares the two, both ways. */
export const Command = {
  addServer: 'mcpRoots.addServer',
  importServers: 'mcpRoots.importServers',
  editServer: 'mcpRoots.editServer',
  renameServer: 'mcpRoots.renameServer',
  removeServer: 'mcpRoots.removeServer',
  startServer: 'mcpRoots.startServer',
  stopServer: 'mcpRoots.stopServer',
  restartServer: 'mcpRoots.restartServer',
  reviewAccess: 'mcpRoots.reviewAccess',
  showAccess: 'mcpRoots.showAccess',
  revokeAll: 'mcpRoots.revokeAll',
  callTool: 'mcpRoots.callTool',
  letRead: 'mcpRoots.letRead',
  signIn: 'mcpRoots.signIn',
  installProgram: 'mcpRoots.installProgram',
  passOn: 'mcpRoots.passOn',
  showMistake: 'mcpRoots.showMistake',
  sandboxHelp: 'mcpRoots.sandboxHelp',
  showLog: 'mcpRoots.showLog',
  showActivity: 'mcpRoots.showActivity',
  exportActivity: 'mcpRoots.exportActivity',
  revealRoot: 'mcpRoots.revealRoot',
  offerFolder: 'mcpRoots.offerFolder',
  withdrawFolder: 'mcpRoots.withdrawFolder',
  openHubConfig: 'mcpRoots.openHubConfig',
  connectClient: 'mcpRoots.connectClient',
  allowFolders: 'mcpRoots.allowFolders',
  revokeFolders: 'mcpRoots.revokeFolders',
  forgetSecrets: 'mcpRoots.forgetSecrets',
  updateServer: 'mcpRoots.updateServer',
  offerToAgents: 'mcpRoots.offerToAgents',
  withdrawFromAgents: 'mcpRoots.withdrawFromAgents',
  disconnectClient: 'mcpRoots.disconnectClient',
  allowClient: 'mcpRoots.allowClient',
  denyClient: 'mcpRoots.denyClient',
  forgetClient: 'mcpRoots.forgetClient',
  help: 'mcpRoots.help',
  reportIssue: 'mcpRoots.reportIssue',
  copyDiagnostics: 'mcpRoots.copyDiagnostics',
  filterServers: 'mcpRoots.filterServers',
  showStatus: 'mcpRoots.showStatus',
} as const;

/** The command behind the lines in files: no person calls it by its name. */
export const InternalCommand = { importServer: '_mcpRoots.importServer' } as const;

export const View = {
  servers: 'mcpRoots.servers',
  activity: 'mcpRoots.activity',
} as const;

export const ContextKey = {
  /** Whether there is a folder that a server could be started for. */
  canStart: 'mcpRoots.canStart',
  /** Whether the user has unchecked a folder in this window: a step of the walkthrough is done. */
  hasTakenBack: 'mcpRoots.hasTakenBack',
  /** Always true: it is set to see whether the page answers. */
  hasPage: 'mcpRoots.hasPage',
} as const;

export const McpProvider = {
  servers: 'mcpRoots.servers',
} as const;

export const Setting = {
  allowWrite: 'mcpRoots.bundledServer.allowWrite',
  autoStart: 'mcpRoots.autoStart',
  bundledSandbox: 'mcpRoots.bundledServer.sandbox',
  excludeFolders: 'mcpRoots.excludeFolders',
  extraFolders: 'mcpRoots.extraFolders',
  inputs: 'mcpRoots.inputs',
  neverExpose: 'mcpRoots.neverExpose',
  servers: 'mcpRoots.servers',
  trace: 'mcpRoots.trace',
} as const;

/** The scheme of the read-only documents that show what a tool answered. */
export const resultScheme = 'mcp-roots-result';
