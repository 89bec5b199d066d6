import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import {
  createGate,
  hostNameOf,
  isLoopback,
  isWildcard,
  listenProblem,
} from '../../../../src/server/http/gate.ts';

const url = '/mcp';
const authorization = 'Bearer secret';

test('it answers to the host it was told to listen on, whatever the port, and to this machine', () => {
  const gate = createGate({ host: 'Files.example', port: 3000, token: 'secret' });
  const statuses = (hosts: readonly string[]) =>
    hosts.map(host => gate({ url, headers: { host, authorization } })?.status);
  const own = ['files.example', 'files.example:3000', 'FILES.EXAMPLE:1', 'localhost', '[::1]:3000'];
  deepEqual(
    statuses(own),
    own.map(() => undefined),
  );
  const foreign = ['', 'example', 'files.example.', 'x.files.example', 'files.example@evil', ':'];
  deepEqual(
    statuses(foreign),
    foreign.map(() => 403),
  );
});

test('an origin needs the name of this machine or of the host, in any scheme', () => {
  const gate = createGate({ host: '127.0.0.1', port: 3000 });
  const statuses = (origins: readonly string[]) =>
    origins.map(origin => gate({ url, headers: { host: '127.0.0.1', origin } })?.status);
  const own = ['http://localhost', 'https://localhost:3', 'http://127.0.0.1:3000', 'http://[::1]'];
  deepEqual(
    statuses(own),
    own.map(() => undefined),
  );
  const foreign = [
    'null',
    'http://evil.example',
    'http://localhost.evil',
    'file://',
    'x',
    'http://a, http://localhost',
  ];
  deepEqual(
    statuses(foreign),
    foreign.map(() => 403),
  );
});

test('a request without a Host header is refused', () => {
  equal(createGate({ host: '127.0.0.1', port: 3000 })({ url, headers: {} })?.status, 403);
});

const port = 3000;

test('only programs on this machine reach a loopback address', () => {
  const loopback = ['127.0.0.1', '127.1.2.3', 'localhost', 'LOCALHOST', '::1', '0:0:0:0:0:0:0:1'];
  deepEqual(loopback.filter(isLoopback), loopback);
  const others = ['0.0.0.0', '::', '192.0.2.1', 'localhost.example', '127.0.0.1.example', '::2'];
  deepEqual(others.filter(isLoopback), []);
});

test('an address is known in whatever way it is written', () => {
  deepEqual(['127.1', '0x7f000001', '2130706433'].map(hostNameOf), Array(3).fill('127.0.0.1'));
  deepEqual(['0', '0.0.0.0', '::', '0::0'].map(isWildcard), [true, true, true, true]);
  equal(isWildcard('127.0.0.1'), false);
  equal(hostNameOf('FE80::1'), '[fe80::1]');
});

test('without a token, other machines must not reach it', () => {
  equal(listenProblem({ host: '127.0.0.1', port }), undefined);
  for (const host of ['0.0.0.0', '::', '192.0.2.1', 'files.example', '::ffff:127.0.0.1']) {
    match(listenProblem({ host, port }) ?? '', /a token is required/);
    equal(listenProblem({ host, port, token: 'secret' }), undefined);
  }
});

test('a token that no header can bring is refused, and not repeated', () => {
  for (const token of ['', ' secret', 'sec ret', 'sécret', 'secret\n']) {
    const problem = listenProblem({ host: '127.0.0.1', port, token });
    equal(problem, 'The token must be printable ASCII characters without spaces.');
  }
});

test('what is no host is refused', () => {
  for (const host of ['', 'a b', 'a/b', 'user@host', 'host:1', '[::1]', '%31', 'a\\b', 'x#y']) {
    match(listenProblem({ host, port, token: 'secret' }) ?? '', /is no host to listen on/);
  }
});
