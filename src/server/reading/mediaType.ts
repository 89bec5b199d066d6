import { isUtf8 } from 'node:buffer';

/** The number of bytes that `mediaTypeOf` needs from the start of a file. */
export const headBytes = 4096;

/** Whether the bytes are text for a person: UTF-8 without NUL, although NUL is valid UTF-8. */
export function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}

/**
 * The media type of a file, by its first bytes. If these allow several types, the name decides. A
 * file counts as an image or a sound only if it begins like an image or a sound.
 */
export function mediaTypeOf(name: string, bytes: Buffer): string {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  const start = bytes.toString('latin1', 0, 64);
  // A PDF may be all text. Other signatures may be words at the start of a text.
  if (isText(bytes) && !start.startsWith('%PDF-')) {
    return own(textTypes, extension) ?? 'text/plain';
  }
  const [, signed] = signatures.find(([signature]) => startsLike(start, signature)) ?? [];
  const type = signed ?? (isMp3Frame(bytes) ? 'audio/mpeg' : 'application/octet-stream');
  return own(own(containers, type) ?? {}, extension) ?? type;
}

/** Looks up own keys only, because a file name may end in `.constructor`. */
function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

function startsLike(start: string, signature: string): boolean {
  for (let at = 0; at < signature.length; at++) {
    if (signature[at] !== '?' && signature[at] !== start[at]) {
      return false;
    }
  }
  return true;
}

/** Whether the bytes begin like an MP3 frame. An MP3 file without a tag has no other signature. */
function isMp3Frame([first = 0, second = 0, third = 0]: Buffer): boolean {
  const isLayer3 = first === 0xff && (second & 0xe6) === 0xe2 && (second & 0x18) !== 0x08;
  const [rate, frequency] = [third >> 4, (third >> 2) & 3];
  return isLayer3 && rate !== 0 && rate !== 15 && frequency !== 3;
}

/** The starts of files, one character per byte. `?` is any byte. More specific starts come first. */
const signatures: readonly (readonly [start: string, type: string])[] = [
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['RIFF????WEBP', 'image/webp'],
  ['????ftypavif', 'image/avif'],
  ['????ftypavis', 'image/avif'],
  ['????ftyphei', 'image/heic'],
  ['????ftypmif1', 'image/heif'],
  ['\0\0\0\x0cJXL ', 'image/jxl'],
  ['II*\0', 'image/tiff'],
  ['MM\0*', 'image/tiff'],
  ['\0\0\x01\0', 'image/x-icon'],
  ['BM????\0\0\0\0', 'image/bmp'],
  ['RIFF????WAVE', 'audio/wav'],
  ['FORM????AIF', 'audio/aiff'],
  ['ID3', 'audio/mpeg'],
  ['fLaC', 'audio/flac'],
  ['\xff\xf1', 'audio/aac'],
  ['\xff\xf9', 'audio/aac'],
  ['MThd', 'audio/midi'],
  ['????ftypM4A', 'audio/mp4'],
  ['????ftypM4B', 'audio/mp4'],
  ['OggS????????????????????????\x80theora', 'video/ogg'],
  ['OggS', 'audio/ogg'],
  ['????ftypqt', 'video/quicktime'],
  ['????ftyp', 'video/mp4'],
  ['RIFF????AVI ', 'video/x-msvideo'],
  ['\x1aE\xdf\xa3', 'video/x-matroska'],
  ['%PDF-', 'application/pdf'],
  ['PK\x03\x04', 'application/zip'],
  ['\x1f\x8b', 'application/gzip'],
  ['\0asm', 'application/wasm'],
  ['SQLite format 3\0', 'application/vnd.sqlite3'],
  ['wOFF', 'font/woff'],
  ['wOF2', 'font/woff2'],
];

const office = 'application/vnd.openxmlformats-officedocument';

/** Container types; the file's extension tells what the container holds. */
const containers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'application/zip': {
    docx: `${office}.wordprocessingml.document`,
    xlsx: `${office}.spreadsheetml.sheet`,
    pptx: `${office}.presentationml.presentation`,
    epub: 'application/epub+zip',
    jar: 'application/java-archive',
  },
  'video/x-matroska': { webm: 'video/webm' },
};

const textTypes: Readonly<Record<string, string>> = {
  css: 'text/css',
  csv: 'text/csv',
  htm: 'text/html',
  html: 'text/html',
  js: 'text/javascript',
  json: 'application/json',
  md: 'text/markdown',
  mjs: 'text/javascript',
  svg: 'image/svg+xml',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
};
