import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { connect, refusedFor, rootOf, type TestClient } from '../support/bundledServer.ts';
import { onlyOn, skipPipes } from '../support/systems.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

const most = 3_932_160;
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const wav = Buffer.concat([
  Buffer.from('524946462400000057415645666d7420', 'hex'),
  Buffer.alloc(28),
]);
const zip = Buffer.from('504b0506000000000000000000000000000000000000', 'hex');

test('returns images, sounds and other bytes in their own content types', async t => {
  const folder = tempFolder(t);
  writeFileSync(join(folder, 'dot.png'), png);
  writeFileSync(join(folder, 'silence'), wav);
  writeFileSync(join(folder, 'a b.bin'), zip);
  const client = await connect(t, 'SDK 2 (modern)', { roots: [rootOf(folder)] });
  const image = await client.call('read-media', { path: 'dot.png' });
  deepEqual(image.content, [
    { type: 'image', data: png.toString('base64'), mimeType: 'image/png' },
    { type: 'text', text: `${join(folder, 'dot.png')}: image/png, ${png.length} bytes` },
  ]);
  deepEqual(image.structuredContent, {
    path: join(folder, 'dot.png'),
    size: png.length,
    mimeType: 'image/png',
  });
  const sound = await client.call('read-media', { path: 'silence' });
  deepEqual(sound.content[0], {
    type: 'audio',
    data: wav.toString('base64'),
    mimeType: 'audio/wav',
  });
  const other = await client.call('read-media', { path: 'a b.bin' });
  deepEqual(other.content[0], {
    type: 'resource',
    resource: {
      uri: `${rootOf(folder).uri}/a%20b.bin`,
      mimeType: 'application/octet-stream',
      blob: zip.toString('base64'),
    },
  });
});

describe('read-media', { concurrency: true }, () => {
  const folder = tempFolder({ after: clean => after(clean as () => void) });
  const root = join(folder, 'root');
  let client: TestClient;
  const read = (path: string) => client.call('read-media', { path });

  before(async () => {
    writeTree(folder, { 'root/sub/': '' });
    client = await connect({ after: () => {} }, 'SDK 1 (legacy)', { roots: [rootOf(root)] });
  });
  after(() => client.close());

  test('reads up to the limit, in one line that every client accepts', async () => {
    const bytes = Buffer.concat([png, Buffer.alloc(most - png.length, 0xa5)]);
    writeFileSync(join(root, 'large.png'), bytes);
    const result = await read('large.png');
    const [image] = result.content as readonly { readonly data?: string }[];
    ok(Buffer.from(image?.data ?? '', 'base64').equals(bytes));
    ok(JSON.stringify(result).length < 8_000_000);
  });

  test('gives the size of a file above the limit', async () => {
    writeFileSync(join(root, 'larger.png'), Buffer.concat([png, Buffer.alloc(most)]));
    writeFileSync(join(root, 'huge.bin'), '');
    truncateSync(join(root, 'huge.bin'), 2 ** 32 + 1);
    for (const [name, size] of [
      ['larger.png', most + png.length],
      ['huge.bin', 2 ** 32 + 1],
    ] as const) {
      equal(refusedFor(await read(name)), `readMedia.wholeFileInside(${size}, ${most})`);
    }
  });

  test('refers text of any name to read-file, and returns PDF as bytes', async () => {
    writeTree(root, {
      'notes.txt': 'text',
      'logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'photo.png': 'no photo',
      'empty.png': '',
      'plain.pdf': '%PDF-1.4\nall of it is text',
    });
    for (const name of ['notes.txt', 'logo.svg', 'photo.png']) {
      equal(refusedFor(await read(name)), 'readMedia.textInstead()');
    }
    equal(refusedFor(await read('empty.png')), 'readMedia.empty()');
    equal((await read('plain.pdf')).structuredContent?.['mimeType'], 'application/pdf');
  });

  test('returns a file that begins as text and goes on as bytes as bytes', async () => {
    writeFileSync(join(root, 'mixed'), Buffer.concat([Buffer.alloc(9000, 0x61), Buffer.from([0])]));
    equal((await read('mixed')).structuredContent?.['mimeType'], 'application/octet-stream');
  });

  test('refuses anything but a file in the words of the other tools', async () => {
    const pipes = skipPipes ? [] : ['pipe'];
    for (const pipe of pipes) {
      execFileSync('mkfifo', [join(root, pipe)]);
    }
    for (const path of ['sub', 'none.png', '../x\0', ...pipes]) {
      const [media, file] = await Promise.all([read(path), client.call('read-file', { path })]);
      equal(media.isError, true, path);
      deepEqual(media, file);
    }
  });

  test('shows invalid UTF-8 in a name, and does not send it', {
    skip: onlyOn('posix', 'Windows has no such names'),
  }, async () => {
    writeFileSync(join(root, 'new\nline.png'), png);
    const { content } = await read('new\nline.png');
    match(content[1]?.text ?? '', /new\\u000aline\.png: image\/png/);
  });
});
