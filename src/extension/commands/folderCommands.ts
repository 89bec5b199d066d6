import * as vscode from 'vscode';
import { HumanError } from '../../domain/errors.ts';
import type { Folder } from '../../domain/folders/folders.ts';
import { printable } from '../../domain/printable.ts';
import type { CandidateFolders } from '../folders/candidateFolders.ts';
import { Command } from '../ids.ts';
import { registerCommand } from '../registerCommand.ts';
import type { Row } from '../views/rows.ts';
import type { CommandContext } from './commandContext.ts';

/** `copyRootUri`: the URI under which servers are told of a folder. */
export function registerCopyRootUri({ logger, folders }: CommandContext): vscode.Disposable {
  return registerCommand(logger, Command.copyRootUri, async row => {
    const folder = await pickFolder(row, folders);
    if (folder) {
      await vscode.env.clipboard.writeText(folder.uri);
    }
  });
}

/** `revealRoot`: shows a folder in the Explorer. */
export function registerRevealRoot({ logger, folders }: CommandContext): vscode.Disposable {
  return registerCommand(logger, Command.revealRoot, async row => {
    const folder = await pickFolder(row, folders);
    if (folder?.path) {
      await vscode.commands.executeCommand('revealInExplorer', vscode.Uri.file(folder.path));
    }
  });
}

async function pickFolder(
  row: Row | undefined,
  { value }: CandidateFolders,
): Promise<Folder | undefined> {
  if (row?.kind === 'folder') {
    return row.access.folder;
  }
  const onDisk = value.filter(({ path }) => path !== undefined);
  if (onDisk.length === 0) {
    throw new HumanError('No folder on disk is open.');
  }
  const items = onDisk.map(folder => ({
    label: printable(folder.name),
    description: printable(folder.path ?? ''),
    folder,
  }));
  const placeHolder = vscode.l10n.t('Which folder?');
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.folder;
}
