import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { inEnglish } from '../../../src/domain/sentence.ts';
import { type ProofMemory, Sandbox } from '../../../src/mcp/sandbox/sandbox.ts';
import { sandboxHere } from '../../support/sandbox/bubblewrap.ts';
import { tempFolder } from '../../support/temp.ts';
import { testOwner } from '../../support/testOwner.ts';

const { skip } = await sandboxHere();

describe('the ways out of the sandbox', { skip }, () => {
  it('are tried once, and again when they are others', async t => {
    const memory = new Set<string>();
    const attacker = join(tempFolder(t), 'attacker.sh');
    writeFileSync(attacker, `echo '{"direct": ""}'`);
    assert.equal(await problem(newSandbox(t, attacker, memory)), '');
    assert.equal(memory.size, 1);
    writeFileSync(attacker, `echo '{"direct": "answered"}'`);
    assert.match(await problem(newSandbox(t, attacker, memory)), /does not hold: .*\(direct\)/);
    assert.equal(memory.size, 1);
  });

  it('are said not to be tried where there is no place for the trial', async t => {
    const folder = tempFolder(t);
    const long = join(folder, 'l'.repeat(100));
    mkdirSync(long);
    for (const [temporary, reason] of [
      [join(folder, 'missing'), /could not be tried: ENOENT/],
      // No path of a socket fits in.
      [long, /could not be tried: listen EINVAL/],
    ] as const) {
      const sandbox = newSandbox(t, join(folder, 'attacker.sh'), new Set());
      const before = tmpdir();
      process.env['TMPDIR'] = temporary;
      const said = await problem(sandbox);
      process.env['TMPDIR'] = before;
      assert.match(said, reason);
    }
    assert.deepEqual(readdirSync(long), []);
  });
});

/** One that has the ways of this program tried. */
function newSandbox(t: TestContext, attacker: string, memory: ProofMemory): Sandbox {
  const program = { command: '/bin/sh', args: [attacker], env: { PATH: '/usr/bin:/bin' } };
  return new Sandbox(program, memory, { storage: tempFolder(t), owner: testOwner(t) });
}

/** Why nothing can be kept in it; empty: it holds. */
async function problem(sandbox: Sandbox): Promise<string> {
  const said = await sandbox.problem();
  return said ? inEnglish(said) : '';
}
