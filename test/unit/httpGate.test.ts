import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { createGate } from '../../src/server/http/gate.ts';

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
