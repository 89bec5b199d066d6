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

/** Everything that is stored about servers by id, except definitions and logs. */
export interface ServerMemory {
  readonly records: ServerRecords;
  readonly secrets: ServerSecrets;
}

/** The memory of this window. It is in the state and the secret storage of the editor. */
export function serverMemory(
  extension: vscode.ExtensionContext,
  store: DisposableStore,
  logger: Logger,
): ServerMemory {
  const { workspaceState: workspace, globalState: global, globalStorageUri, secrets } = extension;
  // The local host and remote hosts share this state, but `file:///workspace` differs on each.
  const { remoteName } = vscode.env;
  const host = remoteName ? `${remoteName}:${hostname()}` : '';
  const profiles = commonState(globalStorageUri.fsPath);
  const state = { workspace, global, profiles, host, workspaceId: workspaceIdOf(extension) };
  const records = store.add(new ServerRecords(state, logger));
  return { records, secrets: new ServerSecrets(secrets, records) };
}

/** Returns the same id in all windows of a workspace. Each workspace has its own id. */
function workspaceIdOf({ storageUri, workspaceState }: vscode.ExtensionContext): string {
  const { workspaceFile, workspaceFolders } = vscode.workspace;
  const uri = `${workspaceFile ?? workspaceFolders?.[0]?.uri}`;
  if (storageUri) {
    // The id is short, so the URI is hashed, too. The editor adds a number in a second window.
    const id = basename(dirname(storageUri.path)).replace(/(?<=.)-\d$/, '');
    const all = JSON.stringify([vscode.env.remoteName, id, uri]);
    return createHash('sha256').update(all).digest('hex').slice(0, 32);
  }
  // If no folder is open, only the state distinguishes workspaces.
  const id = workspaceState.get('id', randomUUID());
  void workspaceState.update('id', id);
  return id;
}

/** Values in files of a folder. All profiles of the editor on this machine share the folder. */
export function commonState(folder: string): RecordState['profiles'] {
  const pathOf = (key: string) => join(folder, `${key}.json`);
  let last = { text: '', value: null };
  return {
    /** Returns the same object for an unchanged file. `undefined`: no file. `null`: unreadable. */
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
 * Moves the records and secrets of a server in this workspace to its new id. In other workspaces,
 * the renamed server is new, so the user is asked about it there.
 *
 * @param to the new id.
 * @param rename renames the server. When called, the new id already has the permissions.
 * @throws what `rename` throws. In this case, nothing has moved.
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
 * Copies a server's answers, and moves its secrets, to a new definition that the user agreed to.
 *
 * @param change makes the change.
 * @throws what `change` throws. In this case, no secret has moved, and the copied answers stay.
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
