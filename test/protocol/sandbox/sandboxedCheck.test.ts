import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sandboxedStart } from '../../../src/mcp/sandbox/sandboxedStart.ts';
import { serverMain } from '../../support/bundledServer.ts';
import { programStart } from '../../support/recordingServer.ts';
import { findingsOf, hasty, rootsCheck } from '../../support/rootsCheck.ts';
import { sandboxHere } from '../../support/sandbox/bubblewrap.ts';
import { mountedRoot } from '../../support/sandbox/sandboxedServer.ts';

const here = await sandboxHere();
const { tool } = here as { tool: Extract<typeof here, { skip: false }>['tool'] };
const { skip } = here;

/** A check of a program in the sandbox, which shows the folders that it is told of sooner or later. */
function sandboxedCheck(t: TestContext, program: string, ...args: string[]) {
  const terms = { read: [], network: true };
  return rootsCheck(
    t,
    ([first], later) =>
      sandboxedStart(
        programStart(first!, program, ...args),
        { terms: { ...terms, write: [later] }, roots: [mountedRoot(first!)] },
        tool,
      ),
    hasty,
  );
}

const homemade = fileURLToPath(new URL('../../support/homemadeServer.ts', import.meta.url));

test('what a server does with its roots is seen in its sandbox, too', { skip }, async t => {
  const { check } = sandboxedCheck(t, homemade, 'reads-everything');
  const { outside, added, withdrawn } = findingsOf(await check.run());
  assert.deepEqual([outside, added, withdrawn], [true, true, true]);
});

test('our own server is found to be the same in the sandbox as without', { skip }, async t => {
  const { check } = sandboxedCheck(t, serverMain);
  const { outside, added, withdrawn, asksAgain } = findingsOf(await check.run());
  assert.deepEqual([outside, added, withdrawn, asksAgain], [false, true, false, true]);
});
