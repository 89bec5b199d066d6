import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { createHeadCheck, listenProblem } from '../../../../src/server/http/headCheck.ts';
import { said } from '../../../support/texts.ts';

const url = '/mcp';
const port = 3000;
const authorization = 'Bearer secret';

test('accepts its own host and names of this machine on any port', () => {
  const gate = createHeadCheck({ host: 'Files.example', port: 3000, token: 'secret' });
  const own = ['files.example', 'files.example:3000', 'FILES.EXAMPLE:1', 'localhost', '[::1]:3000'];
  const foreign = ['', 'example', 'files.example.', 'x.files.example', 'files.example@evil', ':'];
  for (const host of [...own, ...foreign]) {
    const status = gate({ url, headers: { host, authorization } })?.status;
    equal(status, own.includes(host) ? undefined : 403, host);
  }
});

test('a request can name a full address, and needs one host of this machine', () => {
  const gate = createHeadCheck({ host: '127.0.0.1', port: 3000 });
  const status = (url: string, host = 'localhost') => gate({ url, headers: { host } })?.status;
  const here = 'http://localhost';
  for (const [expected, urls] of [
    [undefined, [`${here}:3000/mcp`, 'HTTP://[::1]/mcp?a', '/mcp', '/mcp/', '/mcp?a']],
    [403, ['http://evil.example/mcp', 'http://localhost@evil.example/mcp']],
    [404, ['//mcp', '/MCP', here, `${here}/`, 'https://localhost/mcp']],
  ] as const) {
    for (const url of urls) {
      equal(status(url), expected, url);
    }
  }
  equal(status(`${here}:3000/mcp`, 'evil.example'), 403);
  equal(status('/mcp', 'localhost, localhost'), 400);
  equal(createHeadCheck({ host: '127.0.0.1', port })({ url, headers: {} })?.status, 403);
  const anywhere = createHeadCheck({ host: '0.0.0.0', port: 3000, token: 'secret' });
  for (const url of ['http://x@127.0.0.1:3000/mcp', 'http://:y@localhost/mcp', 'http://[/mcp']) {
    equal(anywhere({ url, headers: { host: 'localhost', authorization } })?.status, 400);
  }
  equal(status('http://x@127.0.0.1:3000/mcp'), 400);
});

test('an origin must name this machine or the host, in any scheme', () => {
  const gate = createHeadCheck({ host: '127.0.0.1', port: 3000 });
  const own = ['http://localhost', 'https://localhost:3', 'http://127.0.0.1:3000', 'http://[::1]'];
  const others = ['http://evil.example', 'http://localhost.evil', 'http://a, http://localhost'];
  for (const origin of [...own, ...others, 'null', 'file://', 'x']) {
    const status = gate({ url, headers: { host: '127.0.0.1', origin } })?.status;
    equal(status, own.includes(origin) ? undefined : 403, origin);
  }
});

test('without a token, other machines cannot reach it', () => {
  const loopback = ['127.0.0.1', '127.1.2.3', 'localhost', 'LOCALHOST', '::1', '0:0:0:0:0:0:0:1'];
  const spelled = ['127.1', '0x7f000001', '2130706433'];
  for (const host of [...loopback, ...spelled]) {
    equal(listenProblem({ host, port }), undefined);
  }
  const others = ['0.0.0.0', '::', '192.0.2.1', 'files.example', '::ffff:127.0.0.1', '::2'];
  for (const host of [...others, 'localhost.example', '127.0.0.1.example']) {
    equal(said(listenProblem({ host, port }) ?? ''), `headCheck.needsToken(${host})`);
    equal(listenProblem({ host, port, token: 'secret' }), undefined);
  }
});

test('all addresses of a machine accept any host name in any spelling', () => {
  const headers = { host: 'any.example', authorization };
  const status = (host: string) =>
    createHeadCheck({ host, port, token: 'secret' })({ url, headers });
  deepEqual(['0', '0.0.0.0', '::', '0::0'].map(status), Array(4).fill(undefined));
  equal(status('127.0.0.1')?.status, 403);
});

test('refuses a token that no header can carry, without showing it', () => {
  for (const token of ['', ' secret', 'sec ret', 'sécret', 'secret\n']) {
    const problem = listenProblem({ host: '127.0.0.1', port, token }) ?? '';
    equal(said(problem), 'headCheck.unsendableToken()');
  }
});

test('refuses to listen on what is not a host', () => {
  for (const host of ['', 'a b', 'a/b', 'user@host', 'host:1', '[::1]', '%31', 'a\\b', 'x#y']) {
    const problem = listenProblem({ host, port, token: 'secret' }) ?? '';
    equal(said(problem), `headCheck.listenProblem(${host})`);
  }
});
