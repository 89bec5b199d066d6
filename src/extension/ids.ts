/**
 * The commands of the window. VS Code passes the selected row to title commands, too. These
 * commands ignore the row.
 */
export const WindowCommand = {
  addServer: 'mcpRoots.addServer',
  importServers: 'mcpRoots.importServers',
  showAccess: 'mcpRoots.showAccess',
  revokeAll: 'mcpRoots.revokeAll',
  showLog: 'mcpRoots.showLog',
  showActivity: 'mcpRoots.showActivity',
  exportActivity: 'mcpRoots.exportActivity',
  openHubConfig: 'mcpRoots.openHubConfig',
  connectClient: 'mcpRoots.connectClient',
  help: 'mcpRoots.help',
  reportIssue: 'mcpRoots.reportIssue',
  copyDiagnostics: 'mcpRoots.copyDiagnostics',
  filterServers: 'mcpRoots.filterServers',
  filterActivity: 'mcpRoots.filterActivity',
  showStatus: 'mcpRoots.showStatus',
} as const;

/** The commands of one row. Menus hide them while several rows are selected. */
export const RowCommand = {
  editServer: 'mcpRoots.editServer',
  renameServer: 'mcpRoots.renameServer',
  reviewAccess: 'mcpRoots.reviewAccess',
  showAccessOf: 'mcpRoots.showAccessOf',
  callTool: 'mcpRoots.callTool',
  letRead: 'mcpRoots.letRead',
  signIn: 'mcpRoots.signIn',
  installProgram: 'mcpRoots.installProgram',
  passOn: 'mcpRoots.passOn',
  showMistake: 'mcpRoots.showMistake',
  sandboxHelp: 'mcpRoots.sandboxHelp',
  showLogOf: 'mcpRoots.showLogOf',
  revealRoot: 'mcpRoots.revealRoot',
  offerFolder: 'mcpRoots.offerFolder',
  turnOnTools: 'mcpRoots.turnOnTools',
  turnOffTools: 'mcpRoots.turnOffTools',
  turnOnReadingTools: 'mcpRoots.turnOnReadingTools',
  chooseTools: 'mcpRoots.chooseTools',
} as const;

/** The command of an entry of Activity. Such entries are not rows of the view "Servers". */
export const EntryCommand = { filterActivityBy: 'mcpRoots.filterActivityBy' } as const;

/** Commands that act on all selected rows. */
export const RowsCommand = {
  removeServer: 'mcpRoots.removeServer',
  startServer: 'mcpRoots.startServer',
  stopServer: 'mcpRoots.stopServer',
  restartServer: 'mcpRoots.restartServer',
  revokeAllOf: 'mcpRoots.revokeAllOf',
  withdrawFolder: 'mcpRoots.withdrawFolder',
  connectClientTo: 'mcpRoots.connectClientTo',
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
} as const;

/** Every id that `package.json` contributes. A test checks that both have the same ids. */
export const Command = { ...WindowCommand, ...RowCommand, ...EntryCommand, ...RowsCommand };

export type CommandId = (typeof Command)[keyof typeof Command];

/** The command of the lines above servers in files. People never call it by name. */
export const InternalCommand = { importServer: '_mcpRoots.importServer' } as const;

export const View = {
  servers: 'mcpRoots.servers',
  activity: 'mcpRoots.activity',
} as const;

export const ContextKey = {
  /** Whether a server could start: the window is trusted, and has a folder or a user's server. */
  canStart: 'mcpRoots.canStart',
  /** Whether the user has unticked a folder in this window. This completes a walkthrough step. */
  hasTakenBack: 'mcpRoots.hasTakenBack',
  /** Always true. Setting this key shows whether the page that draws the window still answers. */
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
  idleMinutes: 'mcpRoots.idleMinutes',
  inputs: 'mcpRoots.inputs',
  neverExpose: 'mcpRoots.neverExpose',
  servers: 'mcpRoots.servers',
  trace: 'mcpRoots.trace',
} as const;
