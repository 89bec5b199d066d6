import assert from 'node:assert/strict';
import { eventually } from '../ui/support/eventually.ts';
import { ToolTab } from '../ui/support/toolTab.ts';
import type { Workbench } from '../ui/support/workbench.ts';
import { addFolder, removeFolder } from '../vscode/workspaceFile.ts';
import type { Conversation, Message } from './conversation.ts';
import type { Report } from './report.ts';

// What the extension's window says, in the words of its `package.json` and its prompts.
const container = 'MCP Roots';
const server = 'MCP Roots Server';
const allow = 'Allow';
const scope = { question: 'How long does this answer hold?', workspace: 'In This Workspace' };
const startServer = 'Start Server';
const callTool = {
  command: 'MCP Roots: Call Tool…',
  list: `Call a Tool of "${server}"`,
};
const tool = 'get-roots';
const exposedText = 'exposed';

/** The window with the extension, and what there is to look into beside it. */
export interface MainJob {
  readonly workbench: Workbench;
  readonly conversation: Conversation;
  /** The open workspace file, with the folders `api` and `web`. */
  readonly workspace: string;
  readonly report: Report;
}

/** Does the main job as a person would, and reports what happened. */
export async function doMainJob(job: MainJob): Promise<void> {
  const { report, workbench, workspace } = job;

  report.step('A workspace with two folders, api and web');
  await workbench.openContainer(container);
  await seeFolders(job, ['api', 'web']);

  report.step('Start the server and let it see both');
  report.does(`clicks “${startServer}” on ${server}`);
  await workbench.view('Servers').clickAction(startServer, server);
  await answerDialog(job);
  await seeRunning(job);
  // Our own server is asked for its roots once when a person starts it; that call is not the person's.
  await seeExposed(job, ['api', 'web']);
  await job.conversation.waitFor('the answer to that', hasToolResult);
  await callAndVerify(job, ['api', 'web']);

  report.step('Add a third folder, docs');
  report.does('adds the folder docs to the workspace');
  addFolder(workspace, 'docs');
  const question = await workbench.notifications.waitFor('docs');
  report.sees(question);
  await callAndVerify(job, ['api', 'web']);
  report.does(`answers “${allow}”`);
  await workbench.notifications.click('docs', allow);
  await chooseScope(job);
  await callAndVerify(job, ['api', 'web', 'docs']);

  report.step('Remove it again');
  report.does('removes the folder docs from the workspace');
  removeFolder(workspace, 'docs');
  await seeFolders(job, ['api', 'web']);
  await callAndVerify(job, ['api', 'web']);

  report.step('What the activity view says of it, newest first');
  await seeActivity(job, 5);
}

async function answerDialog(job: MainJob): Promise<void> {
  const { report, workbench } = job;
  const { message, detail, buttons } = await workbench.dialog.read();
  report.sees(`${message}\n${detail}\n[${buttons.join('] [')}]`);
  report.does(`answers “${allow}”`);
  await workbench.dialog.click(allow);
  await chooseScope(job);
}

async function chooseScope({ report, workbench }: MainJob): Promise<void> {
  await workbench.quickInput.waitFor(scope.question);
  report.sees(scope.question);
  report.does(`chooses “${scope.workspace}”`);
  await workbench.quickInput.pick(scope.workspace);
}

async function seeFolders(job: MainJob, names: readonly string[]): Promise<void> {
  const view = job.workbench.view('Servers');
  await eventually(async () => {
    const folders = (await view.rows()).filter(({ checked }) => checked !== undefined);
    assert.deepEqual(
      folders.map(({ label }) => label),
      names,
    );
  });
  job.report.seesRows(await view.rows());
  job.report.hears(job.conversation.news());
}

async function seeRunning({ workbench }: MainJob): Promise<void> {
  await eventually(async () => {
    const row = (await workbench.view('Servers').rows()).find(({ label }) => label === server);
    assert.match(row?.description ?? '', /^running/);
  });
}

/** Calls a tool, for which the server asks for its roots, and compares them with the wanted ones. */
async function callAndVerify(job: MainJob, names: readonly string[]): Promise<void> {
  const { report, workbench, conversation } = job;
  report.hears(conversation.news());
  report.does(`calls the tool ${tool}`);
  await workbench.runCommand(callTool.command);
  await workbench.quickInput.waitFor(callTool.list);
  await workbench.quickInput.pick(tool);
  const tab = await ToolTab.of(workbench, 'Get Roots');
  await tab.button('Call').click();
  await conversation.waitFor('the answer of the tool', hasToolResult);
  const messages = conversation.news();
  report.hears(messages);
  const told = messages.flatMap(toldRoots).at(-1) ?? [];
  report.verify(`the server was told of exactly ${names.join(', ')}`, told.join() === names.join());
  await seeExposed(job, names);
}

async function seeExposed({ workbench, report }: MainJob, names: readonly string[]): Promise<void> {
  const rows = await eventually(async () => {
    const rows = await workbench.view('Servers').rows();
    const exposed = rows.filter(({ description }) => description.startsWith(exposedText));
    assert.deepEqual(
      exposed.map(({ label }) => label),
      names,
    );
    return rows;
  });
  report.seesRows(rows);
  report.verify('the window shows exactly these as exposed', true);
}

async function seeActivity({ workbench, report }: MainJob, occasions: number): Promise<void> {
  const rows = await eventually(async () => {
    const rows = await workbench.view('Activity').rows();
    const told = rows.filter(({ label }) => label.includes(' · told of '));
    // Equal ones in a row are one row with a count.
    const times = told.map(({ description }) => Number(/(\d+) times/.exec(description)?.[1] ?? 1));
    assert.equal(
      times.reduce((sum, one) => sum + one, 0),
      occasions,
    );
    return rows;
  });
  report.seesRows(rows);
  report.verify(
    `all ${occasions} occasions on which the server was told are in the activity view`,
    true,
  );
}

function hasToolResult({ direction, body: { result } }: Message): boolean {
  return direction === 'from server' && isObject(result) && 'content' in result;
}

/**
 * The names of the roots in a message to a server: in the answer to its `roots/list`, or, since
 * revision 2026-07-28, in the answers that go along with a call. Nothing in any other message.
 */
function toldRoots({ direction, body }: Message): string[][] {
  return direction === 'to server' ? rootLists(body) : [];
}

function rootLists(value: unknown): string[][] {
  if (!isObject(value)) {
    return [];
  }
  if ('roots' in value && Array.isArray(value.roots)) {
    return [value.roots.map(({ name, uri }) => name ?? uri)];
  }
  return Object.values(value).flatMap(rootLists);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
