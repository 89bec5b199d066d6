import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { codeOf } from '../../base/messageOf.ts';
import { type IdentityFields, identityOf } from '../../domain/servers/serverIdentity.ts';
import { ServerSecrets } from '../secrets/serverSecrets.ts';
import * as vscode from '../vscode.ts';
import { type KnownServer, type RecordState, ServerRecords } from './serverRecords.ts';

/** All that is kept about servers by their ids, besides their definitions and their logs. */
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
  // One global state serves all hosts, and `file:///workspace` is another folder on each.
  const { remoteName } = vscode.env;
  const host = remoteName ? `${remoteName}:${hostname()}` : '';
  const profiles = commonState(globalStorageUri.fsPath);
  const state = { workspace, global, profiles, host, workspaceId: workspaceIdOf(extension) };
  const records = store.add(new ServerRecords(state, logger));
  return { records, secrets: new ServerSecrets(secrets, records) };
}

/** The same in each window of a workspace, and in those of no other one. */
function workspaceIdOf({ storageUri, workspaceState }: vscode.ExtensionContext): string {
  const { workspaceFile, workspaceFolders } = vscode.workspace;
  const uri = `${workspaceFile ?? workspaceFolders?.[0]?.uri}`;
  if (storageUri) {
    // The editor's own id has few bits, and gets a number in the second window that is open.
    const id = basename(dirname(storageUri.path)).replace(/(?<=.)-\d$/, '');
    const all = JSON.stringify([vscode.env.remoteName, id, uri]);
    return createHash('sha256').update(all).digest('hex').slice(0, 32);
  }
  // Without a folder open, only the state tells one workspace from another.
  const id = workspaceState.get('id', randomUUID());
  void workspaceState.update('id', id);
  return id;
}

/** Values in files of a folder that all profiles of the editor on this machine have in common. */
export function commonState(folder: string): RecordState['profiles'] {
  const pathOf = (key: string) => join(folder, `${key}.json`);
  let last = { text: '', value: null };
  return {
    /** The same object for as long as the file is the same; `null`: it can't be read. */
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
 * Has all that is kept of a server in this workspace be of another one that is the same. In other
 * workspaces the user is asked about the other one as about a new server.
 *
 * @param to the id of the other.
 * @param rename makes the other one of it, which is allowed what this one was at once.
 * @throws what `rename` throws; all about the server is as it was then.
 */
export async function moveMemory(
  server: KnownServer,
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
 * Has all that was answered on a server and given to it hold for what the user agreed to make of it.
 *
 * @param change makes that of it.
 * @throws what `change` throws; the server has what it had then.
 */
export async function carryOver(
  server: KnownServer,
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
