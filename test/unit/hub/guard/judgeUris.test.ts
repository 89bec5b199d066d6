import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { guardedTree } from '../../../support/guardedTree.ts';

/** Behind a scheme that only its program knows, and without a host. */
const outside = [
  '../out/secret.txt',
  '%2e%2e/out/secret.txt',
  '..\\out\\secret.txt',
  '..',
  '/etc/hosts',
  '%2Fetc%2Fhosts',
  '~/.ssh',
  '/etc/x.db?mode=ro',
];

const inside = [
  'x/../in.txt',
  'in.txt',
  'insights',
  'a:b@host:80/c,d=/e?f=/g&h=../..#/i',
  'x y/{id}',
  // A host, for all that anybody can tell.
  'link/secret.txt',
  'x/../../out/secret.txt',
];

test('behind a scheme without a host a path has to be inside', t => {
  const refused = guardedTree(t);
  const forms = outside.flatMap(path => [
    { uri: `note://${path}` },
    { value: `My-Notes+x://${path}` },
    { command: `open 'note://${path}' --now` },
    { args: ['open', `--uri=note://${path}`] },
    { value: [{ deep: `"note://${path}"` }] },
  ]);
  deepEqual(refused(forms), forms);
  deepEqual(refused([{ db: 'sqlite:///:memory:' }, { url: 'unknown:///none' }]), []);
  deepEqual(refused(inside.map(path => ({ uri: `note://${path}` }))), []);
});

test('URLs of hosts stay what they are, however they climb', t => {
  const schemes = ['http', 'HTTPS', 'wss', 'ftp', 'git', 'git+ssh', 's3', 'redis', 'mongodb+srv'];
  const urls = schemes.flatMap(scheme => [
    ...inside.map(path => `${scheme}://${path}`),
    `${scheme}://link/../../x`,
    `${scheme}://link/secret.txt`,
  ]);
  const others = ['data:text/plain,a..b', 'mailto:a@b.org?subject=a/../b', 'urn:a:b..c'];
  const given = [...urls, ...others].flatMap(url => [{ url }, { value: url }, { path: url }]);
  deepEqual(guardedTree(t)(given), []);
});

test('in a list of lines each is looked at, and prose is not', t => {
  const lists = ['/etc/hosts', 'link', '..\\x\nhttps://b'].map(line => ({
    anything: `https://example.org/a?b=c\r\n${line}`,
  }));
  const prose = [
    { anything: 'https://example.org/a\nhttps://example.org/b\nin.txt' },
    { anything: 'https://example.org/a is a page,\n/users and /etc/hosts are routes' },
    { message: 'https://example.org/a\n/etc/hosts' },
  ];
  deepEqual(guardedTree(t)([...lists, ...prose]), lists);
});
