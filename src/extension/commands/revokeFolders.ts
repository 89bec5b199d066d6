import type * as vscode from 'vscode';
import { Command } from '../ids.ts';
import { registerCommand } from '../registerCommand.ts';
import { answerFolders } from './answerFolders.ts';
import type { CommandContext } from './commandContext.ts';

/** `revokeFolders`: keeps the folders that are selected from the servers they are listed below. */
export function registerRevokeFolders({ logger, consent }: CommandContext): vscode.Disposable {
  return registerCommand(logger, Command.revokeFolders, (_, rows) =>
    answerFolders(consent, rows, false),
  );
}
