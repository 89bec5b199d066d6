// The parts that are used once in a while, in a bundle that is loaded then and not at activation.
export { requestRoots } from '../api/requestRoots.ts';
export { askOpenQuestion, openQuestionText } from '../consent/askOpenQuestion.ts';
export { addedToast } from '../consent/folderQuestions.ts';
export { furtherAnswers } from '../consent/furtherAnswers.ts';
export { confirmSecondYes } from '../consent/secondYes.ts';
export {
  askAboutFolders,
  askAboutFoldersNow,
  askAboutStart,
  changedToast,
  startDetail,
} from '../consent/startQuestion.ts';
export { DefinitionFiles } from '../definitionFiles/definitionFiles.ts';
export { showSettingsProblems } from '../definitionFiles/showSettingsProblems.ts';
export { connectClient } from '../gateway/connectClient.ts';
export { offerHub, openHubConfig } from '../hub/openHubConfig.ts';
export { AccessPage } from '../pages/accessPage.ts';
export { ToolCallPages } from '../pages/toolCallPage.ts';
export { askForInput } from '../secrets/askForInput.ts';
export { showSandboxHint } from '../servers/showSandboxHint.ts';
export { activityItem } from '../views/activityItem.ts';
export { rareItem, rowDetails } from '../views/rowsOnDemand.ts';
export { callTool } from './callTool.ts';
export { checkRootsSupport } from './checkRootsSupport.ts';
export { elicit } from './elicit.ts';
export { exportActivity } from './exportActivity.ts';
export { letRead } from './letRead.ts';
export { offerFolders } from './offerFolders.ts';
export { pickFolderToOffer } from './pickFolderToOffer.ts';
export { installProgram, passOn } from './remedies.ts';
export { copyDiagnostics, reportIssue } from './reportIssue.ts';
export { revokeAll } from './revokeAll.ts';
export { assertStartable, startServer } from './startServer.ts';
export { showStatus } from './statusMenu.ts';
export { writeDefinition } from './writeDefinition.ts';
