import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { isText, mediaTypeOf } from '../../../../src/server/reading/mediaType.ts';

/** Starts of real files, as their specifications have them. */
const starts: readonly (readonly [hex: string, type: string])[] = [
  ['89504e470d0a1a0a 0000000d49484452', 'image/png'],
  ['ffd8ffe0 00104a46494600', 'image/jpeg'],
  ['474946383961 0100010080', 'image/gif'],
  ['52494646 24000000 57454250 56503820', 'image/webp'],
  ['0000001c 66747970 61766966 00000000', 'image/avif'],
  ['00000018 66747970 68656963 00000000', 'image/heic'],
  ['0000000c 4a584c20 0d0a870a', 'image/jxl'],
  ['49492a00 08000000', 'image/tiff'],
  ['4d4d002a 00000008', 'image/tiff'],
  ['00000100 0100 1010', 'image/x-icon'],
  ['424d 46000000 00000000 36000000', 'image/bmp'],
  ['52494646 24080000 57415645 666d7420', 'audio/wav'],
  ['464f524d 00000000 41494646', 'audio/aiff'],
  ['49443303 000000000000', 'audio/mpeg'],
  ['fffb9064 00', 'audio/mpeg'],
  ['fff340c4 00', 'audio/mpeg'],
  ['664c6143 00000022', 'audio/flac'],
  ['fff15080 00', 'audio/aac'],
  ['4d546864 00000006', 'audio/midi'],
  ['00000020 66747970 4d344120 00000000', 'audio/mp4'],
  [`4f676753 ${'00'.repeat(24)} 01766f72626973`, 'audio/ogg'],
  [`4f676753 ${'00'.repeat(24)} 807468656f7261`, 'video/ogg'],
  ['00000020 66747970 69736f6d 00000200', 'video/mp4'],
  ['00000014 66747970 71742020 00000000', 'video/quicktime'],
  ['52494646 00000000 41564920', 'video/x-msvideo'],
  ['1a45dfa3 00', 'video/x-matroska'],
  ['255044462d312e37 0a00', 'application/pdf'],
  ['504b0304 1400', 'application/zip'],
  ['1f8b0800 00', 'application/gzip'],
  ['0061736d 01000000', 'application/wasm'],
  ['53514c69746520666f726d6174203300', 'application/vnd.sqlite3'],
  ['774f4632 00010000', 'font/woff2'],
];

test('tells the type by the first bytes, whatever the name says', () => {
  deepEqual(
    starts.map(([start]) => mediaTypeOf('name.txt', hex(start))),
    starts.map(([, type]) => type),
  );
});

test('takes a name alone, or bits of no MP3 frame, for neither image nor sound', () => {
  for (const name of ['a.png', 'a.jpg', 'a.mp3', 'a.wav', 'a.pdf', 'a']) {
    equal(mediaTypeOf(name, hex('00010203')), 'application/octet-stream', name);
  }
  // Reserved version, layer I, no bit rate, a bad bit rate, a reserved frequency, UTF-16.
  for (const start of ['ffea9064', 'ffff9064', 'fffb0064', 'fffbf064', 'fffb9c64', 'fffe6100']) {
    equal(mediaTypeOf('a.mp3', hex(`${start} 00`)), 'application/octet-stream', start);
  }
});

test('tells a container by its bytes, and its contents by its name', () => {
  equal(mediaTypeOf('a.EPUB', hex('504b0304 00')), 'application/epub+zip');
  equal(mediaTypeOf('a.webm', hex('1a45dfa3 00')), 'video/webm');
  equal(mediaTypeOf('a.webm', hex('504b0304 00')), 'application/zip');
  equal(mediaTypeOf('a.constructor', hex('504b0304 00')), 'application/zip');
});

test('tells text by its bytes, and its kind by its name', () => {
  const kinds = {
    'README.md': 'text/markdown',
    'data.JSON': 'application/json',
    'page.html': 'text/html',
    'logo.svg': 'image/svg+xml',
    'main.rs': 'text/plain',
    'photo.png': 'text/plain',
    '.html': 'text/html',
    LICENSE: 'text/plain',
    'a.constructor': 'text/plain',
  };
  for (const [name, type] of Object.entries(kinds)) {
    equal(mediaTypeOf(name, Buffer.from('Grüße')), type, name);
  }
});

test('takes words that look like the start of a media file for text', () => {
  for (const text of ['GIF89a is a format', 'BM', 'RIFFxxxxWEBP', 'ID3 tags', 'OggS']) {
    equal(mediaTypeOf('notes', Buffer.from(text)), 'text/plain', text);
  }
  equal(mediaTypeOf('a.pdf', Buffer.from('%PDF-1.4\n% all of it is text')), 'application/pdf');
});

test('takes UTF-8 without NUL for text', () => {
  deepEqual(
    ['', '41', 'c3a9', 'c3', 'ff', '4100', 'eda080', 'efbbbf41'].map(bytes => isText(hex(bytes))),
    [true, true, true, false, false, false, false, true],
  );
});

function hex(text: string): Buffer {
  return Buffer.from(text.replaceAll(' ', ''), 'hex');
}
