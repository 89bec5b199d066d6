import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  connect,
  RawSession,
  rootOf,
  type TestClient,
  type ToolResult,
  toolCall,
} from '../support/bundledServer.ts';
import { skipLinks, skipPipes } from '../support/systems.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

const megabyte = 1024 * 1024;

test('the tools are listed, and called', async t => {
  const folder = tempFolder(t);
  writeTree(folder, { 'a.txt': 'a\n' });
  const client = await connect(t, 'SDK 2 (legacy)', { roots: [rootOf(folder)] });
  const names = (await client.listTools()).map(({ name }) => name);
  deepEqual(names, [
    'get-roots',
    'check-path',
    'read-file',
    'read-media',
    'list-directory',
    'find-files',
    'search-text',
    'file-info',
  ]);
  const inside = { inside: true, root: rootOf(folder).uri, path: join(folder, 'a.txt') };
  const check = await client.call('check-path', { path: 'a.txt' });
  deepEqual(check.structuredContent, inside);
  equal(
    (await client.call('read-file', { path: rootOf(folder).uri.concat('/a.txt') })).content[0]
      ?.text,
    'a\n',
  );
  equal((await client.call('list-directory')).structuredContent?.['total'], 1);
});

test('an argument that a tool does not know is refused, and nothing is done', async t => {
  const folder = tempFolder(t);
  writeTree(folder, { 'a.txt': 'before' });
  const client = await connect(t, 'SDK 1 (legacy)', {
    roots: [rootOf(folder)],
    args: ['--allow-write'],
  });
  const edits = [{ oldText: 'before', newText: 'after' }];
  const misspelt: readonly (readonly [tool: string, args: Record<string, unknown>])[] = [
    ['edit-file', { path: 'a.txt', edits, dry_run: true }],
    ['edit-file', { path: 'a.txt', edits: [{ ...edits[0], replaceall: true }] }],
    ['write-file', { path: 'a.txt', content: 'after', Overwrite: false }],
    ['delete-path', { path: 'a.txt', dryRun: true }],
  ];
  for (const [tool, args] of misspelt) {
    const { isError, content } = await client.call(tool, args);
    equal(isError, true);
    match(content[0]?.text ?? '', /There is no argument/);
  }
  equal(readFileSync(join(folder, 'a.txt'), 'utf8'), 'before');
  const tools = (await client.listTools()) as unknown as readonly { inputSchema: object }[];
  ok(tools.every(({ inputSchema }) => 'additionalProperties' in inputSchema));
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

  test('read-file gives the whole text, where it is, and how long the file is', async () => {
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

  test('read-file says that a file is empty, or has no such line', async () => {
    const results = await Promise.all([
      call('read-file', { path: 'empty.txt' }),
      call('read-file', { path: 'lines.txt', startLine: 99 }),
    ]);
    deepEqual(results.map(textsOf), [['(The file is empty.)'], ['(The file has no such line.)']]);
  });

  test('read-file cuts long text at the end of a line and says how to go on', async () => {
    const line = `${'x'.repeat(99)}\n`;
    writeFileSync(join(root, 'long.txt'), line.repeat(30_000));
    let text = '';
    let startLine: unknown = 1;
    const pages: unknown[] = [];
    while (startLine !== undefined) {
      const page = await call('read-file', { path: 'long.txt', startLine });
      text += page.structuredContent?.['text'];
      startLine = page.structuredContent?.['nextLine'];
      pages.push([page.structuredContent?.['isCut'], startLine]);
      if (pages.length === 1) {
        equal(
          page.content[1]?.text,
          '(Lines 1 to 10485 of a file of 3000000 bytes. Go on with startLine 10486.)',
        );
      }
    }
    deepEqual(pages, [
      [true, 10_486],
      [true, 20_971],
      [false, undefined],
    ]);
    equal(text === line.repeat(30_000), true);
    const tail = await call('read-file', { path: 'long.txt', tail: 20_000 });
    deepEqual(
      [tail.structuredContent?.['text'], tail.structuredContent?.['isCut']],
      [line.repeat(10_485), true],
    );
  });

  test('a file of a megabyte comes whole, and no file ends the connection', async () => {
    writeFileSync(join(root, 'exact.txt'), `${'é'.repeat(megabyte / 2 - 1)}\n\n`);
    const exact = await call('read-file', { path: 'exact.txt' });
    deepEqual([exact.structuredContent?.['isCut'], exact.content.length], [false, 1]);
    // Each of these bytes takes six in JSON, and the text is sent twice.
    writeFileSync(join(root, 'bells.txt'), '\u0007'.repeat(6 * megabyte));
    writeFileSync(join(root, 'wide.txt'), `x${'é'.repeat(megabyte)}`);
    for (const path of ['bells.txt', 'wide.txt']) {
      const { structuredContent, content } = await call('read-file', { path });
      equal(structuredContent?.['isCut'], true);
      equal(String(structuredContent?.['text']).includes('\ufffd'), false);
      match(content[1]?.text ?? '', /The rest of this line is left out/);
      equal((await call('read-file', { path, tail: 1 })).structuredContent?.['isCut'], true);
    }
  });

  test('read-file says that a file is not UTF-8 text', async () => {
    writeFileSync(join(root, 'latin1.txt'), Buffer.from('caf\xe9\n', 'latin1'));
    writeFileSync(join(root, 'utf16.txt'), Buffer.from('text', 'utf16le'));
    for (const path of ['latin1.txt', 'utf16.txt']) {
      const text = `"${path}" cannot be used. It is not UTF-8 text (binary, or another encoding).`;
      deepEqual(await call('read-file', { path }), refusal(text));
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

  test('what is there but cannot be read is refused at once, with what to do instead', async () => {
    const results = await Promise.all([
      call('read-file', { path: 'sub' }),
      call('read-file', { path: 'none.txt' }),
      call('read-file', { path: 'lines.txt/x' }),
      call('list-directory', { path: 'lines.txt' }),
      call('list-directory', { path: 'none' }),
    ]);
    deepEqual(results, [
      refusal('"sub" cannot be used. It is a folder: use list-directory.'),
      refusal('"none.txt" does not exist. List its folder to see what does.'),
      // Windows does not tell why there is nothing.
      refusal(
        process.platform === 'win32'
          ? '"lines.txt/x" does not exist. List its folder to see what does.'
          : '"lines.txt/x" cannot be used. A part of it is a file, not a folder.',
      ),
      refusal('"lines.txt" cannot be used. It is not a folder: use read-file.'),
      refusal('"none" does not exist. List its folder to see what does.'),
    ]);
  });

  test('a pipe is neither read nor listed, and not waited for', {
    skip: skipPipes,
  }, async () => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const tools = ['read-file', 'list-directory'];
    deepEqual(await Promise.all(tools.map(tool => call(tool, { path: 'pipe' }))), [
      refusal('"pipe" cannot be used. It is no regular file, but a pipe, a socket or a device.'),
      refusal(
        '"pipe" cannot be used. It is no folder that this server may list, its disk fails, or it is changing.',
      ),
    ]);
  });

  const looking = ['read-file', 'read-media', 'list-directory', 'file-info', 'check-path'];
  test('a refusal is the same whether what is outside exists, is a folder, or does not exist', {
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
          const text = textsOf(result).join().replace(JSON.stringify(path), 'PATH');
          shown.add(
            `${tool === 'check-path' ? result.structuredContent?.['inside'] : !result.isError}: ${text}`,
          );
        }
      }
    }
    const hint = `It can reach what is in "${root}", and links there that stay in them.`;
    deepEqual([...shown], [`false: PATH is outside the folders shared with this server. ${hint}`]);
  });

  test('check-path says where a path leads, and is an error for what is no path', {
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

  test('arguments of the wrong kind are refused with a message', async () => {
    for (const args of [
      {},
      { path: null },
      { path: ['a'] },
      { path: 'a', head: 0 },
      { path: 'a', tail: 1.5 },
    ]) {
      const result = await call('read-file', args);
      deepEqual([result.isError, textsOf(result)[0]?.includes('Invalid arguments')], [true, true]);
    }
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

function refusal(text: string) {
  return { content: [{ type: 'text', text }], isError: true };
}

function textsOf({ content }: ToolResult): (string | undefined)[] {
  return content.map(({ text }) => text);
}
