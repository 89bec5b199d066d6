import { hostname } from 'node:os';
import type { DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { type Grant, movedGrants } from '../../domain/consent/grants.ts';
import { isOfWorkspace } from '../../domain/servers/serverIdentity.ts';
import { GrantStore } from '../consent/grantStore.ts';
import { ServerSecrets } from '../secrets/serverSecrets.ts';
import * as vscode from '../vscode.ts';
import type { Server } from './server.ts';
import { ServerRecords } from './serverRecords.ts';

/** All that is kept about servers by their ids, besides their definitions and their logs. */
export interface ServerMemory {
  /** The answers on folders. */
  readonly grants: GrantStore;
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
  const records = store.add(new ServerRecords(workspaceState));
  return {
    grants: store.add(new GrantStore(state, logger)),
    records,
    secrets: new ServerSecrets(secrets, records),
  };
}

/**
 * Has all that was answered on a server in this workspace be on another one, or forgets it. In other
 * workspaces the user is asked about the other one as about a new server, and what they allowed a
 * server of the user's that is gone does not count there any more.
 *
 * @param to the id of the other; `undefined`: there is no such server any more.
 */
export async function moveAnswers(
  { definition, fields }: Pick<Server, 'definition' | 'fields'>,
  to: string | undefined,
  { grants, records }: ServerMemory,
): Promise<void> {
  const { id: from } = definition;
  const isOfUser = definition.from !== 'workspace';
  // The workspace and the user may have servers of one name.
  const isOwn = (grant: Grant) =>
    isOfUser ? !isOfWorkspace(grant.fields) : grant.fields['origin'] === fields['origin'];
  await grants.change(all => movedGrants(all, from, to, isOwn));
  if (isOfUser && to === undefined) {
    await grants.revoke([from]);
  }
  await records.move(from, to);
}

/** Copies the secrets of a server to another one that is the same. */
export async function copySecrets(
  { definition, identity }: Pick<Server, 'definition' | 'identity'>,
  to: string,
  { secrets }: ServerMemory,
): Promise<void> {
  const owner = { serverId: definition.id, identity };
  for (const name of await secrets.namesOf(owner)) {
    await secrets.of({ serverId: to, identity }).set(name, await secrets.of(owner).get(name));
  }
}
