import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decisionsOn } from '../../../src/domain/activity.ts';

function folder(name: string) {
  return { uri: `file:///proj/${name}`, name };
}

const [api, web, docs, lib, old] = [
  folder('api'),
  folder('web'),
  folder('docs'),
  folder('lib'),
  folder('old'),
];

test('an answer on folders is one decision for all that it allows, refuses and takes away', () => {
  const allowed = new Set([api.uri, web.uri, lib.uri]);
  const readOnly = new Set([lib.uri, docs.uri]);
  assert.deepEqual(decisionsOn([api, docs, web, lib, old], allowed, readOnly, [api, old]), [
    { decision: 'allowed', folders: ['api', 'web'] },
    { decision: 'allowed-read-only', folders: ['lib'] },
    { decision: 'denied', folders: ['docs'] },
    { decision: 'withdrawn', folders: ['old'] },
  ]);
});

test('an answer on no folder decides nothing', () => {
  assert.deepEqual(decisionsOn([], new Set([api.uri]), new Set(), [api]), []);
});
