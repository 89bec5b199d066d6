import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { inEnglish } from '../../../src/domain/sentence.ts';
import { Sandbox } from '../../../src/mcp/sandbox/sandbox.ts';
import { sandboxHere } from '../../support/sandbox/bubblewrap.ts';
import { tempFolder } from '../../support/temp.ts';
import { testOwner } from '../../support/testOwner.ts';
import { said } from '../../support/texts.ts';

const { skip } = await sandboxHere();

describe('the ways out of the sandbox', { skip }, () => {
  it('are tried once, and again when they change', async t => {
    const base = tempFolder(t);
    const [attacker, state] = [join(base, 'attacker.sh'), join(base, 'state')];
    const proofs = () =>
      ['', ...readdirSync(join(state, 'proofs'))].map(name => {
        const { mode, mtimeMs } = statSync(join(state, 'proofs', name));
        return [mode & 0o777, mtimeMs];
      });
    writeFileSync(attacker, `echo '{"direct": ""}'`);
    assert.equal(await problem(newSandbox(t, attacker, state)), '');
    const first = proofs();
    assert.deepEqual(
      first.map(([mode]) => mode),
      [0o700, 0o600],
    );
    assert.equal(await problem(newSandbox(t, attacker, state)), '');
    assert.deepEqual(proofs(), first);
    writeFileSync(attacker, `echo '{"direct": "answered"}'`);
    assert.match(await problem(newSandbox(t, attacker, state)), /^sandbox\.leaky\(direct,/);
    assert.deepEqual(proofs(), first);
  });

  it('are reported as not tried when the trial has no place', async t => {
    const folder = tempFolder(t);
    const long = join(folder, 'l'.repeat(100));
    mkdirSync(long);
    for (const [temporary, reason] of [
      [join(folder, 'missing'), /^sandbox\.asHumanError\(ENOENT/],
      // No path of a socket fits in.
      [long, /^sandbox\.asHumanError\(listen EINVAL/],
    ] as const) {
      const sandbox = newSandbox(t, join(folder, 'attacker.sh'), join(folder, 'state'));
      const before = tmpdir();
      process.env['TMPDIR'] = temporary;
      const why = await problem(sandbox);
      process.env['TMPDIR'] = before;
      assert.match(why, reason);
    }
    assert.deepEqual(readdirSync(long), []);
  });
});

/** A sandbox that tries the ways out of this program. */
function newSandbox(t: TestContext, attacker: string, state: string): Sandbox {
  const program = { command: '/bin/sh', args: [attacker], env: { PATH: '/usr/bin:/bin' } };
  return new Sandbox(program, state, testOwner(t));
}

/** Why nothing can be kept in it; empty: it holds. */
async function problem(sandbox: Sandbox): Promise<string> {
  const found = await sandbox.problem();
  return found ? said(inEnglish(found)) : '';
}
