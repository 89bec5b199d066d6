import type { DisposableStore } from '../base/disposable.ts';
import { ActivityFile } from './activity/activityFile.ts';
import { ActivityLog } from './activity/activityLog.ts';
import { Calls } from './activity/calls.ts';
import { Consent } from './consent/consent.ts';
import { CandidateFolders } from './folders/candidateFolders.ts';
import type { Logs } from './logs.ts';
import { elicit } from './pages/elicit.ts';
import { serverMemory } from './records/serverMemory.ts';
import type { Screen } from './screen.ts';
import { AccessSource } from './servers/accessSource.ts';
import { bundledServer } from './servers/bundledServer.ts';
import { Elicitations } from './servers/elicitations.ts';
import type { ServerContext } from './servers/server.ts';
import { ServerIdentities } from './servers/serverIdentities.ts';
import { ServerLog } from './servers/serverLog.ts';
import { Servers } from './servers/servers.ts';
import { ownerIn, serverStarts, targetContext } from './servers/windowTarget.ts';
import { settings } from './settings.ts';
import * as vscode from './vscode.ts';

/** Builds the servers of a window, the folders that they may see, and the records of both. */
export function openServers(
  extension: vscode.ExtensionContext,
  store: DisposableStore,
  logs: Logs,
  screen: Screen,
) {
  const { extensionUri, globalState, globalStorageUri, storageUri } = extension;
  const logger = logs.extension;
  // This folder holds the user's settings, the editor's state and the storage of extensions.
  const editorFolder = vscode.Uri.joinPath(globalStorageUri, '..', '..').fsPath;
  const memory = serverMemory(extension, store, logger);
  const { records } = memory;
  // Without an open folder, the activity is not saved.
  const activityFile = storageUri && new ActivityFile(storageUri.fsPath);
  const activity = store.add(new ActivityLog(activityFile, logger));
  const folders = store.add(new CandidateFolders(records, editorFolder));
  const identities = store.add(new ServerIdentities(globalState));
  const owner = ownerIn(store, logger);
  const target = targetContext(extension, owner);
  const asking = { screen, extensionUri, logger, openBrowser: target.openBrowser };
  const calls = store.add(new Calls(logger));
  const context: ServerContext = {
    accesses: store.add(new AccessSource(folders, records)),
    ...memory,
    identities,
    target,
    elicitations: new Elicitations((server, params, signal, onAskNow) =>
      elicit(server, params, signal, onAskNow, asking),
    ),
    starts: serverStarts(),
    logger,
    clientInfo: { name: 'mcp-roots', version: `${extension.extension.packageJSON.version}` },
    owner,
    logFor: definition => new ServerLog(() => logs.forServer(definition)),
    onExposure: exposure => activity.add({ kind: 'exposure', ...exposure }),
    calls,
  };
  const bundled = () => bundledServer(extension.extensionPath, settings);
  return {
    servers: store.add(new Servers(bundled, context)),
    folders,
    consent: new Consent(records, activity, screen),
    activity,
    calls,
    /** The stores of servers' records, secrets, identities and definitions. */
    keeping: { ...memory, identities, editorFolder },
    context,
    asking,
  };
}
