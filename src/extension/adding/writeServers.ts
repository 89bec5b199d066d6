import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { messageOf } from '../../base/messageOf.ts';
import type { InputEntry } from '../../domain/adding/convertServer.ts';
import type { ServerDraft } from '../../domain/adding/serverDraft.ts';
import { isJsonObject, isSameJson, type JsonObject } from '../../domain/json.ts';
import { printable } from '../../domain/printable.ts';
import { HumanError } from '../../domain/sentence.ts';
import { identityOf } from '../../domain/servers/serverIdentity.ts';
import { readServerSettings } from '../../domain/settings/serverSettings.ts';
import { Setting } from '../ids.ts';
import { inputSecret, type ServerSecrets } from '../records/serverSecrets.ts';
import type { ServerIdentities } from '../servers/serverIdentities.ts';
import { surroundings } from '../settings.ts';
import { t } from '../text.ts';
import * as vscode from '../vscode.ts';
import { isSameText, withValueAt } from './settingsText.ts';

/** The parts of a window that write a server and its secrets. */
export interface ServerKeeping {
  readonly secrets: ServerSecrets;
  readonly identities: ServerIdentities;
  /** The folder with the user's settings and the storage of extensions. */
  readonly editorFolder: string;
}

/** The settings that a server is written to. */
export type SettingsTarget = 'user' | 'workspace';

/** The servers and inputs in all settings that this window reads. */
export function existingSettings() {
  const servers = configuration().get<unknown>(Setting.servers);
  const inputs = configuration().inspect<unknown>(Setting.inputs);
  return {
    servers: isJsonObject(servers) ? servers : {},
    inputs: [inputs?.globalValue, inputs?.workspaceValue].flatMap(value =>
      Array.isArray(value) ? value : [],
    ),
    around: surroundings(),
  };
}

/**
 * Adds servers to the settings, and their secrets to the secret storage. Existing settings stay.
 *
 * @throws {HumanError} when a name was taken meanwhile, or the settings can't be written.
 */
export async function writeServers(
  servers: readonly ServerDraft[],
  target: SettingsTarget,
  keeping: ServerKeeping,
): Promise<void> {
  const existing = existingSettings();
  const taken = servers.find(({ name }) => Object.hasOwn(existing.servers, name));
  if (taken) {
    throw new HumanError(
      'Meanwhile a server "{0}" was added, so nothing was changed. Try again.',
      printable(taken.name),
    );
  }
  // The servers come last. If an earlier step fails, nobody can start an incomplete server.
  await keepAll(servers, target, keeping);
  await addInputs(
    servers.flatMap(server => server.inputs),
    target,
    keeping,
  );
  const added = Object.fromEntries(servers.map(({ name, entry }) => [name, entry]));
  await changeServers(target, keeping, before => ({ ...before, ...added }));
}

/** The entry of a server as written in these settings; `undefined` when they do not have it. */
export function entryIn(target: SettingsTarget, name: string): JsonObject | undefined {
  const servers = valueIn(Setting.servers, target);
  const entry = isJsonObject(servers) && Object.hasOwn(servers, name) ? servers[name] : undefined;
  return isJsonObject(entry) ? entry : undefined;
}

/**
 * Changes the definition of one server, if these settings have it.
 *
 * @throws {HumanError} when the settings can't be written.
 */
export async function changeServer(
  name: string,
  target: SettingsTarget,
  keeping: ServerKeeping,
  change: (entry: JsonObject) => JsonObject,
): Promise<void> {
  await changeServers(target, keeping, servers => {
    const entry = servers[name];
    return isJsonObject(entry) ? { ...servers, [name]: change(entry) } : servers;
  });
}

/**
 * Changes the servers of these settings.
 *
 * @throws {HumanError} when the settings can't be written.
 */
export async function changeServers(
  target: SettingsTarget,
  { editorFolder }: ServerKeeping,
  change: (servers: JsonObject) => JsonObject,
): Promise<void> {
  const changed = (before: unknown) => {
    const after = change(isJsonObject(before) ? before : {});
    return Object.keys(after).length > 0 ? after : undefined;
  };
  await update(Setting.servers, target, editorFolder, changed);
}

/**
 * Adds inputs to these settings, except inputs that some settings already have.
 *
 * @throws {HumanError} when the settings can't be written.
 */
export async function addInputs(
  inputs: readonly InputEntry[],
  target: SettingsTarget,
  keeping: ServerKeeping,
): Promise<void> {
  const known = existingSettings().inputs;
  const ids = new Set(known.map(input => (isJsonObject(input) ? input['id'] : undefined)));
  const added = new Map(inputs.filter(({ id }) => !ids.has(id)).map(input => [input.id, input]));
  await changeInputs(target, keeping, before => [...before, ...added.values()]);
}

/**
 * Changes the inputs of these settings.
 *
 * @throws {HumanError} when the settings can't be written.
 */
export async function changeInputs(
  target: SettingsTarget,
  { editorFolder }: ServerKeeping,
  change: (inputs: readonly unknown[]) => readonly unknown[],
): Promise<void> {
  const changed = (before: unknown) => {
    const after = change(Array.isArray(before) ? before : []);
    return after.length > 0 ? after : undefined;
  };
  await update(Setting.inputs, target, editorFolder, changed);
}

