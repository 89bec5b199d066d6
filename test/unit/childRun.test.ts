import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { processStart } from '../../src/mcp/stdio/processStart.ts';
import { ChildRun, type RunParts } from '../../src/server/hub/children/childRun.ts';
import type { ClientBundle } from '../../src/server/hub/children/clientBundle.ts';
import { EmptyFolder } from '../../src/server/hub/children/emptyFolder.ts';
import { ProcessPlaces } from '../../src/server/hub/children/processPlaces.ts';
import { hubServer, nobody, rootsOf } from '../support/childSets.ts';
import { stdioLaunch } from '../support/launches.ts';
import { patience } from '../support/patience.ts';
import { testOwner } from '../support/testOwner.ts';

interface Start {
  readonly args: readonly string[];
  readonly cwd: string;
}

/** A connection that notes how it is started, and runs at once. */
function noting(starts: Start[]) {
  const nothing = { dispose() {} };
  class ServerConnection {
    state: object = { kind: 'stopped' };
    onDidStartProcess = () => nothing;
    onDidChangeState = () => nothing;
    setRoots = () => {};
    stop = async () => {};
    async start({ args, cwd }: Start): Promise<void> {
      starts.push({ args, cwd });
      this.state = { kind: 'running', era: 'legacy' };
    }
  }
  class Supervisor {
    plan = { kind: 'none' };
    onDidChange = () => nothing;
    forget = () => {};
    dispose = () => {};
  }
  return { ServerConnection, Supervisor, processStart } as unknown as ClientBundle;
}

test('a server is started with the roots of now, whatever they were when it waited for a place', async t => {
  const starts: Start[] = [];
  let makeRoom = () => {};
  const room = new Promise<void>(resolve => {
    makeRoom = resolve;
  });
  const places = new ProcessPlaces(1, () => room);
  const other = {};
  await places.take(other);
  const parts: RunParts = {
    places,
    owner: () => testOwner(t),
    emptyFolder: new EmptyFolder(),
    loadClient: async () => noting(starts),
    clientInfo: { name: 'test-hub', version: '1' },
    logger: { error: error => assert.fail(error) },
  };
  const [one, two] = rootsOf(t, 'one', 'two');
  assert.ok(one && two);
  const launch = stdioLaunch({ command: process.execPath, args: ['${roots}'] });
  const server = hubServer('told', launch, { rootsAs: ['args'] });
  const run = new ChildRun({ server, roots: [one], relay: nobody, lookAgain() {} }, parts);
  run.begin();
  await setImmediate();
  run.setRoots([two]);
  await setImmediate();
  places.leave(other);
  makeRoom();
  await run.settled(AbortSignal.timeout(patience));
  assert.deepEqual(starts, [{ args: [two.real], cwd: two.real }]);
});
