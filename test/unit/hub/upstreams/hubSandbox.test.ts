import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ProofFile } from '../../../../src/hub/upstreams/hubSandbox.ts';
import { onlyOn } from '../../../support/systems.ts';
import { tempFolder } from '../../../support/temp.ts';

test('what was proven once is known to every hub of the user, the last ten times', t => {
  const folder = join(tempFolder(t), 'mcp-roots');
  const file = join(folder, 'proofs.json');
  assert.equal(new ProofFile(file).has('a'), false);
  for (const proof of 'abcdefghijk') {
    new ProofFile(file).add(proof);
  }
  const proofs = new ProofFile(file);
  assert.deepEqual(
    [...'abk'].map(proof => proofs.has(proof)),
    [false, true, true],
  );
  assert.deepEqual(readdirSync(folder), ['proofs.json']);
});

test('what was proven is closed to other users', {
  skip: onlyOn('posix', 'Windows has no modes'),
}, t => {
  const folder = join(tempFolder(t), 'mcp-roots');
  const file = join(folder, 'proofs.json');
  new ProofFile(file).add('a');
  assert.deepEqual(
    [folder, file].map(path => statSync(path).mode & 0o777),
    [0o700, 0o600],
  );
});

test('a file of something else proves nothing, and is written anew', t => {
  const file = join(tempFolder(t), 'proofs.json');
  for (const junk of ['', '{', '"a"', '{"a": true}', '[["a"], 1]']) {
    writeFileSync(file, junk);
    const proofs = new ProofFile(file);
    assert.equal(proofs.has('a'), false, junk);
    proofs.add('a');
    assert.equal(readFileSync(file, 'utf8'), '["a"]');
  }
});

test('a file that can’t be written is done without', t => {
  const file = join(tempFolder(t), 'file');
  writeFileSync(file, '');
  const proofs = new ProofFile(join(file, 'proofs.json'));
  proofs.add('a');
  assert.equal(proofs.has('a'), false);
});
