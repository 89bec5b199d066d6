import { DisposableStore, type IDisposable, toDisposable } from '../base/disposable.ts';
import type { ActivityLog } from './activity/activityLog.ts';
import { StateRecorder } from './activity/stateRecorder.ts';
import { commandsOf } from './commands/commands.ts';
import { registerCommands } from './commands/registerCommands.ts';
import { AddedFolders } from './consent/addedFolders.ts';
import { askAboutClients, clientQuestions } from './consent/clientQuestion.ts';
import { folderQuestions } from './consent/folderQuestions.ts';
import { HeldServers } from './consent/heldServers.ts';
import { type OfferFolders, offerFolders } from './consent/offerFolders.ts';
import { OpenQuestions } from './consent/openQuestions.ts';
import { DefinitionFiles } from './definitionFiles/definitionFiles.ts';
import { reportSettingsProblems } from './definitionFiles/showSettingsProblems.ts';
import { hasChat, OfferQuestion } from './gateway/agents/offerQuestion.ts';
import { Clients } from './gateway/clients.ts';
import { openGateway } from './gateway/gateway.ts';
import { launchersIn } from './hub/launcher.ts';
import { Logs } from './logs.ts';
import { openServers } from './openServers.ts';
import { accessTab } from './pages/accessPage.ts';
import { elicitationQuestions } from './pages/elicit.ts';
import { ToolCallPages } from './pages/toolCallPage.ts';
import { reportFailure } from './reportFailure.ts';
import { liveRow } from './rows.ts';
import { Screen } from './screen.ts';
import type { Servers } from './servers/servers.ts';
import { settings } from './settings.ts';
import { localized, t } from './text.ts';
import { ActivityTree } from './views/activityTree.ts';
import { Overview } from './views/overview.ts';
import { ServersView } from './views/serversView.ts';
import { StatusBar } from './views/statusBar.ts';
import * as vscode from './vscode.ts';

/** What to do when the window closes: end the servers and write the activity log. */
let farewell: (() => Promise<void>) | undefined;

/** Opens the window. If that fails, a message tells the user, and the log says why. */
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
 * Builds the parts of a window. All views and commands exist before the first `await`. After it,
 * the window looks at folders and servers.
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
  const { servers, folders, consent, activity, calls, keeping, context, asking } = opened;
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
  const offer: OfferFolders = (server, paths) =>
    offerFolders(server, paths, folders, consent, screen, logger);

  const overview = store.add(new Overview(servers, clients, questions));
  store.add(new StatusBar(overview));
  const view = store.add(
    new ServersView(servers, clients, questions, consent, overview, offer, logger),
  );
  const activityTree = store.add(new ActivityTree(activity, calls.log));
  const parts = { servers, clients, questions, consent, logger, screen };
  const access = store.add(accessTab({ ...parts, records, extensionUri }));
  const toolTabs = store.add(new ToolCallPages({ ...asking, ...context, servers }));
  const commands = commandsOf({
    ...{ ...parts, folders, activity, calls, keeping, sandbox, launchers, logs, offer },
    ...{ view, activityTree, access, toolTabs, extension: extension.extension },
  });
  store.add(registerCommands(commands, logger, handed => liveRow(handed, servers, clients)));
  // Without a gateway, an accepted offer would have no effect.
  const hasAgents = () => clients.isOpen && hasChat();
  store.add(new OfferQuestion(servers, records, extension.globalState, screen, logger, hasAgents));

  void activity.load();
  await Promise.all([folders.refresh(), servers.refresh()]);
  if (store.isDisposed) {
    return;
  }
  // This comes late, because a look through all settings takes as long as building all views.
  store.add(reportSettingsProblems(screen, logger));
  // A folder counts as added only after the first look at the disk.
  store.add(new AddedFolders(folders, servers, consent, logger));
  store.add(startConsented(servers));
  // This comes late, because the lines in open files show states that are now known.
  store.add(new DefinitionFiles({ ...keeping, servers, questions, clients, launchers, sandbox }));
  await Promise.all([
    openGateway(clients, { servers, context, extension, launchers }),
    reportFailure(logger, () => launchers.hub.refresh()),
    reportFailure(logger, () => launchers.connector.refresh()),
  ]);
}

/** Starts the servers that need no question: now, and when the user trusts the workspace. */
function startConsented(servers: Servers): IDisposable {
  const start = () => {
    if (settings.autoStart) {
      servers.startConsented();
    }
  };
  start();
  return vscode.workspace.onDidGrantWorkspaceTrust(() => servers.refresh().then(start));
}

/** Ends all processes: properly when the window closes, by a kill when the host exits. */
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
  // The extension host exits, so there is no time to wait.
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
