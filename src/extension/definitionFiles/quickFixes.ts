import { printable } from '../../domain/printable.ts';
import { InternalCommand } from '../ids.ts';
import { t } from '../text.ts';
import * as vscode from '../vscode.ts';
import type { DefinedServer, DefinitionText } from './definitionText.ts';
import { findingsIn } from './findings.ts';
import type { ReadDocument } from './marks.ts';
import { rangeOf } from './textPlaces.ts';

/** Offers to take secrets out of a document, where one stands. */
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
    const secrets = findingsIn(text).filter(
      ({ kind, path }) => kind === 'secret' && rangeOf(text, path).intersection(range),
    );
    const servers = text.servers.filter(({ path }) =>
      secrets.some(secret => path.every((step, index) => secret.path[index] === step)),
    );
    const actions = servers.flatMap(server => secretActions(text, server));
    for (const action of actions) {
      action.diagnostics = diagnostics.filter(one => one.range.intersection(range));
    }
    return actions;
  }
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
