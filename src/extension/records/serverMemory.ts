import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { codeOf } from '../../base/messageOf.ts';
import { type IdentityFields, identityOf } from '../../domain/servers/serverIdentity.ts';
import * as vscode from '../vscode.ts';
import { type RecordedServer, type RecordState, ServerRecords } from './serverRecords.ts';
import { ServerSecrets } from './serverSecrets.ts';

/** Everything that is kept about servers by their ids, besides their definitions and logs. */
export interface ServerMemory {
  readonly records: ServerRecords;
  readonly secrets: ServerSecrets;
}

/** The memory of this window, in the state and the secret storage that the editor keeps for us. */
export function serverMemory(
  extension: vscode.ExtensionContext,
  store: DisposableStore,
  logger: Logger,
): ServerMemory {
  const { workspaceState: workspace, globalState: global, globalStorageUri, secrets } = extension;
  // All hosts share the global state, but `file:///workspace` is another folder on each.
  const { remoteName } = vscode.env;
  const host = remoteName ? `${remoteName}:${hostname()}` : '';
  const profiles = commonState(globalStorageUri.fsPath);
  const state = { workspace, global, profiles, host, workspaceId: workspaceIdOf(extension) };
  const records = store.add(new ServerRecords(state, logger));
  return { records, secrets: new ServerSecrets(secrets, records) };
}

/** The same in every window of a workspace, and different in each other workspace. */
function workspaceIdOf({ storageUri, workspaceState }: vscode.ExtensionContext): string {
  const { workspaceFile, workspaceFolders } = vscode.workspace;
  const uri = `${workspaceFile ?? workspaceFolders?.[0]?.uri}`;
  if (storageUri) {
    // The editor's own id has few bits, and gets a number in a second open window.
    const id = basename(dirname(storageUri.path)).replace(/(?<=.)-\d$/, '');
    const all = JSON.stringify([vscode.env.remoteName, id, uri]);
    return createHash('sha256').update(all).digest('hex').slice(0, 32);
  }
  // Without an open folder, only the state tells workspaces apart.
  const id = workspaceState.get('id', randomUUID());
  void workspaceState.update('id', id);
  return id;
}

/** Values in files of a folder that all profiles of the editor on this machine share. */
export function commonState(folder: string): RecordState['profiles'] {
  const pathOf = (key: string) => join(folder, `${key}.json`);
  let last = { text: '', value: null };
  return {
    /** The same object while the file is unchanged. `null`: the file can't be read. */
    get<T>(key: string) {
      try {
        const text = readFileSync(pathOf(key), 'utf8');
        last = text === last.text ? last : { text, value: JSON.parse(text) };
        return last.value as T;
      } catch (error) {
        return codeOf(error) === 'ENOENT' ? undefined : (null as T);
      }
    },
    async update(key, value) {
      const draft = pathOf(`${key}.${process.pid}`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(draft, JSON.stringify(value), { mode: 0o600 });
      renameSync(draft, pathOf(key));
    },
  };
}

/**
 * Moves the records and secrets of a server in this workspace to its new id. In other workspaces, the user is
 * asked about the renamed server as about a new one.
 *
 * @param to the new id.
 * @param rename renames the server, which has its permissions by then.
 * @throws what `rename` throws; nothing has moved then.
 */
export async function moveMemory(
  server: RecordedServer,
  to: string,
  { records, secrets }: ServerMemory,
  rename: () => Promise<void>,
): Promise<void> {
  const renamed = { ...server, definition: { ...server.definition, id: to } };
  await secrets.move(server, renamed, async () => {
    try {
      await records.copy(server, renamed);
      await rename();
    } catch (error) {
      await records.forget(renamed, false);
      throw error;
    }
  });
  await records.forget(server, false);
}

/**
 * Carries answers and secrets of a server over to a change of its definition that the user agreed to.
 *
 * @param change makes the change.
 * @throws what `change` throws; nothing has moved then.
 */
export async function carryOver(
  server: RecordedServer,
  fields: IdentityFields,
  { records, secrets }: ServerMemory,
  change: () => Promise<void>,
): Promise<void> {
  const changed = { ...server, fields, identity: identityOf(fields) };
  await secrets.move(server, changed, async () => {
    await records.carryOver(server, changed);
    await change();
  });
}
