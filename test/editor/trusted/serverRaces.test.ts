import assert from 'node:assert/strict';
import type { Server } from '../../../src/extension/servers/server.ts';
import { OwnServer } from '../support/ownServer.ts';
import { personForEachTest } from '../support/person.ts';
import { answerRow, becomes, startWith } from '../support/shownRows.ts';

describe('a server between two processes', () => {
  const person = personForEachTest();

  /** Its end takes two seconds, in which much can happen. */
  async function startSlow(own: OwnServer, ...folders: string[]): Promise<Server> {
    const asArguments = { rootsAs: 'args', args: ['--dir=${roots}'] };
    await own.defineAs(asArguments, { isStubborn: true });
    return startWith(person(), own.name, ...folders);
  }

  it('does not start again when it was stopped meanwhile', async () => {
    const own = new OwnServer('halted');
    const server = await startSlow(own, 'api');
    const restarted = server.restart('by-hand');
    await server.stop();
    await restarted;
    assert.equal(server.state.kind, 'stopped');
    assert.equal(own.launches.length, 1);
  });

  it('does not start again when its last folder was taken away meanwhile', async () => {
    const own = new OwnServer('starved');
    const server = await startSlow(own, 'api');
    const restarted = server.restart('by-hand');
    await answerRow(server, 'api', false);
    await restarted;
    await becomes(server, ({ isStoppedForLackOfRoots }) => isStoppedForLackOfRoots);
    assert.equal(own.launches.length, 1);
  });

  it('is started once for all who ask for it, and runs when they are told so', async () => {
    const own = new OwnServer('wanted');
    const server = await startSlow(own, 'api');
    const asked = [
      server.restart('by-itself'),
      server.start('by-hand'),
      server.restart('by-itself'),
      server.start('by-hand'),
    ];
    const states = await Promise.all(asked);
    assert.deepEqual(new Set(states.map(({ kind }) => kind)), new Set(['running']));
    assert.equal(own.launches.length, 2);
    await server.stop();
  });
});
