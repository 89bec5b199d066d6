import assert from 'node:assert/strict';
import { test } from 'node:test';
import { elicitationOf } from '../../../../src/domain/elicitation/elicitation.ts';

function pageOf(url: unknown): unknown {
  const elicitation = elicitationOf({ mode: 'url', message: 'Sign in', url });
  return elicitation.kind === 'page' ? elicitation.page : elicitation.kind;
}

test('without a mode it is a form, and its message is printable and bounded', () => {
  const schema = { type: 'object', properties: {} };
  const params = { message: `a\nb${'c'.repeat(5000)}`, requestedSchema: schema };
  const { message, ...form } = elicitationOf(params) as { readonly message: string };
  assert.deepEqual(form, { kind: 'form', schema });
  assert.ok(message.startsWith('a\\u000ab') && message.length < 1100);
});

test('a page is shown by what is opened, with the host that the network knows', () => {
  assert.deepEqual(pageOf('https://ex\u0430mple.com/\u202ea?q= b'), {
    url: 'https://xn--exmple-4nf.com/%E2%80%AEa?q=%20b',
    host: 'xn--exmple-4nf.com',
  });
  assert.deepEqual(pageOf('https://good.com@evil.com/'), {
    url: 'https://good.com@evil.com/',
    host: 'evil.com',
  });
});

test('only pages that nobody on the way can change are opened', () => {
  const wrong = ['http://a.com', 'javascript:1', 'file:///a', 'vscode://a', 'a', 5, undefined];
  assert.deepEqual(
    wrong.map(pageOf),
    wrong.map(() => 'invalid'),
  );
  const local = ['http://localhost:8080/', 'http://127.0.0.1/', 'http://[::1]:1/'];
  assert.deepEqual(
    local.map(url => (pageOf(url) as { readonly url: string }).url),
    local,
  );
  assert.equal(pageOf('http://localhost.evil.com'), 'invalid');
});

test('what is no form, or of an unknown mode, is asked of nobody', () => {
  const nested = { properties: { a: { type: 'object' } } };
  const many = Array.from({ length: 51 }, (_, index) => [`f${index}`, { type: 'string' }]);
  const wrong = [
    { message: 'a', requestedSchema: nested },
    { message: 'a', requestedSchema: { properties: Object.fromEntries(many) } },
    { message: 'a' },
    { message: 'a', requestedSchema: true },
    { message: 'a', mode: 'telepathy' },
  ];
  assert.deepEqual(
    wrong.map(params => elicitationOf(params).kind),
    wrong.map(() => 'invalid'),
  );
});
