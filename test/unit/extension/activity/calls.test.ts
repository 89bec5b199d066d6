import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Called } from '../../../../src/domain/activity.ts';
import { Calls } from '../../../../src/extension/activity/calls.ts';
import type { Use } from '../../../../src/mcp/life/managedServer.ts';
import { turnsOfTheLoop } from '../../../support/turns.ts';

const about = { at: 1000, serverId: 'setting:files', serverLabel: 'files', client: 'codex' };

function use(name: string, response: Awaited<Use['ended']>, method = 'tools/call'): Use {
  const params = { name, arguments: { path: '/secret' } };
  return { ...about, method, params, ended: Promise.resolve(response) };
}

test('counts the calls of each tool, with client and outcome, and without arguments', async t => {
  const calls = new Calls({ error: () => {} } as never);
  t.after(() => calls.dispose());
  t.mock.timers.enable({ apis: ['Date'], now: 1041 });
  for (const [name, response] of [
    ['read', { result: {} }],
    ['read', { result: {} }],
    ['read', { result: { isError: true } }],
    ['read', { error: { code: 1, message: 'no' } }],
    ['write', undefined],
  ] as const) {
    calls.note(use(name, response));
  }
  calls.note(use('read', { result: {} }, 'prompts/get'));
  await turnsOfTheLoop();
  const called = (tool: string, outcome: Called['outcome']) => {
    return { kind: 'called', ...about, tool, took: 41, outcome };
  };
  deepEqual(calls.log.all, [
    { ...called('read', 'answered'), count: 2 },
    { ...called('read', 'failed'), count: 2 },
    called('write', 'cancelled'),
  ]);
  const { count, last } = calls.of(about.serverId, 'read') ?? {};
  deepEqual([count, last?.outcome], [4, 'failed']);
  deepEqual(calls.of(about.serverId, 'other'), undefined);
});
