import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { registerAddServer } from './addServer.ts';
import { registerAllowFolders } from './allowFolders.ts';
import { registerCallTool } from './callTool/callTool.ts';
import { ResultDocuments } from './callTool/resultDocuments.ts';
import { registerCheckRootsSupport } from './checkRootsSupport.ts';
import type { CommandContext } from './commandContext.ts';
import { registerExportActivity } from './exportActivity.ts';
import { registerCopyRootUri, registerRevealRoot } from './folderCommands.ts';
import { registerForgetSecrets } from './forgetSecrets.ts';
import { registerImportServers } from './importServers.ts';
import { registerOfferFolder } from './offerFolder.ts';
import { registerOpenHubConfig } from './openHubConfig.ts';
import { registerRestartServer } from './restartServer.ts';
import { registerReviewAccess } from './reviewAccess.ts';
import { registerRevokeAll } from './revokeAll.ts';
import { registerRevokeFolders } from './revokeFolders.ts';
import { registerShowActivity } from './showActivity.ts';
import { registerShowLog } from './showLog.ts';
import { registerStartServer } from './startServer.ts';
import { registerStopServer } from './stopServer.ts';

/** Registers every command. They are there always, and answer with a reason when they can't run. */
export function registerCommands(context: CommandContext): IDisposable {
  const store = new DisposableStore();
  const results = store.add(new ResultDocuments());
  store.add(registerAddServer(context));
  store.add(registerImportServers(context));
  store.add(registerStartServer(context));
  store.add(registerStopServer(context));
  store.add(registerRestartServer(context));
  store.add(registerReviewAccess(context));
  store.add(registerRevokeAll(context));
  store.add(registerAllowFolders(context));
  store.add(registerRevokeFolders(context));
  store.add(registerCallTool(context, results));
  store.add(registerCheckRootsSupport(context, results));
  store.add(registerShowLog(context));
  store.add(registerForgetSecrets(context));
  store.add(registerShowActivity(context));
  store.add(registerExportActivity(context));
  store.add(registerCopyRootUri(context));
  store.add(registerRevealRoot(context));
  store.add(registerOfferFolder(context));
  store.add(registerOpenHubConfig(context));
  return store;
}
