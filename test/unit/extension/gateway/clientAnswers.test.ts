import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ClientAnswers } from '../../../../src/extension/gateway/clientAnswers.ts';

function answersIn(stored?: unknown) {
  const values = new Map<string, unknown>([['clientAnswers', stored]]);
  return new ClientAnswers({
    get: (key: string) => values.get(key),
    update: async (key: string, value: unknown) => void values.set(key, value),
  } as ConstructorParameters<typeof ClientAnswers>[0]);
}

const one = { identity: 'a1', definition: { id: 'setting:one' } };
const changed = { ...one, identity: 'b2' };
const twin = { ...one, definition: { id: 'setting:twin' } };

describe('the answers on clients', () => {
  it('allow a server as it is, and refuse it whatever it becomes', async () => {
    const answers = answersIn();
    await answers.set('codex', one, true, 'workspace');
    await answers.set('zed', one, false, 'workspace');
    const found = [one, changed].map(server =>
      ['codex', 'zed', 'x'].map(n => answers.of(n, server)),
    );
    assert.deepEqual(found, [
      [true, false, undefined],
      [undefined, false, undefined],
    ]);
  });

  it('take the place of earlier ones, and can be forgotten', async () => {
    const answers = answersIn();
    await answers.set('codex', one, true, 'session');
    await answers.set('codex', one, false, 'workspace');
    assert.equal(answers.of('codex', one), false);
    await answers.set('codex', one, undefined, 'workspace');
    assert.deepEqual(answers.on(one), []);
  });

  it('are withdrawn from servers where they allow something', async () => {
    const answers = answersIn();
    await answers.set('codex', one, true, 'session');
    await answers.set('claude-code', changed, true, 'workspace');
    await answers.set('zed', one, false, 'workspace');
    await answers.set('codex', twin, true, 'workspace');
    await answers.revoke(['setting:one']);
    assert.deepEqual(answers.allowedServers, ['setting:twin']);
    assert.deepEqual(
      [one, changed].flatMap(server => answers.on(server).map(({ client }) => client)),
      ['zed', 'zed'],
    );
  });

  it('are none where what is stored cannot be read', () => {
    for (const stored of [null, 'x', [4], [{ client: 'codex', isAllowed: true }]]) {
      assert.equal(answersIn(stored).of('codex', one), undefined);
    }
  });
});
