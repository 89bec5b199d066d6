import type * as vscode from 'vscode';
import { Command } from '../ids.ts';
import { registerCommand } from '../registerCommand.ts';
import { answerFolders } from './answerFolders.ts';
import type { CommandContext } from './commandContext.ts';

/** `allowFolders`: lets each server see those of its folders that are selected. */
export function registerAllowFolders({ logger, consent }: CommandContext): vscode.Disposable {
  return registerCommand(logger, Command.allowFolders, (_, rows) =>
    answerFolders(consent, rows, true),
  );
}
