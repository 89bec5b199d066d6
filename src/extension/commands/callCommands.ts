import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { Command } from '../ids.ts';
import { type ToolCallContext, ToolCallPages } from '../pages/toolCallPage.ts';
import { assertTrusted } from '../registerCommand.ts';
import { t } from '../text.ts';
import type { Window } from '../window.ts';
import { callTool } from './callTool.ts';
import { checkRootsSupport } from './checkRootsSupport.ts';
import { pickServer } from './pickServer.ts';
import { ResultDocuments } from './resultDocuments.ts';

/** The commands that ask a server for something, and show what it answers. */
export function registerCallCommands(
  window: Pick<
    Window,
    'commands' | 'checks' | 'activity' | Exclude<keyof ToolCallContext, 'results'>
  >,
): IDisposable {
  const { commands, servers, checks, activity, toasts } = window;
  const store = new DisposableStore();
  const results = store.add(new ResultDocuments());
  const pages = store.add(new ToolCallPages({ ...window, results }));
  commands.register(Command.callTool, row => callTool(servers, row, pages, results));
  commands.register(Command.checkRootsSupport, async row => {
    assertTrusted(
      'In Restricted Mode no server starts, so none can be checked. Trust this workspace first.',
    );
    await servers.refresh();
    const placeHolder = t('Check the roots support of which server?');
    const server = await pickServer(servers, row, { placeHolder });
    const current = server && servers.withId(server.definition.id);
    if (current) {
      await checkRootsSupport(current, checks, results, activity, toasts);
    }
  });
  return store;
}
