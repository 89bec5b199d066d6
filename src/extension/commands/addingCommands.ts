import * as vscode from 'vscode';
import type { Logger } from '../../base/logger.ts';
import { printable } from '../../domain/printable.ts';
import { userServerId } from '../../domain/servers/serverDefinition.ts';
import { Command } from '../ids.ts';
import { assertTrusted, registerCommand } from '../registerCommand.ts';
import type { Servers } from '../servers/servers.ts';
import type { SandboxSource } from '../servers/serverTarget.ts';
import { noSandboxText } from '../text.ts';
import type { Row } from '../views/rows.ts';
import type { AddedServer } from './adding/askForServer.ts';
import type { SecretKeeping } from './adding/writeServers.ts';

const noAdding =
  'In Restricted Mode no server can be added, because its settings are ignored. Trust this workspace first.';

/** `addServer`: asks step by step for a new server, and offers to start it. */
export function registerAddServer(
  logger: Logger,
  servers: Servers,
  keeping: SecretKeeping,
  sandbox: SandboxSource,
): vscode.Disposable {
  return registerCommand(logger, Command.addServer, async () => {
    assertTrusted(noAdding);
    const { askForServer } = await import('./onDemand.ts');
    const added = await askForServer(keeping, sandbox);
    if (added) {
      // Not awaited: the message stays until it is dismissed, and the command is done.
      void offerStart(added, servers);
    }
  });
}

async function offerStart({ name, noSandbox }: AddedServer, servers: Servers): Promise<void> {
  const start = vscode.l10n.t('Start');
  const added = vscode.l10n.t('"{0}" was added. It was not started yet.', printable(name));
  const text = noSandbox ? `${added} ${noSandboxText(noSandbox)}` : added;
  if ((await vscode.window.showInformationMessage(text, start)) === start) {
    // Looked for only now: it may have been changed since.
    const server = servers.all.find(({ definition }) => definition.id === userServerId(name));
    const row: Row | undefined = server && { kind: 'server', server };
    await vscode.commands.executeCommand(Command.startServer, row);
  }
}

/**
 * `importServers`: takes over servers of other clients, of which the user picks.
 *
 * @param editorFolder where the editor keeps the user's settings and the storage of extensions.
 */
export function registerImportServers(
  logger: Logger,
  editorFolder: string,
  keeping: SecretKeeping,
  sandbox: SandboxSource,
): vscode.Disposable {
  return registerCommand(logger, Command.importServers, async () => {
    assertTrusted(noAdding);
    const { importServers } = await import('./onDemand.ts');
    await importServers(editorFolder, keeping, sandbox);
  });
}
