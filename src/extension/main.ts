import { DisposableStore, type IDisposable, toDisposable } from '../base/disposable.ts';
import type { ActivityLog } from './activity/activityLog.ts';
import { StateRecorder } from './activity/stateRecorder.ts';
import { registerCallTool } from './commands/callTool.ts';
import { registerDefinitionCommands } from './commands/definitionCommands.ts';
import { elicitationQuestions } from './commands/elicit.ts';
import { type OfferFolders, registerFolderCommands } from './commands/folderCommands.ts';
import { offerFolders } from './commands/offerFolders.ts';
import { registerServerCommands } from './commands/serverCommands.ts';
import {
  registerConnectCommands,
  registerHelpCommands,
  registerRevokeAll,
} from './commands/windowCommands.ts';
import { AddedFolders } from './consent/addedFolders.ts';
import { folderQuestions } from './consent/folderQuestions.ts';
import { HeldServers } from './consent/heldServers.ts';
import { OpenQuestions } from './consent/openQuestions.ts';
import { DefinitionFiles } from './definitionFiles/definitionFiles.ts';
import { reportSettingsProblems } from './definitionFiles/showSettingsProblems.ts';
import { registerAgents } from './gateway/agents/agents.ts';
import { askAboutClients, clientQuestions } from './gateway/clientQuestion.ts';
import { Clients } from './gateway/clients.ts';
import { openGateway, registerClientCommands } from './gateway/gateway.ts';
import { launchersIn } from './hub/launcher.ts';
import { Logs } from './logs.ts';
import { openServers } from './openServers.ts';
import { registerShowAccess } from './pages/accessPage.ts';
import { Commands, reportFailure } from './registerCommand.ts';
import { Screen } from './screen.ts';
import type { Servers } from './servers/servers.ts';
import { settings } from './settings.ts';
import { localized, t } from './text.ts';
import { ActivityTree } from './views/activityTree.ts';
import { Overview } from './views/overview.ts';
import { ServersView } from './views/serversView.ts';
import { StatusBar } from './views/statusBar.ts';
import * as vscode from './vscode.ts';

/** Ends the servers and writes the activity log: the work left for when the window closes. */
let farewell: (() => Promise<void>) | undefined;

/** Opens the window; the user is shown that it failed, and the log why. */
export function activate(context: vscode.ExtensionContext): void {
  const store = new DisposableStore();
  context.subscriptions.push(store);
  const logs = store.add(new Logs());
  void reportFailure(
    logs.extension,
    () => openWindow(context, store, logs),
    t('MCP Roots could not start. The log "MCP Roots" has the details.'),
  );
}

/**
 * Builds the parts of a window, and has each feature register itself with those that it takes. At the
 * first `await` all views and commands are there; then the folders and the servers are looked at.
 */
async function openWindow(
  extension: vscode.ExtensionContext,
  store: DisposableStore,
  logs: Logs,
): Promise<void> {
  const { extensionUri } = extension;
  const logger = logs.extension;
  const screen = new Screen(vscode);
  const launchers = launchersIn(extension);
  const opened = openServers(extension, store, logs, screen);
  const { servers, folders, consent, activity, keeping, context, asking } = opened;
  const { records } = keeping;
  const { sandbox } = context.target;
  const clients = new Clients({
    servers,
    context,
    activity,
    editor: vscode.env.appName,
    ask: held => askAboutClients(screen, held),
    text: localized,
  });
  const questions = store.add(
    new OpenQuestions(servers, [
      store.add(new HeldServers(servers, clients, folders, screen, logger)),
      folderQuestions(servers, consent),
      elicitationQuestions(context.elicitations),
      clientQuestions(clients, screen),
    ]),
  );
  const states = store.add(new StateRecorder(servers, activity));
  store.add(endWithWindow(servers, clients, states, activity));
  const commands = store.add(new Commands(logger, servers, clients));
  const offer: OfferFolders = (server, paths) =>
    offerFolders(server, paths, folders, consent, screen, logger);
  const starting = { servers, folders, consent, screen, logger };

  const overview = store.add(new Overview(servers, clients, questions));
  store.add(new StatusBar(commands, overview, { servers, questions, consent }));
  const view = store.add(
    new ServersView(commands, servers, clients, questions, consent, overview, offer),
  );
  store.add(new ActivityTree(commands, activity));
  registerFolderCommands(commands, servers, folders, consent, offer);
  registerRevokeAll(commands, servers, keeping, activity, screen);
  store.add(
    registerShowAccess({ commands, servers, clients, questions, consent, records, extensionUri }),
  );
  registerServerCommands({ ...starting, commands, sandbox, logs });
  const defining = { ...starting, commands, activity, keeping, clients, sandbox, logs, view };
  registerDefinitionCommands(defining);
  store.add(registerCallTool(commands, { ...asking, ...context, servers }));
  registerConnectCommands(commands, servers, launchers, screen);
  store.add(registerAgents(commands, servers, records, clients, extension.globalState, screen));
  registerClientCommands(commands, clients);
  registerHelpCommands(commands, servers, extension);

  void activity.load();
  await Promise.all([folders.refresh(), servers.refresh()]);
  if (store.isDisposed) {
    return;
  }
  // Not before: looking through all settings takes as long as all views.
  store.add(reportSettingsProblems(screen, logger));
  // From here on a new folder counts as added: before, the disk had not been looked at yet.
  store.add(new AddedFolders(folders, servers, consent, logger));
  store.add(startConsented(servers));
  // Not before: what they say of a server in a file that is open already is known only now.
  store.add(
    new DefinitionFiles({ ...keeping, servers, questions, clients, launchers, sandbox, logger }),
  );
  await Promise.all([
    openGateway(clients, { servers, context, commands, extension, launchers }),
    reportFailure(logger, () => launchers.hub.refresh()),
    reportFailure(logger, () => launchers.connector.refresh()),
  ]);
}

/** Starts the servers that need no question, now and when the workspace is trusted. */
function startConsented(servers: Servers): IDisposable {
  const start = () => {
    if (settings.autoStart) {
      servers.startConsented();
    }
  };
  start();
  return vscode.workspace.onDidGrantWorkspaceTrust(() => servers.refresh().then(start));
}

/** Ends with the window what runs in it: in time when it is closed, at once when the host exits. */
function endWithWindow(
  servers: Servers,
  clients: Clients,
  states: StateRecorder,
  activity: ActivityLog,
): IDisposable {
  farewell = async () => {
    await Promise.all([clients.endAll(), servers.retireAll()]);
    states.recordAll();
    await activity.flush();
  };
  // The last moment of the extension host, when there is no time left to wait for anything.
  const killAll = () => {
    servers.killAll();
    clients.killAll();
  };
  process.once('exit', killAll);
  return toDisposable(() => process.off('exit', killAll));
}

/** Resolves when no server process is left and the activity log is on disk. */
export async function deactivate(): Promise<void> {
  await farewell?.();
}
