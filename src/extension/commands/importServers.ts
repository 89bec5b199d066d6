import type * as vscode from 'vscode';
import { Command } from '../ids.ts';
import { registerCommand } from '../registerCommand.ts';
import { assertTrusted, noAdding } from './assertTrusted.ts';
import type { CommandContext } from './commandContext.ts';

/** `importServers`: takes over servers of other clients, of which the user picks. */
export function registerImportServers(context: CommandContext): vscode.Disposable {
  return registerCommand(context.logger, Command.importServers, async () => {
    assertTrusted(noAdding);
    const { importServers } = await import('./onDemand.ts');
    await importServers(context);
  });
}
