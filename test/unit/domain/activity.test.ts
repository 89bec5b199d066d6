import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decisionsOn } from '../../../src/domain/activity.ts';

function folder(name: string) {
  return { uri: `file:///proj/${name}`, name };
}

const [api, web, docs, old] = [folder('api'), folder('web'), folder('docs'), folder('old')];

test('an answer on folders is one decision for all that it allows, refuses and takes away', () => {
  const allowed = new Set([api.uri, web.uri]);
  assert.deepEqual(decisionsOn([api, docs, web, old], allowed, [api, old]), [
    { decision: 'allowed', folders: ['api', 'web'] },
    { decision: 'denied', folders: ['docs'] },
    { decision: 'withdrawn', folders: ['old'] },
  ]);
});

test('an answer on no folder decides nothing', () => {
  assert.deepEqual(decisionsOn([], new Set([api.uri]), [api]), []);
});
