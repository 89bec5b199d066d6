import * as vscode from 'vscode';
import { HumanError } from '../../domain/errors.ts';
import { printable } from '../../domain/printable.ts';
import { gitRepositories } from '../folders/gitRepositories.ts';
import { Command } from '../ids.ts';
import { registerCommand } from '../registerCommand.ts';
import type { Server } from '../servers/server.ts';
import { assertTrusted } from './assertTrusted.ts';
import type { CommandContext } from './commandContext.ts';
import { offerFolders } from './offerFolders.ts';
import { pickServer } from './pickServer.ts';

/** `offerFolder`: makes a folder a candidate of one server, or takes it back. */
export function registerOfferFolder(context: CommandContext): vscode.Disposable {
  const { logger, servers } = context;
  return registerCommand(logger, Command.offerFolder, async row => {
    assertTrusted(
      'In Restricted Mode no folder can be offered to a server. Trust this workspace first.',
    );
    const server = await pickServer(servers, row, {
      placeHolder: vscode.l10n.t('Offer a folder to which server?'),
      isWanted: () => true,
      none: 'There is no server.',
    });
    const choice = server && (await pickChoice(server, context));
    if (choice) {
      await follow(choice, server, context);
    }
  });
}

async function follow(choice: Choice, server: Server, context: CommandContext): Promise<void> {
  switch (choice.kind) {
    case 'offer':
      return offerFolders(server, [choice.path], context);
    case 'browse':
      return offerFolders(server, await browse(), context);
    case 'take-back':
      return context.folders.withdraw(server.definition, choice.path);
  }
}

type Choice =
  | { readonly kind: 'offer' | 'take-back'; readonly path: string }
  | { readonly kind: 'browse' };

type ChoiceItem = vscode.QuickPickItem & { readonly choice?: Choice };

async function pickChoice(
  server: Server,
  { logger, folders }: CommandContext,
): Promise<Choice | undefined> {
  const known = folders.for(server.definition).flatMap(({ path, realPath }) => [path, realPath]);
  const taken = new Set(known.map(path => path && keyOf(path)));
  const repositories = await gitRepositories(logger);
  const items: ChoiceItem[] = [
    { label: vscode.l10n.t('$(folder-opened) Browse…'), choice: { kind: 'browse' } },
    ...section(
      vscode.l10n.t('Git repositories and worktrees of this window'),
      repositories
        .filter(path => !taken.has(keyOf(path)))
        .map(path => pathItem('$(repo)', { kind: 'offer', path })),
    ),
    ...section(
      vscode.l10n.t('offered already: pick one to take it back'),
      folders
        .offeredTo(server.definition)
        .map(path => pathItem('$(close)', { kind: 'take-back', path })),
    ),
  ];
  const title = vscode.l10n.t('Offer a Folder to "{0}"', server.definition.label);
  const placeHolder = vscode.l10n.t('It is not exposed by this: you are asked then.');
  const options = { title, placeHolder, matchOnDescription: true };
  return (await vscode.window.showQuickPick(items, options))?.choice;
}

function section(label: string, items: readonly ChoiceItem[]): readonly ChoiceItem[] {
  const separator = { label, kind: vscode.QuickPickItemKind.Separator };
  return items.length > 0 ? [separator, ...items] : [];
}

function pathItem(icon: string, choice: Choice & { readonly path: string }): ChoiceItem {
  const [, name = choice.path] = /([^\\/]+)[\\/]*$/.exec(choice.path) ?? [];
  return {
    // An icon is written into the label, so a name must not be able to write one.
    label: `${icon} ${printable(name).replaceAll('$(', '$\u200b(')}`,
    description: printable(choice.path),
    choice,
  };
}

/** Equal for spellings of a path between which the editor does not tell either. */
function keyOf(path: string): string {
  return vscode.Uri.file(path).toString();
}

async function browse(): Promise<readonly string[]> {
  const picked = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Offer a Folder'),
    openLabel: vscode.l10n.t('Offer'),
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
