import type { Logger } from '../../base/logger.ts';
import { printable } from '../../domain/printable.ts';
import { HumanError } from '../../domain/sentence.ts';
import { type Shown, shownLine, withIcon } from '../../domain/shown.ts';
import type { OfferFolders } from '../consent/offerFolders.ts';
import type { CandidateFolders } from '../folders/candidateFolders.ts';
import { gitRepositories } from '../folders/gitRepositories.ts';
import { foldersIn, type ViewRow } from '../rows.ts';
import type { Server } from '../servers/server.ts';
import { t } from '../text.ts';
import * as vscode from '../vscode.ts';

/** Lets the user pick a folder, and offers the folder to a server or withdraws the offer. */
export async function offerFolder(
  server: Server,
  folders: CandidateFolders,
  offer: OfferFolders,
  logger: Logger,
): Promise<void> {
  const choice = await pickFolderToOffer(server, folders, logger);
  switch (choice?.kind) {
    case 'offer':
      return offer(server, [choice.path]);
    case 'browse':
      return offer(server, await browse());
    case 'take-back':
      return folders.withdraw(server.definition, choice.path);
  }
}

/** Shows the folder of a row in the Explorer. */
export async function revealRoot(row: ViewRow): Promise<void> {
  const path = row.kind === 'folder' && row.access.folder.path;
  await (path && vscode.commands.executeCommand('revealInExplorer', vscode.Uri.file(path)));
}

/**
 * Withdraws offers of folders that the user made.
 *
 * @throws {HumanError} for a folder that the server's definition offers.
 */
export async function withdrawFolders(
  rows: readonly ViewRow[],
  folders: CandidateFolders,
): Promise<void> {
  for (const { server, access } of foldersIn(rows)) {
    const { definition } = server;
    const path = folders.offeredTo(definition).find(one => one === access.folder.path);
    if (path === undefined) {
      throw new HumanError(
        'The definition of "{0}" offers this folder. To take back the offer, change the definition.',
        definition.label,
      );
    }
    await folders.withdraw(definition, path);
  }
}

type Choice =
  | { readonly kind: 'offer' | 'take-back'; readonly path: string }
  | { readonly kind: 'browse' };

type ChoiceItem = vscode.QuickPickItem & { readonly choice?: Choice };

/** Lets the user pick a repository, an offered folder or "Browse…"; `undefined`: the user left. */
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
      t('offered already: pick the folder to take back the offer'),
      folders
        .offeredTo(server.definition)
        .map(path => pathItem('close', { kind: 'take-back', path })),
    ),
  ];
  const title = t('Offer a Folder to "{0}"', server.definition.label);
  const placeHolder = t('The folder is shared with the server only after you allow it');
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

/** Two paths have equal keys if the editor treats them as the same path. */
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
      "{0} is not on disk, so it can't be shared with a server.",
      elsewhere.toString(),
    );
  }
  return picked?.map(({ fsPath }) => fsPath) ?? [];
}
