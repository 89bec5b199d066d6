import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { guardedTree } from '../support/guardedTree.ts';

/** Behind a scheme that only its program knows. */
const outside = [
  '../out/secret.txt',
  'x/../../out/secret.txt',
  '%2e%2e/out/secret.txt',
  'x/%252e%252e/%252e%252e/out/secret.txt',
  '..\\out\\secret.txt',
  '..',
  'link/secret.txt',
  'link',
  '%2Fout%2Fsecret.txt',
  '~/.ssh',
  '$HOME/.ssh',
  'C:/out/secret.txt',
  '../out/secret.txt?raw#1',
  'link?raw',
];

const inside = [
  'x/../in.txt',
  'in.txt',
  'insights',
  'a:b@host:80/c,d=/e?f=/g&h=../..#/i',
  'x y/{id}',
];

test('what a scheme of its own stands before is no path that leads outside', t => {
  const refused = guardedTree(t);
  const forms = outside.flatMap(path => [
    { uri: `note://${path}` },
    { value: `My-Notes+x://${path}` },
    { message: `note://${path}` },
    { command: `open note://${path} --now` },
    { args: ['open', `--uri=note://${path}`] },
    { value: [{ deep: `"note://${path}"` }] },
  ]);
  deepEqual(refused(forms), forms);
  const long = [
    { uri: `${'x'.repeat(60)}:///out/secret.txt` },
    { db: 'sqlite:///:memory:/../../x' },
  ];
  deepEqual(refused(long), long);
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
  const given = [...urls, ...others].flatMap(url => [{ url }, { value: url }]);
  deepEqual(guardedTree(t)(given), []);
});

test('behind a URL, the other lines of a list are looked at, and prose is not', t => {
  const lists = ['/out/secret.txt', 'link', '..\\x\nhttps://b'].map(line => ({
    anything: `https://example.org/a?b=c\r\n${line}`,
  }));
  const prose = [
    { anything: 'https://example.org/a\nhttps://example.org/b\nin.txt' },
    { anything: 'https://example.org/a is a page,\n/users and /out/secret.txt are routes' },
    { message: 'https://example.org/a\n/users' },
  ];
  deepEqual(guardedTree(t)([...lists, ...prose]), lists);
});
