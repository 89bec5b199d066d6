import * as vscode from 'vscode';
import type { Logger } from '../../base/logger.ts';
import type { ActivityLog } from '../activity/activityLog.ts';
import type { Launchers } from '../hub/launcher.ts';
import { Command, View } from '../ids.ts';
import { registerCommand, reportFailure } from '../registerCommand.ts';
import type { Servers } from '../servers/servers.ts';
import { serverOf } from '../views/rows.ts';

/** `exportActivity`: writes the activity log to a file of the user's choice, as JSON Lines. */
export function registerExportActivity(logger: Logger, activity: ActivityLog): vscode.Disposable {
  return registerCommand(logger, Command.exportActivity, async () => {
    const { exportActivity } = await import('./onDemand.ts');
    await exportActivity(activity);
  });
}

/** `showActivity`: brings the activity view to the front. */
export function registerShowActivity(logger: Logger): vscode.Disposable {
  return registerCommand(logger, Command.showActivity, async () => {
    await vscode.commands.executeCommand(`${View.activity}.focus`);
  });
}

/**
 * `openHubConfig`: opens the file with the servers of the hub, and offers to give the hub to a
 * client. In Restricted Mode, too: the file is the user's own, and nothing is run.
 */
export function registerOpenHubConfig(
  logger: Logger,
  servers: Servers,
  launchers: Launchers,
): vscode.Disposable {
  return registerCommand(logger, Command.openHubConfig, async () => {
    const { offerHub, openHubConfig } = await import('./onDemand.ts');
    await openHubConfig(launchers);
    // Not awaited: the message stays until it is dismissed, and the command is done.
    void reportFailure(logger, () => offerHub(servers, launchers));
  });
}

/** `connectClient`: makes another client use servers of this window. */
export function registerConnectClient(
  logger: Logger,
  servers: Servers,
  launchers: Launchers,
): vscode.Disposable {
  return registerCommand(logger, Command.connectClient, async row => {
    const { connectClient } = await import('./onDemand.ts');
    await connectClient(servers, launchers, serverOf(row));
  });
}

/**
 * `help`: opens the first page of the manuals that come with the extension.
 *
 * @param page its path.
 */
export function registerHelp(logger: Logger, page: string): vscode.Disposable {
  return registerCommand(logger, Command.help, async () => {
    await vscode.commands.executeCommand('markdown.showPreview', vscode.Uri.file(page));
  });
}
