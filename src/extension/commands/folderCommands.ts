import type { Logger } from '../../base/logger.ts';
import { isAnswerable, isNewAnswer } from '../../domain/consent/folderAccess.ts';
import { readOnlyWord } from '../../domain/consent/statusWords.ts';
import type { Folder } from '../../domain/folders/folders.ts';
import { printable } from '../../domain/printable.ts';
import { HumanError } from '../../domain/sentence.ts';
import { type Shown, shown, shownLine, withIcon } from '../../domain/shown.ts';
import type { Consent } from '../consent/consent.ts';
import type { CandidateFolders } from '../folders/candidateFolders.ts';
import { gitRepositories } from '../folders/gitRepositories.ts';
import { Command } from '../ids.ts';
import type { Commands } from '../registerCommand.ts';
import type { Confirmation } from '../screen.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';
import { t } from '../text.ts';
import { type FolderRow, foldersIn, type Row } from '../views/rows.ts';
import * as vscode from '../vscode.ts';
import { registerOnServer } from './pickServer.ts';

/** The commands that answer on folders of servers, and offer them others. */
export function registerFolderCommands(
  commands: Commands,
  servers: Servers,
  folders: CandidateFolders,
  consent: Consent,
  offer: OfferFolders,
): void {
  commands.register(Command.allowFolders, (_, rows) => answerFolders(consent, rows, true));
  commands.register(Command.revokeFolders, (_, rows) => answerFolders(consent, rows, false));
  const reviewed = { placeHolder: t('Review the folders of which server?') };
  registerOnServer(commands, servers, Command.reviewAccess, reviewed, async server => {
    await folders.refresh();
    await consent.review(server);
  });
  commands.register(Command.revealRoot, async row => {
    const folder = await pickFolder(row, folders);
    if (folder?.path) {
      await vscode.commands.executeCommand('revealInExplorer', vscode.Uri.file(folder.path));
    }
  });
  commands.register(Command.withdrawFolder, async row => {
    await (row?.kind === 'folder' && withdraw(row, folders));
  });
  const offered = {
    placeHolder: t('Offer a folder to which server?'),
    untrusted:
      'In Restricted Mode no folder can be offered to a server. Trust this workspace first.',
  };
  registerOnServer(commands, servers, Command.offerFolder, offered, async server => {
    const choice = await pickFolderToOffer(server, folders, commands.logger);
    switch (choice?.kind) {
      case 'offer':
        return offer(server, [choice.path]);
      case 'browse':
        return offer(server, await browse());
      case 'take-back':
        return folders.withdraw(server.definition, choice.path);
    }
  });
}

/** @throws {HumanError} when the user did not offer it: then its definition does. */
async function withdraw({ server, access }: FolderRow, folders: CandidateFolders): Promise<void> {
  const { definition } = server;
  const path = folders.offeredTo(definition).find(one => one === access.folder.path);
  if (path === undefined) {
    throw new HumanError(
      'The definition of "{0}" offers it this folder. Change it there.',
      definition.label,
    );
  }
  await folders.withdraw(definition, path);
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
    label: shownLine(folder.name),
    description: shownLine(folder.path ?? ''),
    folder,
  }));
  const placeHolder = t('Which folder?');
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.folder;
}

/**
 * Keeps the same answer for all folders among these rows, for this workspace. More than one is
 * confirmed first, all at once.
 *
 * @throws {HumanError} when there is no folder among them that this would change.
 */
export async function answerFolders(
  consent: Pick<Consent, 'set' | 'screen'>,
  rows: readonly Row[],
  isAllowed: boolean,
): Promise<void> {
  const folders = foldersIn(rows);
  const open = folders.filter(({ access }) => isNewAnswer(access, isAllowed));
  if (open.length === 0) {
    throw new HumanError(nothingToDo(folders, isAllowed));
  }
  if (open.length > 1 && !(await consent.screen.confirm(...questionOn(open, isAllowed)))) {
    return;
  }
  // One after the other: each may have a question of its own.
  for (const { server, access } of open) {
    await consent.set(server, access.folder, isAllowed);
  }
}

