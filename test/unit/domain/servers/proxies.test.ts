import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withEditorProxy } from '../../../../src/domain/servers/proxies.ts';

const url = 'http://proxy.example:3128';
const both = { HTTP_PROXY: url, HTTPS_PROXY: url };
const exceptions = ['localhost', '.example'];

test("takes the editor's proxy when the environment names none", () => {
  const own = { PATH: '/bin', HTTP_PROXY: undefined };
  const all = { ...own, ...both, NO_PROXY: 'localhost,.example' };
  assert.deepEqual(withEditorProxy(own, { url, exceptions }), all);
  assert.deepEqual(withEditorProxy({}, { url, exceptions: [] }), both);
});

test('keeps proxies of the environment in any letter case', () => {
  for (const name of ['HTTP_PROXY', 'https_proxy', 'All_Proxy']) {
    const own = { [name]: 'http://other.example' };
    assert.deepEqual(withEditorProxy(own, { url, exceptions }), own);
  }
  const own = { no_proxy: 'other.example' };
  assert.deepEqual(withEditorProxy(own, { url, exceptions }), { ...own, ...both });
});

test('adds nothing without a proxy of the editor, not even its exceptions', () => {
  assert.deepEqual(withEditorProxy({ PATH: '/bin' }, { url: '', exceptions }), { PATH: '/bin' });
});
