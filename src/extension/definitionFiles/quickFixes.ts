import type { Edit } from 'jsonc-parser';
import type { KeyPath } from '../../domain/json.ts';
import { placeInTree } from '../../domain/jsonTree.ts';
import { cut, printable } from '../../domain/printable.ts';
import type { Mistake } from '../../domain/settings/mistakes.ts';
import { type Repair, repairsOf } from '../../domain/settings/repairs.ts';
import type { Shown } from '../../domain/shown.ts';
import { removing } from '../commands/adding/settingsText.ts';
import { InternalCommand } from '../ids.ts';
import { t } from '../text.ts';
import * as vscode from '../vscode.ts';
import type { DefinedServer, DefinitionText } from './definitionText.ts';
import { findingsIn } from './findings.ts';
import type { ReadDocument } from './marks.ts';
import { rangeOf, rangeOfNodes } from './textPlaces.ts';

/** Offers to mend what is wrong at a place of a document, where there is an obvious way. */
export class QuickFixes implements vscode.CodeActionProvider {
  private readonly read: ReadDocument;

  constructor(read: ReadDocument) {
    this.read = read;
  }

  provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    const text = this.read(document);
    if (!text?.isWhole) {
      return [];
    }
    const isHere = ({ path }: { readonly path: KeyPath }) =>
      rangeOf(text, path).intersection(range) !== undefined;
    const repairs = text.mistakes.filter(isHere).flatMap(mistake => repairActions(text, mistake));
    const secrets = findingsIn(text).filter(one => one.kind === 'secret' && isHere(one));
    const servers = text.servers.filter(({ path }) =>
      secrets.some(secret => path.every((step, index) => secret.path[index] === step)),
    );
    const actions = [...repairs, ...servers.flatMap(server => secretActions(text, server))];
    for (const action of actions) {
      action.diagnostics = diagnostics.filter(one => one.range.intersection(range));
    }
    return actions;
  }
}

function repairActions(text: DefinitionText, mistake: Mistake): vscode.CodeAction[] {
  const { document, value, mistakesIn } = text;
  return repairsOf(value, mistake, mistakesIn).map((repair, index) => {
    const action = new vscode.CodeAction(
      repairTitle(mistake.path, repair),
      vscode.CodeActionKind.QuickFix,
    );
    action.edit = new vscode.WorkspaceEdit();
    action.edit.set(document.uri, [...editsOf(text, mistake.path, repair)]);
    action.isPreferred = index === 0;
    return action;
  });
}

function repairTitle(path: KeyPath, repair: Repair): Shown {
  switch (repair.kind) {
    case 'rename':
      return t('Change to "{0}"', printable(repair.to));
    case 'remove':
      return t('Remove "{0}"', printable(cut(String(path.at(-1)), 40)));
    case 'replace':
      return t('Write {0}', printable(cut(JSON.stringify(repair.value), 60)));
  }
}

function editsOf(text: DefinitionText, path: KeyPath, repair: Repair): readonly vscode.TextEdit[] {
  const { document, root } = text;
  const { key, value } = placeInTree(root, path);
  switch (repair.kind) {
    case 'rename':
      return key
        ? [vscode.TextEdit.replace(rangeOfNodes(document, key), JSON.stringify(repair.to))]
        : [];
    case 'remove':
      return removing(document.getText(), path).map(edit => textEdit(document, edit));
    case 'replace':
      return [vscode.TextEdit.replace(rangeOfNodes(document, value), JSON.stringify(repair.value))];
  }
}

function textEdit(document: vscode.TextDocument, { offset, length, content }: Edit) {
  const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
  return vscode.TextEdit.replace(range, content);
}

function secretActions(
  { document, kind }: DefinitionText,
  { name, path }: DefinedServer,
): vscode.CodeAction[] {
  if (kind.kind === 'hub' || !vscode.workspace.isTrusted) {
    return [];
  }
  const isOwn = kind.kind === 'settings';
  const title = isOwn
    ? t('Move the secrets of "{0}" to the secret storage', printable(name))
    : t('Import "{0}" into MCP Roots…', printable(name));
  const command = isOwn ? InternalCommand.moveSecrets : InternalCommand.importServer;
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.command = { title, command, arguments: [document.uri, path] };
  return [action];
}
