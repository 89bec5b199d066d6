import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sentence } from '../../src/domain/sentence.ts';
import { serverMain } from '../support/bundledServer.ts';
import { startService } from '../support/httpService.ts';
import {
  findingsOf,
  inFirstFolder,
  type ObservedCheck,
  rootsCheck,
} from '../support/rootsCheck.ts';

/** The bundled server asks inside its calls and keeps to each list. */
async function isFoundToBeOurs({ check }: ObservedCheck): Promise<void> {
  const { called, firstAsked, ...findings } = findingsOf(await check.run());
  assert.ok(called.includes('read-file'), called.join());
  assert.deepEqual(firstAsked, sentence('in a call of {0}', called[0]!));
  assert.deepEqual(findings, {
    era: 'modern',
    protocolVersion: '2026-07-28',
    asksAgain: true,
    outside: false,
    added: true,
    withdrawn: false,
  });
}

test('our own server is found to ask inside its calls and to keep to each list', t =>
  isFoundToBeOurs(rootsCheck(t, inFirstFolder(serverMain))));

test('our own server over HTTP is found to be the same', async t => {
  const { url } = await startService(t);
  await isFoundToBeOurs(rootsCheck(t, () => ({ url, headers: {} })));
});
