import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
    { times: hasty },
  );
}

const homemade = fileURLToPath(new URL('../../support/homemadeServer.ts', import.meta.url));

test('a server that reads all it sees is found to, and the sandbox to keep it', {
  skip,
}, async t => {
  const { check } = sandboxedCheck(t, homemade, 'reads-everything');
  const { reading, sandbox } = findingsOf(await check.run());
  assert.deepEqual(
    { reading, sandbox },
    {
      reading: {
        tool: 'read',
        outside: 'served',
        added: 'served',
        withdrawn: 'served',
        emptied: 'served',
      },
      sandbox: { beyond: 'refused', missed: [] },
    },
  );
});

test('our own server is found to be the same in the sandbox as without', { skip }, async t => {
  const { check } = sandboxedCheck(t, serverMain);
  const { reading, sandbox, asksAgain } = findingsOf(await check.run());
  assert.deepEqual(
    { reading, sandbox, asksAgain },
    {
      reading: {
        tool: 'read-file',
        outside: 'refused',
        added: 'served',
        withdrawn: 'refused',
        emptied: 'refused',
      },
      sandbox: { beyond: 'refused', missed: [] },
      asksAgain: true,
    },
  );
});

test('what a server needs and does not see is told of, though it ends', { skip }, async t => {
  const folder = mkdtempSync(join(tmpdir(), 'needed-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const needed = join(folder, 'settings.json');
  writeFileSync(needed, '{}');
  const { check } = sandboxedCheck(t, '-e', `fs.readFileSync('${needed}')`);
  const outcome = await check.run();
  assert.equal(outcome.kind, 'failed');
  assert.deepEqual('missed' in outcome && outcome.missed, [needed]);
});
