import { type Grant, movedGrants } from '../../domain/consent/grants.ts';
import { isOfWorkspace } from '../../domain/servers/serverIdentity.ts';
import { changeElsewhere } from '../consent/grantStore.ts';
import { movedChoices } from '../consent/serverChoices.ts';
import type { Server } from '../servers/server.ts';
import { markSeen, noteMove, pendingMoves, type ServerMemory } from '../servers/serverMemory.ts';

/**
 * Has all that was answered on a server be on another one, or forgets it: here, and in other workspaces
 * as soon as they are opened.
 *
 * @param to the id of the other; `undefined`: there is no such server any more.
 */
export async function moveAnswers(
  { definition, fields }: Pick<Server, 'definition' | 'fields'>,
  to: string | undefined,
  memory: ServerMemory,
): Promise<void> {
  const { id: from } = definition;
  if (definition.from === 'workspace') {
    // The user may have a server of that name, too, in every other workspace.
    const isOwn = (grant: Grant) => grant.fields['origin'] === fields['origin'];
    await moveHere(from, to, isOwn, memory);
    return;
  }
  const isOwn = (grant: Grant) => !isOfWorkspace(grant.fields);
  await noteMove(memory.state, from, to);
  await moveHere(from, to, isOwn, memory);
  await changeElsewhere(memory.state, grants => movedGrants(grants, from, to, isOwn));
}

/** Has what is kept in this workspace follow what became of servers while other windows were open. */
export async function followMoves(memory: ServerMemory): Promise<void> {
  const moves = pendingMoves(memory.state);
  await markSeen(memory.state, moves);
  for (const { from, to, at } of moves) {
    // What holds in all workspaces was moved at once, by the window in which it was done.
    const isOwn = ({ scope, at: answeredAt, fields }: Grant) =>
      scope !== 'always' && answeredAt <= at && !isOfWorkspace(fields);
    await moveHere(from, to, isOwn, memory);
  }
}

async function moveHere(
  from: string,
  to: string | undefined,
  isOwn: (grant: Grant) => boolean,
  { grants, choices, clientAnswers, offered, lastCalls }: ServerMemory,
): Promise<void> {
  await grants.change(all => movedGrants(all, from, to, isOwn));
  await Promise.all(choices.map(one => one.change(all => movedChoices(all, from, to))));
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
