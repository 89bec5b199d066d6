import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { Grant } from '../../../src/domain/consent/grants.ts';
import { GrantStore } from '../../../src/extension/consent/grantStore.ts';
import { StoredState } from '../support/storedState.ts';

describe('stored answers', () => {
  const stores: GrantStore[] = [];
  afterEach(() => stores.splice(0).forEach(store => void store.dispose()));

  const answerOn = (serverId: string): Grant => ({
    serverId,
    identity: 'id',
    fields: {},
    folder: 'file:///api',
    decision: 'allowed',
    scope: 'workspace',
    at: 1000,
  });
  const [files, git] = [answerOn('files'), answerOn('git')];

  function open(global: vscode.Memento, errors: string[] = []) {
    const workspace = new StoredState({ grants: { version: 1, grants: [files, git] } });
    const ignore = () => {};
    const error = (problem: string | Error) => void errors.push(String(problem));
    const logger = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error };
    const store = new GrantStore({ workspace, global, host: '' }, logger);
    stores.push(store);
    return store;
  }

  it('that were allowed before the record of revocations was lost never hold again', async () => {
    const global = new StoredState({ revocations: 'garbage' });
    const errors: string[] = [];
    const store = open(global, errors);
    assert.deepEqual(store.all, []);
    assert.deepEqual(errors, [
      'Stored revocations could not be read. All that was allowed is revoked.',
    ]);
    assert.equal(global.get('revocations.unreadable'), 'garbage');
    await store.revoke(['files']);
    assert.deepEqual(store.all, []);
    assert.deepEqual(open(global).all, [], 'nor in another workspace');
    await store.record([git]);
    const held = store.all.map(({ serverId }) => serverId);
    assert.deepEqual(held, ['git'], 'a new answer does');
  });
});
