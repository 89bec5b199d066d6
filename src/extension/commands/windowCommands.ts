import { join } from 'node:path';
import { type IDisposable, MutableDisposable } from '../../base/disposable.ts';
import { HumanError } from '../../domain/sentence.ts';
import { toJsonLines } from '../activity/activityFile.ts';
import type { ActivityLog } from '../activity/activityLog.ts';
import { connectClient } from '../gateway/connectClient.ts';
import { offerHub, openHubConfig } from '../hub/openHubConfig.ts';
import { Command, View } from '../ids.ts';
import { AccessPage, type AccessSubject, type AccessWindow } from '../pages/accessPage.ts';
import { reportFailure } from '../registerCommand.ts';
import { t } from '../text.ts';
import type { Row } from '../views/rows.ts';
import { filterText, type ServersView } from '../views/serversView.ts';
import * as vscode from '../vscode.ts';
import type { Window } from '../window.ts';
import { registerReports } from './reportIssue.ts';
import { revokeAll } from './revokeAll.ts';
import { type StatusOf, showStatus } from './statusMenu.ts';

/** The commands on all that servers were allowed: to look at it, and to take it back. */
export function registerAccessCommands(window: AccessCommandsWindow): IDisposable {
  const { commands, servers, activity } = window;
  commands.register(Command.revokeAll, row =>
    revokeAll(row?.server.definition.id, servers, window, activity),
  );
  return registerShowAccess(window);
}

type AccessCommandsWindow = Pick<Window, 'commands' | 'records' | 'activity' | keyof AccessWindow>;

/**
 * `showAccess`: a page with who sees which folder. Called on a server's row it shows that server, on a
 * folder's row that folder.
 */
function registerShowAccess(window: AccessCommandsWindow): IDisposable {
  const open = new MutableDisposable();
  let page: AccessPage | undefined;
  window.commands.register(Command.showAccess, async row => {
    if (!page) {
      page = new AccessPage(window);
      open.value = page;
      page.onDidClose(() => {
        page = undefined;
      });
    }
    page.show(subjectOf(row));
  });
  return open;
}

function subjectOf(row: Row | undefined): AccessSubject | undefined {
  if (row?.kind === 'folder') {
    return { folder: row.access.folder.uri };
  }
  return row && { server: row.server };
}

/** The commands on the views, and on what needs the user in any of them. */
export function registerViewCommands(
  window: Pick<Window, 'commands' | 'activity' | keyof StatusOf>,
  view: Pick<ServersView, 'filter'>,
): void {
  const { commands, activity } = window;
  registerFilterServers(commands, view);
  commands.register(Command.showStatus, () => showStatus(window));
  commands.register(Command.showActivity, async () => {
    await vscode.commands.executeCommand(`${View.activity}.focus`);
  });
  commands.register(Command.exportActivity, () => exportActivity(activity));
}

/** `filterServers`: has the view show some servers only. */
function registerFilterServers(
  commands: Window['commands'],
  view: Pick<ServersView, 'filter'>,
): void {
  commands.register(Command.filterServers, async () => {
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
  logger,
}: Pick<Window, 'commands' | 'servers' | 'launchers' | 'logger'>): void {
  commands.register(Command.connectClient, row => connectClient(servers, launchers, row?.server));
  // In Restricted Mode, too: the file is the user's own, and nothing is run.
  commands.register(Command.openHubConfig, async () => {
    await openHubConfig(launchers);
    // Not awaited: the message stays until it is dismissed, and the command is done.
    void reportFailure(logger, () => offerHub(servers, launchers));
  });
}

/** The commands for who needs help: the manuals, and the reports to who gives it. */
export function registerHelpCommands({
  commands,
  servers,
  extension,
}: Pick<Window, 'commands' | 'servers' | 'extension'>): void {
  const open = async (name: string) => {
    const page = vscode.Uri.file(join(extension.extensionPath, 'media', 'help', name));
    await vscode.commands.executeCommand('markdown.showPreview', page);
  };
  commands.register(Command.help, () => open('index.md'));
  commands.register(Command.sandboxHelp, () => open('sandbox.md'));
  registerReports(commands, servers, extension.extension);
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
