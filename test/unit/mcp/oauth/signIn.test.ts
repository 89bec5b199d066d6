import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secureFetch } from '../../../../src/mcp/oauth/signIn.ts';

/** Which of the addresses a server may send us to. */
async function reached(server: string, addresses: readonly string[]): Promise<string[]> {
  const seen: string[] = [];
  const fetch = secureFetch(async url => {
    seen.push(String(url));
    return new Response();
  }, new URL(server));
  for (const address of addresses) {
    await fetch(address).catch((error: Error) => assert.equal(error.name, 'SignInError'));
  }
  return seen;
}

const safe = ['https://sign-in.example/token', 'https://10.0.0.1/token'];
const here = ['http://localhost:1/token', 'http://127.0.0.1:2/token', 'http://[::1]:3/token'];
const unsafe = [
  'http://sign-in.example/token',
  'http://localhost.example/token',
  'http://127.0.0.1.example/token',
  'ftp://127.0.0.1/token',
  'file:///token',
];

test('a server elsewhere can send us to https only, and to nothing that listens on this machine', async () => {
  const all = [...safe, ...here, ...unsafe];
  assert.deepEqual(await reached('https://mcp.example/mcp', all), safe);
  assert.deepEqual(await reached('http://localhost.example/mcp', all), safe);
});

test('a server on this machine can send us to others on it', async () => {
  const all = [...safe, ...here, ...unsafe];
  assert.deepEqual(await reached('http://localhost:8080/mcp', all), [...safe, ...here]);
});
