import * as vscode from 'vscode';
import type { HubFiles } from '../hub/hubFiles.ts';
import { Command } from '../ids.ts';
import { registerCommand, reportFailure } from '../registerCommand.ts';
import type { CommandContext } from './commandContext.ts';

/**
 * `openHubConfig`: opens the file with the servers of the hub, and offers to give the hub to a
 * client. In Restricted Mode, too: the file is the user's own, and nothing is run.
 */
export function registerOpenHubConfig({ logger, hub }: CommandContext): vscode.Disposable {
  return registerCommand(logger, Command.openHubConfig, async () => {
    await hub.prepare();
    await vscode.window.showTextDocument(vscode.Uri.file(hub.config));
    // Not awaited: the message stays until it is dismissed, and the command is done.
    void reportFailure(logger, () => offerToGive(hub));
  });
}

async function offerToGive(hub: HubFiles): Promise<void> {
  const give = vscode.l10n.t('Give It to a Client…');
  const text = vscode.l10n.t(
    'These are the servers of the hub. Any MCP client can start it and reach them through it.',
  );
  if ((await vscode.window.showInformationMessage(text, give)) === give) {
    const { giveHub } = await import('./onDemand.ts');
    await giveHub(hub);
  }
}
