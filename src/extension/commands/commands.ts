import type { KeyPath } from '../../domain/json.ts';
import type { ActivityLog } from '../activity/activityLog.ts';
import type { Calls } from '../activity/calls.ts';
import { answerFolders } from '../consent/answerFolders.ts';
import type { Consent } from '../consent/consent.ts';
import type { OfferFolders } from '../consent/offerFolders.ts';
import type { OpenQuestions } from '../consent/openQuestions.ts';
import { importServer } from '../definitionFiles/definitionFiles.ts';
import { showInSettings } from '../definitionFiles/showSettingsProblems.ts';
import type { Launchers } from '../hub/launcher.ts';
import { Setting, View } from '../ids.ts';
import type { accessTab } from '../pages/accessPage.ts';
import type { ToolCallPages } from '../pages/toolCallPage.ts';
import { serversIn } from '../rows.ts';
import type { Server } from '../servers/server.ts';
import { type ActivityTree, exportActivity } from '../views/activityTree.ts';
import type { ServersView } from '../views/serversView.ts';
import { showStatus } from '../views/statusMenu.ts';
import * as vscode from '../vscode.ts';
import { importServers } from './adding/importCommand.ts';
import { callTool } from './callTool.ts';
import { disconnect, offerToAgents, onClients } from './clientCommands.ts';
import { connectClient } from './connectClient.ts';
import {
  addAndOffer,
  addDefinitions,
  assertAddable,
  type DefinitionParts,
  editAndOffer,
  forgetSecrets,
  revealingAdded,
} from './definitionCommands.ts';
import { offerFolder, revealRoot, withdrawFolders } from './folderCommands.ts';
import { copyDiagnostics, reportIssue, showHelp } from './help.ts';
import { letRead } from './letRead.ts';
import { openHubConfig } from './openHubConfig.ts';
import { onServer, onServers, pickServers, serverPicks } from './pickServer.ts';
import { type CommandTable, onRow, onRows } from './registerCommands.ts';
import { installProgram, passOn } from './remedies.ts';
import { type RemovalParts, removeServers } from './removeServer.ts';
import { askToRename } from './renameServer.ts';
import { revokeAll } from './revokeAll.ts';
import { type StartParts, startServer, updateServer } from './startServer.ts';
import { chooseTools, turnTools } from './toolCommands.ts';

/** The parts of a window that its commands use. */
export interface CommandWindow extends DefinitionParts, RemovalParts, StartParts {
  readonly consent: Consent;
  readonly questions: OpenQuestions;
  readonly activity: ActivityLog;
  readonly calls: Calls;
  readonly launchers: Launchers;
  readonly extension: vscode.Extension<unknown>;
  readonly offer: OfferFolders;
  readonly view: ServersView;
  readonly activityTree: ActivityTree;
  readonly access: ReturnType<typeof accessTab>;
  readonly toolTabs: ToolCallPages;
}

