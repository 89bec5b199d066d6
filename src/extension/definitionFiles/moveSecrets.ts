import { convertServer } from '../../domain/adding/convertServer.ts';
import { inputsById } from '../../domain/adding/secretInputs.ts';
import { isJsonObject, type JsonObject, type KeyPath } from '../../domain/json.ts';
import { printable } from '../../domain/printable.ts';
import { plainSecrets } from '../../domain/secrets/plainSecrets.ts';
import { HumanError } from '../../domain/sentence.ts';
import { withValueAt } from '../commands/adding/settingsText.ts';
import {
  existingSettings,
  keepAll,
  replaceText,
  type ServerKeeping,
  saved,
} from '../commands/adding/writeServers.ts';
import { InternalCommand, Setting } from '../ids.ts';
import { t } from '../text.ts';
import * as vscode from '../vscode.ts';
import { type DefinedServer, type DefinitionText, settingsAt, underOf } from './definitionText.ts';
import { findingsIn } from './findings.ts';
import type { ReadDocument } from './marks.ts';
import { rangeOf } from './textPlaces.ts';

/**
 * Takes the secrets out of the definition of a server and keeps them in the secret storage. Inputs
 * stand in their places, defined in the same settings.
 *
 * @throws {HumanError} when the server has a mistake, so that nobody can say what it is going to be.
 */
export async function moveSecrets(
  { document, kind, value }: DefinitionText,
  { name, path, entry }: DefinedServer,
  keeping: ServerKeeping,
): Promise<void> {
  if (kind.kind !== 'settings' || !isJsonObject(entry)) {
    throw new HumanError('"{0}" is not in the settings.', printable(name));
  }
  const under = underOf(kind);
  const written = settingsAt(value, under)[Setting.inputs];
  const inputs: readonly unknown[] = Array.isArray(written) ? written : [];
  const { inputs: existing, around } = existingSettings();
  const known = inputsById([...existing, ...inputs]);
  const converted = convertServer(name, entry, { known, around });
  if (!converted.entry) {
    throw new HumanError('"{0}" has a mistake. Mend it first.', printable(name));
  }
  const next = plainSecrets(entry).reduce<JsonObject>(
    (rest, path) => withChange(rest, path, valueAt(converted.entry, path)),
    entry,
  );
  // Before the text changes: whatever happens, no secret is nowhere.
  const server = { name, entry: next, kept: converted.kept };
  await keepAll([server], kind.from ?? 'user', keeping);
  const added = converted.inputs.filter(({ id }) => !known.has(id));
  const moved = withValueAt(document.getText(), path, entry, next);
  const place = [...under, Setting.inputs];
  const text =
    moved !== undefined && added.length > 0
      ? withValueAt(moved, place, written, [...inputs, ...added])
      : moved;
  if (text === undefined) {
    throw new HumanError(
      'The secrets of "{0}" stay where they are: the file was changed meanwhile, or says something twice.',
      printable(name),
    );
  }
  const wasSaved = !document.isDirty;
  await replaceText(document, text);
  if (wasSaved) {
    await saved(document);
  }
  void vscode.window.showInformationMessage(
    t(
      'The secrets of "{0}" are in the secret storage now. Older copies of this file still have them, such as those in a repository or in the Timeline.',
      printable(name),
    ),
  );
}

function valueAt(value: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>((inside, step) => (inside as JsonObject)[step], value);
}

function withChange(entry: JsonObject, path: KeyPath, value: unknown): JsonObject {
  const [key = '', step] = path;
  const before = entry[key];
  if (step === undefined) {
    return { ...entry, [key]: value };
  }
  const after = Array.isArray(before)
    ? before.map((item, index) => (index === step ? value : item))
    : { ...(isJsonObject(before) ? before : {}), [step]: value };
  return { ...entry, [key]: after };
}

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
