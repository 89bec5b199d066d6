import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import {
  hostNameOf,
  isLoopback,
  isWildcard,
  listenProblem,
} from '../../src/server/http/listenAddress.ts';

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
