import { type Grant, movedGrants } from '../../domain/consent/grants.ts';
import { isOfWorkspace } from '../../domain/servers/serverIdentity.ts';
import { movedChoices } from '../consent/serverChoices.ts';
import type { Server } from '../servers/server.ts';
import type { ServerMemory } from '../servers/serverMemory.ts';

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
  { grants, offers, clientAnswers, offered, lastCalls }: ServerMemory,
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
  await offers.change(all => movedChoices(all, from, to));
  await clientAnswers.change(answer => {
    const moved = to === undefined ? [] : [{ ...answer, serverId: to }];
    return answer.serverId === from ? moved : [answer];
  });
  const paths = offered.of(from);
  await (to !== undefined && offered.add(to, paths));
  for (const path of paths) {
    await offered.remove(from, path);
  }
  await lastCalls.move(from, to);
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
