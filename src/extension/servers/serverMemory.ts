import { hostname } from 'node:os';
import type { DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { type Grant, movedGrants } from '../../domain/consent/grants.ts';
import { isOfWorkspace } from '../../domain/servers/serverIdentity.ts';
import type { Shown } from '../../domain/shown.ts';
import { GrantStore } from '../consent/grantStore.ts';
import { ServerSecrets } from '../secrets/serverSecrets.ts';
import { t } from '../text.ts';
import * as vscode from '../vscode.ts';
import type { Server } from './server.ts';
import { type RecordKind, ServerRecords } from './serverRecords.ts';

/** All that is kept about servers by their ids, besides their definitions and their logs. */
export interface ServerMemory {
  readonly grants: GrantStore;
  readonly records: ServerRecords;
  readonly secrets: ServerSecrets;
}

type MemoryOwner = Pick<Server, 'definition' | 'identity' | 'fields'>;

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

/** Something that is kept of a server and goes with it. */
export interface Kept {
  /** `false`: there is none, as far as can be seen from this workspace. */
  readonly words: Shown | false;
  readonly forget: () => Promise<unknown>;
}

/**
 * All that the memory holds of a server. What one of the user's was allowed and given is forgotten in
 * every workspace, the rest in this one.
 */
export async function keptOf(
  server: MemoryOwner,
  { grants, records, secrets }: ServerMemory,
): Promise<readonly Kept[]> {
  const { definition, identity } = server;
  const { id, from } = definition;
  const isOfUser = from === 'user';
  const isOwn = (grant: Grant) => grant.serverId === id && isOn(server, grant);
  const names = await secrets.namesOf({ serverId: id, identity });
  const ofKind = (kind: RecordKind, words: Shown): Kept => ({
    words: records.of(kind, id).length > 0 && words,
    forget: () => records.forget(kind, id),
  });
  // By kind, so that the compiler misses what is left out.
  const kept: Readonly<Record<'grants' | RecordKind, Kept>> = {
    grants: {
      // Answers of other workspaces can't be looked up from here.
      words: isOfUser
        ? t('Your answers on what it may see, in all workspaces')
        : grants.all.some(isOwn) && t('Your answers on what it may see'),
      forget: async () => {
        await grants.change(all => all.filter(grant => !isOwn(grant)));
        await (isOfUser && grants.revoke([id]));
      },
    },
    client: ofKind('client', t('Your answers on the clients that use it')),
    offer: ofKind('offer', t('Whether it is offered to agents')),
    folder: ofKind('folder', t('Which folders you offered to it')),
    secrets: {
      words: names.length > 0 && t('What you entered for it, and what it was signed in with'),
      forget: () => secrets.forget(id, isOfUser ? undefined : identity),
    },
    calls: ofKind('calls', t('The last calls that you made of its tools')),
  };
  return Object.values(kept);
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
function isOn({ definition, fields }: MemoryOwner, grant: Grant): boolean {
  return definition.from === 'user'
    ? !isOfWorkspace(grant.fields)
    : grant.fields['origin'] === fields['origin'];
}
