import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decisionsOn } from '../../../src/domain/activity.ts';
import { diskFolder, type Folder } from '../../../src/domain/folders/folders.ts';

function folder(name: string, parent = '/proj') {
  return diskFolder(`${parent}/${name}`, name, 'directory', 'linux');
}

/** The folders that a server could see until the answer. */
function access(visible: readonly Folder[], ...others: readonly Folder[]) {
  const folders = [...visible, ...others].map(folder => ({ folder, notes: [], root: folder }));
  return { roots: visible, folders };
}

const [api, web, docs, lib, old] = [
  folder('api'),
  folder('web'),
  folder('docs'),
  folder('lib'),
  folder('old'),
];

test('an answer on folders is one entry for everything allowed, denied and revoked', () => {
  const allowed = new Set([api.uri, web.uri, lib.uri]);
  const readOnly = new Set([lib.uri, docs.uri]);
  assert.deepEqual(decisionsOn([api, docs, web, lib, old], allowed, readOnly, access([api, old])), [
    { decision: 'allowed', folders: ['api', 'web'] },
    { decision: 'allowed-read-only', folders: ['lib'] },
    { decision: 'denied', folders: ['docs'] },
    { decision: 'withdrawn', folders: ['old'] },
  ]);
});

test('an answer tells folders of the same name apart', () => {
  const [one, other] = [folder('src', '/proj/one'), folder('src', '/proj/other')];
  assert.deepEqual(decisionsOn([one], new Set([one.uri]), new Set(), access([], one, other)), [
    { decision: 'allowed', folders: ['src (one)'] },
  ]);
});
