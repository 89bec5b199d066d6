import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withEditorProxy } from '../../../../src/domain/servers/proxies.ts';

const url = 'http://proxy.example:3128';
const exceptions = ['localhost', '.example'];

test("the editor's proxy stands in where the environment names none", () => {
  assert.deepEqual(withEditorProxy({ PATH: '/bin', HTTP_PROXY: undefined }, { url, exceptions }), {
    PATH: '/bin',
    HTTP_PROXY: url,
    HTTPS_PROXY: url,
    NO_PROXY: 'localhost,.example',
  });
  assert.deepEqual(withEditorProxy({}, { url, exceptions: [] }), {
    HTTP_PROXY: url,
    HTTPS_PROXY: url,
  });
});

test('what the environment says of proxies, in whichever case, is not changed', () => {
  for (const name of ['HTTP_PROXY', 'https_proxy', 'All_Proxy']) {
    const own = { [name]: 'http://other.example' };
    assert.deepEqual(withEditorProxy(own, { url, exceptions }), own);
  }
  const own = { no_proxy: 'other.example' };
  assert.deepEqual(withEditorProxy(own, { url, exceptions }), {
    ...own,
    HTTP_PROXY: url,
    HTTPS_PROXY: url,
  });
});

test('without a proxy of the editor nothing is added, not even its exceptions', () => {
  assert.deepEqual(withEditorProxy({ PATH: '/bin' }, { url: '', exceptions }), { PATH: '/bin' });
});
