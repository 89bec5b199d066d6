// What is used once in a while, in a bundle of its own that is loaded then: activation does without.
export { giveHub } from '../hub/giveHub.ts';
export { addServer } from './add/addServer.ts';
export { askForArguments } from './callTool/argumentsForm.ts';
export { importServers } from './import/importServers.ts';
export { rootsReport } from './rootsReport.ts';
