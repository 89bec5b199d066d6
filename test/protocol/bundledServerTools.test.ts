import { deepEqual, equal, match } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  connect,
  RawSession,
  refusedFor,
  rootOf,
  type TestClient,
  toolCall,
} from '../support/bundledServer.ts';
import { skipLinks, skipPipes } from '../support/systems.ts';
import { tempFolder, writeTree } from '../support/temp.ts';
import { said } from '../support/texts.ts';

test('the tools are listed, and called', async t => {
  const folder = tempFolder(t);
  writeTree(folder, { 'a.txt': 'a\n' });
  const client = await connect(t, 'SDK 2 (legacy)', { roots: [rootOf(folder)] });
  const names = (await client.listTools()).map(({ name }) => name);
  const all =
    'get-roots check-path read-file read-media list-directory find-files search-text file-info';
  deepEqual(names, all.split(' '));
  const path = rootOf(folder).uri.concat('/a.txt');
  equal((await client.call('read-file', { path })).content[0]?.text, 'a\n');
});

describe('the tools', { concurrency: true }, () => {
  const suite = { after: (clean: unknown) => after(clean as () => void) };
  const folder = tempFolder(suite);
  const root = join(folder, 'root');
  let client: TestClient;
  const call = (name: string, args: Record<string, unknown>) => client.call(name, args);

  before(async () => {
    writeTree(folder, {
      'root/lines.txt': 'one\ntwo\nthree\nfour\n',
      'root/empty.txt': '',
      'root/sub/deep.txt': 'deep',
      'secret/key': 'secret',
    });
    client = await connect({ after: () => {} }, 'SDK 1 (legacy)', { roots: [rootOf(root)] });
  });
  after(() => client.close());

  test('read-file gives the whole text, its place and the length of the file', async () => {
    deepEqual(await call('read-file', { path: 'lines.txt' }), {
      content: [{ type: 'text', text: 'one\ntwo\nthree\nfour\n' }],
      structuredContent: {
        path: join(root, 'lines.txt'),
        size: 19,
        text: 'one\ntwo\nthree\nfour\n',
        firstLine: 1,
        lastLine: 4,
        isCut: false,
      },
    });
  });

  const parts: readonly (readonly [args: Record<string, unknown>, expected: unknown])[] = [
    [{ head: 2 }, { text: 'one\ntwo\n', firstLine: 1, lastLine: 2, nextLine: 3 }],
    [{ head: 9 }, { text: 'one\ntwo\nthree\nfour\n', firstLine: 1, lastLine: 4 }],
    [{ tail: 2 }, { text: 'three\nfour\n' }],
    [{ tail: 9 }, { text: 'one\ntwo\nthree\nfour\n' }],
    [
      { startLine: 2, endLine: 3 },
      { text: 'two\nthree\n', firstLine: 2, lastLine: 3, nextLine: 4 },
    ],
    [{ startLine: 4 }, { text: 'four\n', firstLine: 4, lastLine: 4 }],
    [{ endLine: 1 }, { text: 'one\n', firstLine: 1, lastLine: 1, nextLine: 2 }],
    [{ startLine: 5 }, { text: '' }],
  ];
  for (const [args, expected] of parts) {
    test(`read-file gives the part ${JSON.stringify(args)}`, async () => {
      const { structuredContent } = await call('read-file', { path: 'lines.txt', ...args });
      const { path: _path, size: _size, isCut, ...part } = structuredContent ?? {};
      deepEqual([part, isCut], [expected, false]);
    });
  }

  test('read-file says that a file is empty or too short for a line', async () => {
    const results = await Promise.all([
      call('read-file', { path: 'empty.txt' }),
      call('read-file', { path: 'lines.txt', startLine: 99 }),
    ]);
    deepEqual(
      results.map(({ content }) => said(content[0]?.text ?? '')),
      ['readFile.noteOn()', 'readFile.noteOn.2()'],
    );
  });

  test('read-file cuts long text at the end of a line and says how to go on', async () => {
    const text = `${'x'.repeat(99)}\n`.repeat(20_000);
    writeFileSync(join(root, 'long.txt'), text);
    const first = await call('read-file', { path: 'long.txt' });
    const { isCut, nextLine } = first.structuredContent ?? {};
    deepEqual([isCut, nextLine], [true, 10_486]);
    match(first.content[1]?.text ?? '', /1 to 10485 .* startLine 10486\.\)$/);
    const rest = await call('read-file', { path: 'long.txt', startLine: nextLine });
    const parts = [first, rest].map(({ structuredContent }) => structuredContent?.['text']);
    equal(parts.join('') === text, true);
  });

  test('read-file says that a file is not UTF-8 text', async () => {
    writeFileSync(join(root, 'latin1.txt'), Buffer.from('caf\xe9\n', 'latin1'));
    writeFileSync(join(root, 'utf16.txt'), Buffer.from('text', 'utf16le'));
    for (const path of ['latin1.txt', 'utf16.txt']) {
      equal(refusedFor(await call('read-file', { path })), 'refusal.notText()');
    }
  });

  test('read-file refuses parts that exclude each other', async () => {
    for (const part of [
      { head: 1, tail: 1 },
      { tail: 1, endLine: 2 },
      { startLine: 3, endLine: 2 },
    ]) {
      equal((await call('read-file', { path: 'lines.txt', ...part })).isError, true);
    }
  });

  test('an unreadable file is refused at once, with what to do instead', async () => {
    const below =
      process.platform === 'win32' ? 'refusal.seeFolder()' : 'locate.unreadable.reason()';
    for (const [tool, path, reason] of [
      ['read-file', 'sub', 'openInside.notAFile()'],
      ['read-file', 'none.txt', 'refusal.seeFolder()'],
      // Windows does not tell why there is nothing.
      ['read-file', 'lines.txt/x', below],
      ['list-directory', 'lines.txt', 'openInside.notAFolder()'],
      ['list-directory', 'none', 'refusal.seeFolder()'],
    ] as const) {
      equal(refusedFor(await call(tool, { path })), reason, path);
    }
  });

  test('a pipe is refused without a wait', {
    skip: skipPipes,
  }, async () => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    equal(refusedFor(await call('read-file', { path: 'pipe' })), 'refusal.notRegular()');
    equal(refusedFor(await call('list-directory', { path: 'pipe' })), 'openInside.notListed()');
  });

  const looking = ['read-file', 'read-media', 'list-directory', 'file-info', 'check-path'];
  test('a refusal is the same for files, folders and missing paths outside', {
    skip: skipLinks,
  }, async () => {
    mkdirSync(join(root, 'links'));
    const targets = ['secret/key', 'secret', 'secret/none', 'none/at/all', 'secret/key/x'];
    const shown = new Set<string>();
    for (const [index, target] of targets.entries()) {
      symlinkSync(join(folder, target), join(root, `links/${index}`));
      for (const tool of looking) {
        for (const path of [`links/${index}`, `links/${index}/x`, join(folder, target)]) {
          const result = await call(tool, { path });
          const text = result.content[0]?.text?.replace(JSON.stringify(path), 'PATH') ?? '';
          const isInside = tool === 'check-path' && result.structuredContent?.['inside'];
          shown.add(`${isInside || !(result.isError || tool === 'check-path')}: ${text}`);
        }
      }
    }
    equal(shown.size, 1);
    match([...shown].join(), /^false: PATH is outside /);
  });

  test('check-path says where a path leads, and fails for an invalid path', {
    skip: skipLinks,
  }, async () => {
    symlinkSync('sub/deep.txt', join(root, 'to-deep'));
    const rootUri = rootOf(root).uri;
    const results = await Promise.all(
      ['to-deep', 'new/file.txt', '~/x', 'http://a/b'].map(path => call('check-path', { path })),
    );
    deepEqual(
      results.map(({ structuredContent, isError }) => structuredContent ?? isError),
      [
        { inside: true, root: rootUri, path: join(root, 'sub/deep.txt') },
        { inside: true, root: rootUri, path: join(root, 'new/file.txt') },
        true,
        true,
      ],
    );
  });
});

test('file contents never reach the log', async t => {
  const folder = tempFolder(t);
  const bytes = Buffer.from('very private bytes\0');
  writeTree(folder, { 'a.txt': 'very private text' });
  writeFileSync(join(folder, 'a.bin'), bytes);
  const session = new RawSession(t, ['--root', folder]);
  await session.initialize({});
  session.send(toolCall(2, 'read-file', { path: 'a.txt' }));
  session.send(toolCall(3, 'read-media', { path: 'a.bin' }));
  equal((await session.answerTo(2)).result?.content[0]?.text, 'very private text');
  equal((await session.answerTo(3)).result?.content[0]?.type, 'resource');
  session.process.stdin?.end();
  await session.exited;
  equal(session.stderr.includes('private'), false);
  equal(session.stderr.includes(bytes.toString('base64').slice(0, 20)), false);
});
