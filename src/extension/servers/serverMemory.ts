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
  readonly grants: GrantStore;
  readonly records: ServerRecords;
  readonly secrets: ServerSecrets;
}

export type MemoryOwner = Pick<Server, 'definition' | 'identity' | 'fields'>;

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
 * Has all that is kept of a server in this workspace be of another one that is the same. In other
 * workspaces the user is asked about the other one as about a new server.
 *
 * Its secrets are with both then: those of the one that goes are to be forgotten when that is sure.
 *
 * @param to the id of the other.
 */
export async function moveMemory(
  server: MemoryOwner,
  to: string,
  { grants, records, secrets }: ServerMemory,
): Promise<void> {
  const { definition, identity } = server;
  const { id: from } = definition;
  const owner = { serverId: from, identity };
  for (const name of await secrets.namesOf(owner)) {
    await secrets.of({ serverId: to, identity }).set(name, await secrets.of(owner).get(name));
  }
  await grants.change(all => movedGrants(all, from, to, grant => isOn(server, grant)));
  await records.move(from, to);
}

/** True if a grant is on this server: workspace and user may each have one of that name. */
export function isOn({ definition, fields }: MemoryOwner, grant: Grant): boolean {
  return definition.from === 'user'
    ? !isOfWorkspace(grant.fields)
    : grant.fields['origin'] === fields['origin'];
}
