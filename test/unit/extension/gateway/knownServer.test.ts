import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { KnownServer } from '../../../../src/extension/gateway/knownServer.ts';
import { turnsOfTheLoop } from '../../../support/turns.ts';

test('remembers an error for a minute and a missing list for good, from one request', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let asked = 0;
  const locked = { code: -32603, message: 'The database is locked.' };
  const problems = new Map<string, typeof locked | undefined>();
  problems.set('tools/list', locked).set('prompts/list', undefined);
  const discover = async () => {
    asked += 1;
    return problems;
  };
  const wire = new KnownServer({ snapshot: () => undefined, discover }).wire(() => {});
  const errors: unknown[] = [];
  wire.take = message => errors.push('error' in message && message.error) > 0;
  const ask = async (method: string) => {
    await wire.send({ jsonrpc: '2.0', id: 1, method });
    await turnsOfTheLoop();
    return errors.pop();
  };
  const none = { code: -32601, message: 'Method not found' };
  for (let count = 0; count < 2; count++) {
    deepEqual(await ask('tools/list'), problems.get('tools/list'));
    deepEqual(await ask('prompts/list'), none);
  }
  equal(asked, 1);
  problems.clear();
  t.mock.timers.tick(60_000);
  deepEqual([await ask('tools/list'), await ask('prompts/list')], [none, none]);
  equal(asked, 2, 'It was asked for the list anew.');
});
