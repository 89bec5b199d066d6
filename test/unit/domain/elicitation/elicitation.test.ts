import assert from 'node:assert/strict';
import { test } from 'node:test';
import { elicitationOf } from '../../../../src/domain/elicitation/elicitation.ts';

function pageOf(url: unknown): unknown {
  const elicitation = elicitationOf({ mode: 'url', message: 'Sign in', url });
  return elicitation.kind === 'page' ? elicitation.page : elicitation.kind;
}

test('a question without a mode is a form with a printable, limited message', () => {
  const schema = { type: 'object', properties: {} };
  const params = { message: `a\nb${'c'.repeat(5000)}`, requestedSchema: schema };
  const { message, ...form } = elicitationOf(params) as { readonly message: string };
  assert.deepEqual(form, { kind: 'form', schema });
  assert.ok(message.startsWith('a\\u000ab') && message.length < 1100);
});

test('a page shows the address that opens, with the host that the network knows', () => {
  const host = 'xn--exmple-4nf.com';
  const url = `https://${host}/%E2%80%AEa?q=%20b`;
  assert.deepEqual(pageOf('https://ex\u0430mple.com/\u202ea?q= b'), { url, host });
  const other = { url: 'https://good.com@evil.com/', host: 'evil.com' };
  assert.deepEqual(pageOf(other.url), other);
});

test('opens only pages that no one on the way can change', () => {
  const schemes = ['http://a.com', 'javascript:1', 'file:///a', 'vscode://a'];
  for (const wrong of [...schemes, 'http://localhost.evil.com', 'a', 5, undefined]) {
    assert.equal(pageOf(wrong), 'invalid');
  }
  for (const url of ['http://localhost:8080/', 'http://127.0.0.1/', 'http://[::1]:1/']) {
    assert.equal((pageOf(url) as { readonly url: string }).url, url);
  }
});

test('refuses a question that is not a form or has an unknown mode', () => {
  const nested = { properties: { a: { type: 'object' } } };
  const many = Array.from({ length: 51 }, (_, index) => [`f${index}`, { type: 'string' }]);
  const schemas = [nested, { properties: Object.fromEntries(many) }, undefined, true];
  const wrong = [...schemas.map(requestedSchema => ({ requestedSchema })), { mode: 'telepathy' }];
  for (const params of wrong) {
    assert.equal(elicitationOf({ message: 'a', ...params }).kind, 'invalid');
  }
});
