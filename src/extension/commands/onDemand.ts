// The parts that are used once in a while, in a bundle that is loaded then and not at activation.
export { requestRoots } from '../api/requestRoots.ts';
export { askForMany, pickFolders, pickScope } from '../consent/consentPickers.ts';
export { askAboutFolders, askAboutStart, startDetail } from '../consent/startQuestion.ts';
export { connectClient } from '../gateway/connectClient.ts';
export { offerHub, openHubConfig } from '../hub/openHubConfig.ts';
export { askForInput } from '../secrets/askForInput.ts';
export { showSandboxHint } from '../servers/showSandboxHint.ts';
export { activityItem } from '../views/activityItem.ts';
export { clientItem } from '../views/clientItem.ts';
export { askForServer } from './adding/askForServer.ts';
export { importServers } from './adding/importServers.ts';
export { callTool } from './callTool.ts';
export { checkRootsSupport } from './checkRootsSupport.ts';
export { elicit } from './elicit.ts';
export { exportActivity } from './exportActivity.ts';
export { letRead } from './letRead.ts';
export { pickFolderToOffer } from './pickFolderToOffer.ts';
export { revokeAll } from './revokeAll.ts';