function nothingToDo(folders: readonly FolderRow[], isAllowed: boolean): string {
  if (folders.length === 0) {
    return 'Select folders in the view "Servers" first.';
  }
  if (!folders.some(({ access }) => isAnswerable(access))) {
    return 'No answer can change how these folders stand. Their rows say why.';
  }
  return isAllowed ? 'These folders are allowed already.' : 'These folders are not allowed anyway.';
}

function questionOn(folders: readonly FolderRow[], isAllowed: boolean): Confirmation {
  const question = isAllowed
    ? t('Allow {0} folders, each to the server it is listed below?', folders.length)
    : t('Revoke {0} folders, each from the server it is listed below?', folders.length);
  const detail = shown(folders.map(row => lineFor(row, isAllowed)).join('\n'));
  return [question, detail, isAllowed ? t('Allow') : t('Revoke')];
}

function lineFor({ server, access }: FolderRow, isAllowed: boolean): string {
  const { folder, isReadOnly } = access;
  const line = printable(`• ${server.definition.label}: ${folder.path ?? folder.uri}`);
  return isAllowed && isReadOnly ? `${line} (${t(readOnlyWord)})` : line;
}

/** Offers folders on disk to one server, and asks the user about them. */
export type OfferFolders = (server: Server, paths: readonly string[]) => Promise<void>;

type Choice =
  | { readonly kind: 'offer' | 'take-back'; readonly path: string }
  | { readonly kind: 'browse' };

type ChoiceItem = vscode.QuickPickItem & { readonly choice?: Choice };

/** Has the user pick a near folder, or browse; `undefined` when the user leaves the list. */
export async function pickFolderToOffer(
  server: Server,
  folders: CandidateFolders,
  logger: Logger,
): Promise<Choice | undefined> {
  const known = folders.for(server.definition).flatMap(({ path, realPath }) => [path, realPath]);
  const taken = new Set(known.map(path => path && keyOf(path)));
  const repositories = await gitRepositories(logger);
  const items: ChoiceItem[] = [
    { label: t('$(folder-opened) Browse…'), choice: { kind: 'browse' } },
    ...section(
      t('Git repositories and worktrees of this window'),
      repositories
        .filter(path => !taken.has(keyOf(path)))
        .map(path => pathItem('repo', { kind: 'offer', path })),
    ),
    ...section(
      t('offered already: pick one to take it back'),
      folders
        .offeredTo(server.definition)
        .map(path => pathItem('close', { kind: 'take-back', path })),
    ),
  ];
  const title = t('Offer a Folder to "{0}"', server.definition.label);
  const placeHolder = t('The server is told of the folder only after you have allowed it');
  const options = { title, placeHolder, matchOnDescription: true };
  return (await vscode.window.showQuickPick(items, options))?.choice;
}

function section(label: Shown, items: readonly ChoiceItem[]): readonly ChoiceItem[] {
  const separator = { label, kind: vscode.QuickPickItemKind.Separator };
  return items.length > 0 ? [separator, ...items] : [];
}

function pathItem(icon: string, choice: Choice & { readonly path: string }): ChoiceItem {
  const [, name = choice.path] = /([^\\/]+)[\\/]*$/.exec(choice.path) ?? [];
  return {
    label: withIcon(icon, printable(name)),
    description: shownLine(choice.path),
    choice,
  };
}

/** Equal for two spellings of a path that the editor takes for the same one. */
function keyOf(path: string): string {
  return vscode.Uri.file(path).toString();
}

async function browse(): Promise<readonly string[]> {
  const picked = await vscode.window.showOpenDialog({
    title: t('Offer a Folder'),
    openLabel: t('Offer'),
    canSelectFiles: false,
    canSelectFolders: true,
    canSelectMany: true,
    ...(vscode.workspace.workspaceFolders?.[0] && {
      defaultUri: vscode.workspace.workspaceFolders[0].uri,
    }),
  });
  const elsewhere = picked?.find(({ scheme }) => scheme !== 'file');
  if (elsewhere) {
    throw new HumanError(
      '{0} is not on disk, so no server can be told of it.',
      elsewhere.toString(),
    );
  }
  return picked?.map(({ fsPath }) => fsPath) ?? [];
}
