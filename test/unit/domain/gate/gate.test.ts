import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientFacts } from '../../../../src/domain/gate/asked.ts';
import {
  type Asking,
  judge,
  judgeUse,
  whyRefused,
  withoutRefused,
} from '../../../../src/domain/gate/gate.ts';
import { inEnglish } from '../../../../src/domain/sentence.ts';
import { thisMachine } from '../../../../src/hub/guard/thisMachine.ts';
import { foundAsExpected } from '../../../support/cases.ts';
import { guardedTree } from '../../../support/guardRules.ts';
import { accessOf, publishable } from '../../../support/publishing.ts';
import { said } from '../../../support/texts.ts';

const server = publishable('files');
const unusable = publishable('files', { access: accessOf('denied') });
const client = (isAllowed: boolean | undefined, isWithdrawn = false): ClientFacts => {
  return { name: 'codex', isAllowed, isWithdrawn };
};

function outcome(verdict: ReturnType<typeof judge>): string {
  return verdict.kind === 'refused' ? said(inEnglish(verdict.why)) : verdict.kind;
}

test('lets handshakes and lists of every client pass, and treats the rest as a use', () => {
  const stranger = { server: unusable, client: client(false) };
  const free = (method: string, params = {}) =>
    judge({ method, params, ...stranger }).kind === 'free';
  const listen = (notifications: object, others = {}) =>
    free('subscriptions/listen', { notifications, ...others, _meta: {} });
  foundAsExpected({
    handshake: [free('initialize'), true],
    discovery: [free('server/discover'), true],
    tools: [free('tools/list', { cursor: 'x' }), true],
    templates: [free('resources/templates/list'), true],
    ping: [free('ping'), true],
    'log level': [free('logging/setLevel', { level: 'info' }), true],
    'changes of lists': [listen({ toolsListChanged: true, promptsListChanged: true }), true],
    'changes of a resource': [listen({ resourceSubscriptions: ['file:///a'] }), false],
    'changes with more': [listen({ toolsListChanged: true }, { uri: 'file:///a' }), false],
    'an answer in a list': [free('tools/list', { inputResponses: {} }), false],
    'an answer in other letters': [free('tools/list', { InputResponses: {} }), false],
    call: [free('tools/call', { name: 'x' }), false],
    resource: [free('resources/read'), false],
    subscription: [free('resources/subscribe'), false],
    completion: [free('completion/complete'), false],
    'of the future': [free('tasks/list'), false],
  });
});

test('a use passes if the server can be used and the client is allowed', () => {
  const use = (asking: Asking) => outcome(judgeUse(asking));
  foundAsExpected({
    allowed: [use({ server, client: client(true) }), 'passes'],
    'the window itself': [use({ server }), 'passes'],
    'not asked': [use({ server, client: client(undefined) }), 'asks'],
    refused: [use({ server, client: client(false) }), 'clientAllowed.refusalOf.2(codex, files)'],
    withdrawn: [use({ server, client: client(false, true) }), 'clientAllowed.refusalOf(files)'],
    'nobody is asked about what can not be used': [
      use({ server: unusable, client: client(undefined) }),
      'serverUsable.reasons.refused(files)',
    ],
  });
  equal(whyRefused({ server, client: client(undefined) }), undefined);
});

test('shows in a list what the client may use', () => {
  const result = { tools: [{ name: 'a' }, { name: 'b' }], nextCursor: '2' };
  equal(withoutRefused('tools/list', result, { server, client: client(undefined) }), result);
  deepEqual(withoutRefused('tools/list', result, { server, client: client(false) }), {
    tools: [],
    nextCursor: '2',
  });
  const lists = {
    'prompts/list': { prompts: [{ name: 'a' }] },
    'resources/list': { resources: [{ uri: 'file:///a' }] },
  };
  for (const [method, result] of Object.entries(lists)) {
    const [hidden] = Object.values(
      withoutRefused(method, result, { server, client: client(false) }),
    );
    deepEqual(hidden, [], method);
  }
  const handshake = { serverInfo: { name: 'files' } };
  equal(withoutRefused('initialize', handshake, { client: client(false) }), handshake);
  const odd = { tools: 'none' };
  equal(withoutRefused('tools/list', odd, { client: client(false) }), odd);
});

test('checks the arguments of a guarded call against the roots', t => {
  const { root, scope, rules } = guardedTree(t, { 'root/a': '', out: '' }, {});
  const guard = {
    ...{ file: 'hub.json', server: 'files', rules, scope, bases: [root] },
    machine: thisMachine,
  };
  const call = (path: string, method = 'tools/call') =>
    judge({ method, params: { name: 'read', arguments: { path } }, guard });
  deepEqual(call('a'), { kind: 'passes', paths: [`${root}/a`] });
  const refused = call('../out');
  equal(refused.kind === 'refused' && refused.path, root.replace(/root$/, 'out'));
  deepEqual(call('../out', 'prompts/get'), { kind: 'passes' });
});
