import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { ServerEntry } from '../../../domain/adding/convertServer.ts';
import type { InputEntry, KeptValue } from '../../../domain/adding/importedInputs.ts';
import { isJsonObject, type JsonObject } from '../../../domain/json.ts';
import { printable } from '../../../domain/printable.ts';
import { HumanError } from '../../../domain/sentence.ts';
import { identityOf } from '../../../domain/servers/serverIdentity.ts';
import type { Surroundings } from '../../../domain/settings/definitionVariables.ts';
import { readServerSettings } from '../../../domain/settings/serverSettings.ts';
import { foldersOnDisk } from '../../folders/foldersOnDisk.ts';
import { Setting } from '../../ids.ts';
import { inputSecret, type ServerSecrets } from '../../secrets/serverSecrets.ts';
import type { ServerIdentities } from '../../servers/serverIdentities.ts';

/** A server to be written, with its inputs and secrets. */
interface NewServer {
  readonly name: string;
  readonly entry: ServerEntry;
  readonly inputs: readonly InputEntry[];
  readonly kept: readonly KeptValue[];
}

/** The secret storage, and the identities that secrets are kept for. */
export interface SecretKeeping {
  readonly secrets: ServerSecrets;
  readonly identities: ServerIdentities;
}

/** Which settings are written. */
export type SettingsTarget = 'user' | 'workspace';

/** The servers and inputs that the settings hold, in all their scopes. */
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
 * Adds servers to the settings and their secrets to the secret storage. Nothing that is in the
 * settings changes.
 *
 * @throws {HumanError} when a name was taken meanwhile, or the settings can't be written.
 */
export async function writeServers(
  servers: readonly NewServer[],
  target: SettingsTarget,
  keeping: SecretKeeping,
): Promise<void> {
  const existing = existingSettings();
  const taken = servers.find(({ name }) => Object.hasOwn(existing.servers, name));
  if (taken) {
    throw new HumanError(
      'There is a server "{0}" by now. Nothing was changed.',
      printable(taken.name),
    );
  }
  const ids = new Set(
    existing.inputs.map(input => (isJsonObject(input) ? input['id'] : undefined)),
  );
  const inputs = servers.flatMap(server => server.inputs).filter(({ id }) => !ids.has(id));
  const unique = [...new Map(inputs.map(input => [input.id, input])).values()];
  // The server comes last: whatever happens, a server that can be started is complete.
  await keepAll(servers, target, keeping);
  if (unique.length > 0) {
    await update(Setting.inputs, target, before => [
      ...(Array.isArray(before) ? before : []),
      ...unique,
    ]);
  }
  const added = Object.fromEntries(servers.map(({ name, entry }) => [name, entry]));
  await update(Setting.servers, target, before => ({
    ...(isJsonObject(before) ? before : {}),
    ...added,
  }));
}

/**
 * Changes the definition of one server, if it stands in these settings.
 *
 * @throws {HumanError} when the settings can't be written.
 */
export async function changeServer(
  name: string,
  target: SettingsTarget,
  change: (entry: JsonObject) => JsonObject,
): Promise<void> {
  await update(Setting.servers, target, before => {
    const entry = isJsonObject(before) ? before[name] : undefined;
    return isJsonObject(before) && isJsonObject(entry)
      ? { ...before, [name]: change(entry) }
      : before;
  });
}

async function keepAll(
  servers: readonly NewServer[],
  from: SettingsTarget,
  { secrets, identities }: SecretKeeping,
): Promise<void> {
  for (const { name, entry, kept } of servers) {
    const [read] = readServerSettings({ [name]: entry }, surroundings()).servers;
    if (!read) {
      continue; // It was read before, so that this is for the compiler.
    }
    const definition = { ...read, from };
    await identities.refresh([definition]);
    const identity = identityOf(identities.fieldsOf(definition));
    for (const { inputId, value } of kept) {
      const owner = { serverId: definition.id, identity };
      await secrets.of(owner).set(inputSecret(inputId), value);
    }
  }
}

async function update(
  id: string,
  target: SettingsTarget,
  change: (before: unknown) => unknown,
): Promise<void> {
  const { globalValue, workspaceValue } = configuration().inspect<unknown>(id) ?? {};
  const isUser = target === 'user';
  const { Global, Workspace } = vscode.ConfigurationTarget;
  try {
    const value = change(isUser ? globalValue : workspaceValue);
    await configuration().update(id, value, isUser ? Global : Workspace);
  } catch (error) {
    // The editor says in its own words why, for example that the file is broken.
    const reason = error instanceof Error ? error.message : String(error);
    throw new HumanError('The settings could not be written: {0}', printable(reason));
  }
}

function configuration(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration();
}

/** The folders that variables in a definition refer to in this window. */
function surroundings(): Surroundings {
  return { folders: foldersOnDisk(), userHome: homedir() };
}

/** One kind of settings to pick. */
export interface TargetItem extends vscode.QuickPickItem {
  readonly value: SettingsTarget;
}

/** The settings that can be written in this window, the usual ones first. */
export function targetItems(usual: SettingsTarget): TargetItem[] {
  const user: TargetItem = {
    value: 'user',
    label: vscode.l10n.t('User'),
    detail: vscode.l10n.t('In your own settings, for every window.'),
  };
  if (!hasWorkspace()) {
    return [user];
  }
  const workspace: TargetItem = {
    value: 'workspace',
    label: vscode.l10n.t('Workspace'),
    detail: vscode.l10n.t('In the settings of this workspace, which others may share.'),
  };
  return usual === 'user' ? [user, workspace] : [workspace, user];
}

function hasWorkspace(): boolean {
  const { workspaceFolders, workspaceFile } = vscode.workspace;
  return workspaceFile !== undefined || (workspaceFolders?.length ?? 0) > 0;
}
