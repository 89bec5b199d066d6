import { join } from 'node:path';
import { DisposableStore, type IDisposable, MutableDisposable } from '../../base/disposable.ts';
import { HumanError } from '../../domain/sentence.ts';
import { toJsonLines } from '../activity/activityFile.ts';
import type { ActivityLog } from '../activity/activityLog.ts';
import { connectClient } from '../gateway/connectClient.ts';
import { offerHub, openHubConfig } from '../hub/openHubConfig.ts';
import { Command, View } from '../ids.ts';
import { AccessPage, type AccessSubject, type AccessWindow } from '../pages/accessPage.ts';
import { type Commands, reportFailure } from '../registerCommand.ts';
import { t } from '../text.ts';
import type { Row } from '../views/rows.ts';
import { filterText, type ServersView } from '../views/serversView.ts';
import * as vscode from '../vscode.ts';
import type { Window } from '../window.ts';
import { registerReports } from './reportIssue.ts';
import { revokeAll } from './revokeAll.ts';
import { type StatusOf, showStatus } from './statusMenu.ts';

/** The commands on all that servers were allowed: to look at it, and to take it back. */
export function registerAccessCommands(
  window: AccessWindow & Pick<Window, 'commands' | 'servers' | 'memory' | 'activity'>,
): IDisposable {
  const { commands, servers, memory, activity } = window;
  const store = new DisposableStore();
  store.add(registerShowAccess(commands, window));
  store.add(
    commands.register(Command.revokeAll, async row => {
      const only = row?.server.definition.id;
      await revokeAll(only, servers, memory, activity);
    }),
  );
  return store;
}

/**
 * `showAccess`: a page with who sees which folder. Called on a server's row it shows that server, on a
 * folder's row that folder.
 */
function registerShowAccess(commands: Commands, window: AccessWindow): IDisposable {
  const store = new DisposableStore();
  const open = store.add(new MutableDisposable());
  let page: AccessPage | undefined;
  store.add(
    commands.register(Command.showAccess, async row => {
      if (!page) {
        page = new AccessPage(window);
        open.value = page;
        page.onDidClose(() => {
          page = undefined;
        });
      }
      page.show(subjectOf(row));
    }),
  );
  return store;
}

function subjectOf(row: Row | undefined): AccessSubject | undefined {
  if (row?.kind === 'folder') {
    return { folder: row.access.folder.uri };
  }
  return row && { server: row.server };
}

/** The commands on the views, and on what needs the user in any of them. */
export function registerViewCommands(
  window: StatusOf & Pick<Window, 'commands' | 'view' | 'activity'>,
): IDisposable {
  const { commands, view, activity } = window;
  const store = new DisposableStore();
  store.add(registerFilterServers(commands, view));
  store.add(commands.register(Command.showStatus, () => showStatus(window)));
  store.add(
    commands.register(Command.showActivity, async () => {
      await vscode.commands.executeCommand(`${View.activity}.focus`);
    }),
  );
  store.add(commands.register(Command.exportActivity, () => exportActivity(activity)));
  return store;
}

/** `filterServers`: has the view show some servers only. */
function registerFilterServers(
  commands: Commands,
  view: Pick<ServersView, 'filter'>,
): vscode.Disposable {
  return commands.register(Command.filterServers, async () => {
    const items = (['all', 'attention', 'running'] as const).map(filter => ({
      label: filterText(filter),
      ...(filter === view.filter && { description: t('shown now') }),
      filter,
    }));
    const placeHolder = t('Show which servers?');
    const picked = await vscode.window.showQuickPick(items, { placeHolder });
    if (picked) {
      view.filter = picked.filter;
    }
  });
}

/** The commands that lead other clients to the servers of this window, or to the hub. */
export function registerConnectCommands({
  commands,
  servers,
  launchers,
}: Pick<Window, 'commands' | 'servers' | 'launchers'>): IDisposable {
  const store = new DisposableStore();
  store.add(
    commands.register(Command.connectClient, row => connectClient(servers, launchers, row?.server)),
  );
  store.add(
    // In Restricted Mode, too: the file is the user's own, and nothing is run.
    commands.register(Command.openHubConfig, async () => {
      await openHubConfig(launchers);
      // Not awaited: the message stays until it is dismissed, and the command is done.
      void reportFailure(commands.logger, () => offerHub(servers, launchers));
    }),
  );
  return store;
}

/** The commands for who needs help: the manuals, and the reports to who gives it. */
export function registerHelpCommands({
  commands,
  servers,
  extension: { extension },
}: Pick<Window, 'commands' | 'servers' | 'extension'>): IDisposable {
  const store = new DisposableStore();
  const open = async (name: string) => {
    const page = vscode.Uri.file(manualPage(extension, name));
    await vscode.commands.executeCommand('markdown.showPreview', page);
  };
  store.add(commands.register(Command.help, () => open('index.md')));
  store.add(commands.register(Command.sandboxHelp, () => open('sandbox.md')));
  store.add(registerReports(commands, servers, extension));
  return store;
}

/** The path of a page of the manuals that come with the extension. */
function manualPage(
  { extensionPath }: Pick<vscode.Extension<unknown>, 'extensionPath'>,
  name: string,
): string {
  return join(extensionPath, 'media', 'help', name);
}

/**
 * Writes the activity log to a file of the user's choice, as JSON Lines.
 *
 * @throws {HumanError} when there is nothing in it.
 */
async function exportActivity({ all }: Pick<ActivityLog, 'all'>): Promise<void> {
  if (all.length === 0) {
    throw new HumanError('There is nothing to export: nothing happened yet.');
  }
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    title: t('Export Activity'),
    filters: { 'JSON Lines': ['jsonl'] },
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, 'mcp-roots-activity.jsonl') }),
  });
  if (target) {
    await vscode.workspace.fs.writeFile(target, Buffer.from(toJsonLines(all)));
  }
}
