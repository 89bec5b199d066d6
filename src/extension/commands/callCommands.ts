import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import type { ActivityLog } from '../activity/activityLog.ts';
import type { Toasts } from '../consent/toasts.ts';
import { Command } from '../ids.ts';
import { type ToolCallContext, ToolCallPages } from '../pages/toolCallPage.ts';
import { assertTrusted, type Commands } from '../registerCommand.ts';
import type { RootsChecks } from '../servers/rootsChecks.ts';
import type { Servers } from '../servers/servers.ts';
import { t } from '../text.ts';
import type * as vscode from '../vscode.ts';
import { callTool } from './callTool.ts';
import { checkRootsSupport } from './checkRootsSupport.ts';
import { pickServer } from './pickServer.ts';
import { ResultDocuments } from './resultDocuments.ts';

/** The commands that ask a server for something, and show what it answers. */
export function registerCallCommands(
  commands: Commands,
  window: Omit<ToolCallContext, 'results'>,
  checks: RootsChecks,
  activity: ActivityLog,
): IDisposable {
  const { servers, toasts } = window;
  const store = new DisposableStore();
  const results = store.add(new ResultDocuments());
  store.add(registerCallTool(commands, { ...window, results }));
  store.add(registerCheckRootsSupport(commands, servers, checks, results, activity, toasts));
  return store;
}

/** `callTool`: has the user pick what a running server offers, asks it for that, and shows it. */
function registerCallTool(commands: Commands, context: ToolCallContext): vscode.Disposable {
  const { servers, results } = context;
  const store = new DisposableStore();
  const pages = store.add(new ToolCallPages(context));
  store.add(commands.register(Command.callTool, row => callTool(servers, row, pages, results)));
  return store;
}

/** `checkRootsSupport`: tries with throw-away folders what a server does with roots, and shows it. */
function registerCheckRootsSupport(
  commands: Commands,
  servers: Servers,
  checks: RootsChecks,
  results: ResultDocuments,
  activity: ActivityLog,
  toasts: Toasts,
): vscode.Disposable {
  return commands.register(Command.checkRootsSupport, async row => {
    assertTrusted(
      'In Restricted Mode no server starts, so none can be checked. Trust this workspace first.',
    );
    await servers.refresh();
    const server = await pickServer(servers, row, {
      placeHolder: t('Check the roots support of which server?'),
    });
    const current = server && servers.withId(server.definition.id);
    if (current) {
      await checkRootsSupport(current, checks, results, activity, toasts);
    }
  });
}
