import * as vscode from 'vscode';
import { startStep } from '../../domain/consent/access.ts';
import { HumanError } from '../../domain/errors.ts';
import { mayDownload } from '../../domain/servers/launch.ts';
import { Command } from '../ids.ts';
import { registerCommand } from '../registerCommand.ts';
import type { Server } from '../servers/server.ts';
import { failureText } from '../text.ts';
import type { Row } from '../views/rows.ts';
import type { CommandContext } from './commandContext.ts';
import { withPatience } from './patience.ts';
import { pickServer } from './pickServer.ts';

/** `startServer` */
export function registerStartServer(context: CommandContext): vscode.Disposable {
  const { logger, servers } = context;
  return registerCommand(logger, Command.startServer, async row => {
    const server = await pickServer(servers, row, {
      placeHolder: vscode.l10n.t('Start which server?'),
      isWanted: ({ isLive }) => !isLive,
      none: 'Every server is running already.',
    });
    if (server) {
      await startServer(server, context);
    }
  });
}

/**
 * Starts a server for a person who waits for it: asks first what it may see, shows progress, and
 * says why when it did not start.
 *
 * @throws {HumanError} when it can't start as things are.
 */
export async function startServer(
  wanted: Server,
  { folders, servers, consent }: Pick<CommandContext, 'folders' | 'servers' | 'consent'>,
): Promise<void> {
  await Promise.all([folders.refresh(), servers.refresh()]);
  // It is another one by now if what its environment file holds has changed.
  const server = servers.withId(wanted.definition.id) ?? wanted;
  assertStartable(server);
  if (startStep(server.access, server.isLaunchAllowed) === 'ask') {
    const isAboutFolders = server.access.waiting.length > 0;
    const isAnswered = await consent.askBeforeStart(server);
    if (!isAnswered) {
      return;
    }
    if (server.isRetired) {
      throw new HumanError(
        '"{0}" was changed meanwhile, so it was not started. Start it again.',
        server.definition.label,
      );
    }
    if (isAboutFolders && server.access.roots.length === 0) {
      sayNotStarted(server);
      return;
    }
  }
  await startWithProgress(server);
}

function sayNotStarted({ definition }: Server): void {
  void vscode.window.showInformationMessage(
    vscode.l10n.t(
      '"{0}" was not started, since it may see no folder. Start it again to run it without any.',
      definition.label,
    ),
  );
}

function assertStartable({ definition, access, isLaunchAllowed }: Server): void {
  switch (startStep(access, isLaunchAllowed)) {
    case 'no-folder':
      throw new HumanError(
        'No folder is open, so there is nothing to expose. Open a folder first.',
      );
    case 'restricted':
      throw new HumanError(
        'In Restricted Mode no server starts and no folder is exposed. Trust this workspace first.',
      );
    case 'virtual':
      throw new HumanError(
        'The folders of this window are not on disk, so "{0}" can\'t be told of them.',
        definition.label,
      );
  }
}

async function startWithProgress(server: Server): Promise<void> {
  const { label, launch } = server.definition;
  const title = mayDownload(launch)
    ? vscode.l10n.t('Starting "{0}", it may be downloading…', label)
    : vscode.l10n.t('Starting "{0}"…', label);
  const state = await withPatience(server.start('by-hand'), title, () => void server.stop());
  if (state.kind === 'failed') {
    // Not awaited: the message stays until it is dismissed, and the command is done.
    void reportFailure(server, failureText(state.failure));
  }
}

async function reportFailure(server: Server, reason: string): Promise<void> {
  const showLog = vscode.l10n.t('Show Log');
  const message = vscode.l10n.t('"{0}" {1}', server.definition.label, reason);
  if ((await vscode.window.showErrorMessage(message, showLog)) === showLog) {
    const row: Row = { kind: 'server', server };
    await vscode.commands.executeCommand(Command.showLog, row);
  }
}