/** Every command of a window. */
export function commandsOf(window: CommandWindow): CommandTable {
  const { servers, folders, consent, clients, activity, calls, keeping } = window;
  const { screen, logs, logger } = window;
  const { launchers, sandbox, extension, view, activityTree, access, toolTabs, offer } = window;
  const { records } = keeping;
  const picks = serverPicks();
  type Pick = keyof typeof picks;
  // `one` makes a command for a row's server, `each` a command for the servers of all rows.
  const one = (pick: Pick, run: Parameters<typeof onServer>[2]) =>
    onServer(servers, picks[pick], run);
  const each = (pick: Pick, run: (server: Server) => Promise<unknown>) =>
    onServers(servers, logger, picks[pick], run);
  const ofServer = (run: (server: Server) => unknown) =>
    onRow(({ server }) => server && run(server));
  const answering = (isAllowed: boolean | undefined) =>
    onClients(({ name, server }) => clients.consent.answer(name, server, isAllowed));
  return {
    window: {
      addServer: () => addDefinitions(window, () => addAndOffer(window)),
      importServers: () => addDefinitions(window, () => importServers(keeping, sandbox)),
      showAccess: () => access.show(),
      revokeAll: () => revokeAll(undefined, servers, records, activity, screen),
      showLog: async () => logs.extension.show(),
      showActivity: async () => vscode.commands.executeCommand(`${View.activity}.focus`),
      exportActivity: () => exportActivity([...activity.all, ...calls.log.all]),
      openHubConfig: () => openHubConfig(servers, launchers, screen, logger),
      connectClient: () => connectClient(servers, launchers, [], screen),
      help: () => showHelp('index.md', extension),
      reportIssue: () => reportIssue(servers, extension),
      copyDiagnostics: () => copyDiagnostics(servers, extension),
      filterServers: () => view.pickFilter(),
      filterActivity: () => activityTree.pickFilter(),
      showStatus: () => showStatus(window),
    },
    row: {
      editServer: one('editServer', server =>
        revealingAdded(window, () => editAndOffer(server, window)),
      ),
      renameServer: one('renameServer', server =>
        revealingAdded(window, () => askToRename(server, keeping, servers, sandbox, screen)),
      ),
      reviewAccess: one('reviewAccess', async server => {
        await folders.refresh();
        await consent.review(server);
      }),
      showAccessOf: onRow(row => access.show(row)),
      callTool: one('callTool', (server, row) => callTool(server, row, toolTabs)),
      letRead: one('letRead', server => letRead(server, keeping, servers, activity, screen)),
      signIn: ofServer(server => startServer(server, window)),
      installProgram: ofServer(installProgram),
      passOn: ofServer(server => passOn(server, servers, keeping, screen)),
      showMistake: onRow(async row => {
        if (row.kind === 'mistake') {
          const { name, from, mistakes } = row.leftOut;
          const path = [Setting.servers, name, ...(mistakes[0]?.path ?? [])];
          await showInSettings({ from, path });
        }
      }),
      sandboxHelp: onRow(() => showHelp('sandbox.md', extension)),
      showLogOf: ofServer(({ definition }) => logs.forServer(definition).show()),
      revealRoot: onRow(revealRoot),
      turnOnTools: ofServer(server => turnTools(server, () => true)),
      turnOffTools: ofServer(server => turnTools(server, () => false)),
      turnOnReadingTools: ofServer(server =>
        turnTools(server, ({ annotations }) => annotations?.readOnlyHint === true),
      ),
      chooseTools: onRow(row => row.kind === 'client' && chooseTools(row.client)),
      offerFolder: one('offerFolder', server => offerFolder(server, folders, offer, logger)),
    },
    rows: {
      removeServer: async rows =>
        removeServers(await pickServers(servers, rows, picks.removeServer), window),
      startServer: each('startServer', server => startServer(server, window)),
      stopServer: each('stopServer', server => server.stop()),
      restartServer: each('restartServer', async server => {
        await server.stop();
        await startServer(server, window);
      }),
      revokeAllOf: onRows(rows => revokeAll(serversIn(rows), servers, records, activity, screen)),
      withdrawFolder: onRows(rows => withdrawFolders(rows, folders)),
      connectClientTo: onRows(rows => connectClient(servers, launchers, serversIn(rows), screen)),
      allowFolders: onRows(rows => answerFolders(consent, rows, true)),
      revokeFolders: onRows(rows => answerFolders(consent, rows, false)),
      forgetSecrets: each('forgetSecrets', server => forgetSecrets(server, keeping)),
      updateServer: each('updateServer', server => updateServer(server, sandbox, window)),
      offerToAgents: each('offerToAgents', server => offerToAgents(server, records)),
      withdrawFromAgents: each('withdrawFromAgents', server =>
        records.setAnswer('offer', server, false),
      ),
      disconnectClient: onClients(disconnect),
      allowClient: answering(true),
      denyClient: answering(false),
      forgetClient: answering(undefined),
    },
    handed: {
      filterActivityBy: (entry: unknown) => activityTree.pickFilter(entry),
      importServer: async (uri: vscode.Uri, path: KeyPath) => {
        assertAddable();
        await importServer(uri, path, { ...window, ...keeping });
      },
    },
  };
}