/** Stores the secrets of servers under the identities that the servers will have. */
export async function keepAll(
  servers: readonly ServerDraft[],
  from: SettingsTarget,
  { secrets, identities }: ServerKeeping,
): Promise<void> {
  for (const { name, entry, kept } of servers) {
    const [read] = readServerSettings({ [name]: entry }, surroundings()).servers;
    if (!read) {
      continue; // Only for the compiler: the entry could be read before.
    }
    const definition = { ...read, from };
    await identities.refresh([definition]);
    const identity = identityOf(identities.fieldsOf(definition));
    for (const { inputId, value } of kept) {
      await secrets.of({ definition, identity }).set(inputSecret(inputId), value);
    }
  }
}

async function update(
  id: string,
  target: SettingsTarget,
  editorFolder: string,
  change: (before: unknown) => unknown,
): Promise<void> {
  const before = valueIn(id, target);
  const value = change(before);
  if (isSameJson(before, value)) {
    return;
  }
  const file = await settingsFile(target, editorFolder);
  const text = file?.document.getText();
  const { Global, Workspace } = vscode.ConfigurationTarget;
  try {
    await configuration().update(id, value, target === 'user' ? Global : Workspace);
  } catch (error) {
    // The error is in the editor's words. It may say, for example, that the file is broken.
    const reason = messageOf(error);
    throw new HumanError('The settings could not be written: {0}', printable(reason));
  }
  if (file && text !== undefined) {
    const wanted = withValueAt(text, [...file.under, id], before, value);
    await (wanted !== undefined && rewrite(file.document, wanted));
  }
}

/**
 * The editor writes a setting as a whole, without its comments. This function restores the format
 * and the comments of the file, unless its content has changed meanwhile.
 */
async function rewrite(document: vscode.TextDocument, wanted: string): Promise<void> {
  const written = document.getText();
  if (written !== wanted && isSameText(written, wanted)) {
    const edit = new vscode.WorkspaceEdit();
    const end = document.positionAt(written.length);
    edit.replace(document.uri, new vscode.Range(document.positionAt(0), end), wanted);
    await vscode.workspace.applyEdit(edit);
    await saved(document);
  }
}

/**
 * Saves a document. The editor refuses while it saves the document itself, so this tries again. In
 * a browser, the editor saves every changed file itself.
 *
 * @throws {HumanError} when the editor refuses for too long.
 */
async function saved(document: vscode.TextDocument): Promise<void> {
  for (let tries = 1; !(await document.save()); tries += 1) {
    if (tries === mostSaves) {
      throw new HumanError('The settings were changed, but not saved yet. Save their file.');
    }
    await setTimeout(saveDelay);
  }
}

const mostSaves = 50;

/** Milliseconds between two attempts to save. */
const saveDelay = 100;

/**
 * The file of these settings, and the keys in it that lead to them; `undefined` if the file is
 * unknown. Before a change, compare its content, because another profile has another file.
 */
async function settingsFile(target: SettingsTarget, editorFolder: string) {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  if (target === 'user') {
    const { path } = vscode.Uri.file(join(editorFolder, 'settings.json'));
    // A local window opens this file with this scheme. With a second scheme, the editor would have
    // two documents for one file, and would tell extensions about changes of neither.
    return opened(vscode.Uri.from({ scheme: 'vscode-userdata', path }), []);
  }
  if (workspaceFile) {
    return workspaceFile.scheme === 'file' ? opened(workspaceFile, ['settings']) : undefined;
  }
  const [folder] = workspaceFolders;
  return folder && opened(vscode.Uri.joinPath(folder.uri, '.vscode', 'settings.json'), []);
}

/**
 * The editor's own document of a file. It is opened, so that the editor's next write starts from
 * the latest content. `undefined`: the file does not exist yet, or is on another machine.
 */
async function opened(uri: vscode.Uri, under: readonly string[]) {
  try {
    return { document: await vscode.workspace.openTextDocument(uri), under };
  } catch {
    return undefined;
  }
}

function valueIn(id: string, target: SettingsTarget): unknown {
  const { globalValue, workspaceValue } = configuration().inspect<unknown>(id) ?? {};
  return target === 'user' ? globalValue : workspaceValue;
}

function configuration(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration();
}

/** A line that offers settings to write to. */
export interface TargetItem extends vscode.QuickPickItem {
  readonly value: SettingsTarget;
}

/** The settings that can be written in this window. */
export function targetItems(): TargetItem[] {
  const user: TargetItem = {
    value: 'user',
    label: t('User'),
    detail: t('In your own settings, for every window.'),
  };
  const workspace: TargetItem = {
    value: 'workspace',
    label: t('Workspace'),
    detail: t('In the settings of this workspace, which you may share with others.'),
  };
  const { workspaceFolders = [], workspaceFile } = vscode.workspace;
  const hasWorkspace = workspaceFile !== undefined || workspaceFolders.length > 0;
  return hasWorkspace ? [user, workspace] : [user];
}
