import * as vscode from 'vscode';
import { Command, View } from '../ids.ts';
import { registerCommand } from '../registerCommand.ts';
import type { CommandContext } from './commandContext.ts';

/** `showActivity`: brings the activity view to the front. */
export function registerShowActivity({ logger }: CommandContext): vscode.Disposable {
  return registerCommand(logger, Command.showActivity, async () => {
    await vscode.commands.executeCommand(`${View.activity}.focus`);
  });
}
