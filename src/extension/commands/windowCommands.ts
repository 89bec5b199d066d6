import { DisposableStore, type IDisposable, MutableDisposable } from '../../base/disposable.ts';
import type { ActivityLog } from '../activity/activityLog.ts';
import { connectClient } from '../gateway/connectClient.ts';
import type { Launchers } from '../hub/launcher.ts';
import { offerHub, openHubConfig } from '../hub/openHubConfig.ts';
import { Command, View } from '../ids.ts';
import { AccessPage, type AccessSubject, type AccessWindow } from '../pages/accessPage.ts';
import { type CommandId, type Commands, reportFailure } from '../registerCommand.ts';
import type { Servers } from '../servers/servers.ts';
import { t } from '../text.ts';
import type { Row } from '../views/rows.ts';
import { filterText, type ServersView } from '../views/serversView.ts';
import * as vscode from '../vscode.ts';
import { exportActivity } from './exportActivity.ts';
import { type StatusOf, showStatus } from './statusMenu.ts';

/**
 * `showAccess`: a page with who sees which folder. Called on a server's row it shows that server, on a
 * folder's row that folder.
 */
export function registerShowAccess(commands: Commands, window: AccessWindow): IDisposable {
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

/** `exportActivity`: writes the activity log to a file of the user's choice, as JSON Lines. */
export function registerExportActivity(
  commands: Commands,
  activity: ActivityLog,
): vscode.Disposable {
  return commands.register(Command.exportActivity, async () => {
    await exportActivity(activity);
  });
}

/** `showActivity`: brings the activity view to the front. */
export function registerShowActivity(commands: Commands): vscode.Disposable {
  return commands.register(Command.showActivity, async () => {
    await vscode.commands.executeCommand(`${View.activity}.focus`);
  });
}

/**
 * `openHubConfig`: opens the file with the servers of the hub, and offers to give the hub to a
 * client. In Restricted Mode, too: the file is the user's own, and nothing is run.
 */
export function registerOpenHubConfig(
  commands: Commands,
  servers: Servers,
  launchers: Launchers,
): vscode.Disposable {
  return commands.register(Command.openHubConfig, async () => {
    await openHubConfig(launchers);
    // Not awaited: the message stays until it is dismissed, and the command is done.
    void reportFailure(commands.logger, () => offerHub(servers, launchers));
  });
}

/** `connectClient`: makes another client use servers of this window. */
export function registerConnectClient(
  commands: Commands,
  servers: Servers,
  launchers: Launchers,
): vscode.Disposable {
  return commands.register(Command.connectClient, async row => {
    await connectClient(servers, launchers, row?.server);
  });
}

/** `filterServers`: has the view show some servers only. */
export function registerFilterServers(
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

/** `showStatus`: what needs the user, in a list where each can be seen to, and the ways to the rest. */
export function registerShowStatus(commands: Commands, window: StatusOf): vscode.Disposable {
  return commands.register(Command.showStatus, async () => {
    await showStatus(window);
  });
}

/**
 * `help` and `sandboxHelp`: opens a page of the manuals that come with the extension.
 *
 * @param page its path.
 */
export function registerHelp(commands: Commands, id: CommandId, page: string): vscode.Disposable {
  return commands.register(id, async () => {
    await vscode.commands.executeCommand('markdown.showPreview', vscode.Uri.file(page));
  });
}
