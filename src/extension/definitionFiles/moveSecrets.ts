import { convertServer, type ServerEntry } from '../../domain/adding/convertServer.ts';
import { typedIn } from '../../domain/adding/serverDraft.ts';
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
} from '../commands/adding/writeServers.ts';
import { Setting } from '../ids.ts';
import { t } from '../text.ts';
import * as vscode from '../vscode.ts';
import { type DefinedServer, type DefinitionText, settingsAt, underOf } from './definitionText.ts';

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
  const known = new Map(
    [...existing, ...inputs].filter(isJsonObject).map(input => [String(input['id']), input]),
  );
  const fileInputs = { byId: new Map(), notes: [] };
  const source = typedIn('own');
  const converted = convertServer(name, entry, { source, fileInputs, known, around });
  if (!converted.entry) {
    throw new HumanError('"{0}" has a mistake. Mend it first.', printable(name));
  }
  const changes = changesIn(entry, converted.entry);
  const next = changes.reduce<JsonObject>((rest, one) => withChange(rest, one), entry);
  // Before the text changes: whatever happens, no secret is nowhere.
  const server = { name, entry: next as unknown as ServerEntry, kept: converted.kept };
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
    await document.save();
  }
  void vscode.window.showInformationMessage(
    t(
      'The secrets of "{0}" are in the secret storage now. Older copies of this file still have them, such as those in a repository or in the Timeline.',
      printable(name),
    ),
  );
}

interface Change {
  readonly path: KeyPath;
  readonly value: unknown;
}

/** What becomes of the places of secrets; a login in a URL becomes a header. */
function changesIn(entry: JsonObject, converted: ServerEntry): readonly Change[] {
  const secrets = plainSecrets(entry);
  const changes = secrets.map(path => ({ path, value: valueAt(converted, path) }));
  const headers = isJsonObject(entry['headers']) ? entry['headers'] : {};
  const added = Object.entries(converted.headers ?? {}).filter(
    ([name]) => !Object.hasOwn(headers, name),
  );
  return [...changes, ...added.map(([name, value]) => ({ path: ['headers', name], value }))];
}

function valueAt(value: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>((inside, step) => (inside as JsonObject)[step], value);
}

function withChange(entry: JsonObject, { path, value }: Change): JsonObject {
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
