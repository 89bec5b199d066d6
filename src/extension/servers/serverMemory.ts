import { hostname } from 'node:os';
import type { DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { type IdentityFields, identityOf } from '../../domain/servers/serverIdentity.ts';
import { ServerSecrets } from '../secrets/serverSecrets.ts';
import * as vscode from '../vscode.ts';
import { type KnownServer, ServerRecords } from './serverRecords.ts';

/** All that is kept about servers by their ids, besides their definitions and their logs. */
export interface ServerMemory {
  readonly records: ServerRecords;
  readonly secrets: ServerSecrets;
}

/** The memory of this window, in the state and the secret storage that the editor keeps for us. */
export function serverMemory(
  { workspaceState, globalState, secrets }: vscode.ExtensionContext,
  store: DisposableStore,
  logger: Logger,
): ServerMemory {
  // One global state serves all hosts, and `file:///workspace` is another folder on each.
  const { remoteName } = vscode.env;
  const host = remoteName ? `${remoteName}:${hostname()}` : '';
  const state = { workspace: workspaceState, global: globalState, host };
  const records = store.add(new ServerRecords(state, logger));
  return { records, secrets: new ServerSecrets(secrets, records) };
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
      await records.move(server, renamed);
      await rename();
    } catch (error) {
      await records.move(renamed, server, true);
      throw error;
    }
  });
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
