import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

// `npm run moving-picture` makes media/consent.png, the first picture of README: an animated PNG
// that browsers and galleries play. `npm run test:ui readme` takes the pictures for the PNG. They
// show the path of the Node that runs the test, so run a Node in a folder that anybody may see.

const root = join(import.meta.dirname, '..', '..');
const signature = Buffer.from('89504e470d0a1a0a', 'hex');
/** How long each picture is shown, in hundredths of a second. */
const shownFor = 220;

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

const pictures = globSync('artifacts/consent-*.png', { cwd: root })
  .sort()
  .map(path => chunksOf(readFileSync(join(root, path))));
if (pictures.length === 0) {
  throw new Error('The pictures are missing: `npm run test:ui readme` takes them.');
}
writeFileSync(join(root, 'media', 'consent.png'), animated(pictures));

/** Returns a PNG that shows pictures of one size in turn, forever (PNG, third edition, 4.9). */
function animated(all: readonly (readonly Chunk[])[]): Buffer {
  let order = 0;
  const frames = all.flatMap((chunks, index) => {
    const control = Buffer.concat([
      words(order++),
      header(chunks).data.subarray(0, 8),
      words(0, 0),
      Buffer.from([0, shownFor, 0, 100, 0, 0]),
    ]);
    const data = chunks.filter(({ type }) => type === 'IDAT').map(chunk => chunk.data);
    const frame =
      index === 0
        ? { type: 'IDAT', data: Buffer.concat(data) }
        : { type: 'fdAT', data: Buffer.concat([words(order++), ...data]) };
    return [{ type: 'fcTL', data: control }, frame];
  });
  const chunks = [
    header(all[0] ?? []),
    { type: 'acTL', data: words(all.length, 0) },
    ...frames,
    { type: 'IEND', data: words() },
  ];
  return Buffer.concat([signature, ...chunks.map(written)]);
}

function chunksOf(png: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = signature.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const data = png.subarray(at + 8, at + 8 + length);
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data });
    at += length + 12;
  }
  return chunks;
}

function header(chunks: readonly Chunk[]): Chunk {
  const found = chunks.find(({ type }) => type === 'IHDR');
  if (!found) {
    throw new Error('A picture in artifacts is not a PNG.');
  }
  return found;
}

function written({ type, data }: Chunk): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([words(data.length), body, words(crc32(body))]);
}

function words(...numbers: readonly number[]): Buffer {
  const buffer = Buffer.alloc(4 * numbers.length);
  numbers.forEach((number, index) => {
    buffer.writeUInt32BE(number, 4 * index);
  });
  return buffer;
}
