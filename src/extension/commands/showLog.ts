import type * as vscode from 'vscode';
import { Command } from '../ids.ts';
import { registerCommand } from '../registerCommand.ts';
import type { CommandContext } from './commandContext.ts';

/** `showLog`: the log of the server whose row it was called from, else that of the extension. */
export function registerShowLog({ logger, logs }: CommandContext): vscode.Disposable {
  return registerCommand(logger, Command.showLog, async row => {
    const channel = row ? logs.forServer(row.server.definition) : logs.extension;
    channel.show();
  });
}
