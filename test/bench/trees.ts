import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A tree of small text files, of which one in a hundred has the wanted name and the wanted text. */
export interface Tree {
  readonly folder: string;
  readonly files: number;
  /** How many files `wantedGlob` finds, and how many hold `wantedText`, once each. */
  readonly wanted: number;
}

export const wantedGlob = '**/*.config.ts';
export const wantedText = 'theWantedIdentifier';

const filesInFolder = 20;
const foldersInFolder = 50;

/** Writes a tree of that many files of about 1 KB, 20 in a folder. */
export function writeTree(folder: string, files: number): Tree {
  let wanted = 0;
  for (let number = 0; number < files; number++) {
    const group = Math.floor(number / filesInFolder);
    const path = join(folder, `part-${Math.floor(group / foldersInFolder)}`, `unit-${group}`);
    if (number % filesInFolder === 0) {
      mkdirSync(path, { recursive: true });
    }
    const isWanted = number % 100 === 50;
    wanted += isWanted ? 1 : 0;
    writeFileSync(join(path, nameOf(number, isWanted)), textOf(number, isWanted));
  }
  return { folder, files, wanted };
}

/** Text like that of a source file, of exactly that many bytes. */
export function textOfSize(bytes: number, line = sourceLine): string {
  let text = '';
  for (let number = 0; Buffer.byteLength(text) < bytes; number += 1000) {
    text += Array.from({ length: 1000 }, (_, at) => line(number + at)).join('');
  }
  const cut = Buffer.from(text).subarray(0, bytes).toString();
  return cut.replace(/\ufffd+$/, broken =>
    '.'.repeat(bytes - Buffer.byteLength(cut.slice(0, -broken.length))),
  );
}

export function accentedLine(number: number): string {
  return `// Ligne n° ${number} : « déjà vu », coûte 3 €, größer\n${sourceLine(number)}`;
}

function sourceLine(number: number): string {
  return `  const value${number} = compute("item-${number}", ${number % 97}); // step ${number % 13}\n`;
}

function nameOf(number: number, isWanted: boolean): string {
  const ending = isWanted ? 'config.ts' : (['ts', 'md', 'json', 'css'][number % 4] ?? 'txt');
  return `file-${number}.${ending}`;
}

function textOf(number: number, isWanted: boolean): string {
  const lines = Array.from({ length: 15 }, (_, at) => sourceLine(number * 31 + at * 7));
  lines.splice(7, 0, isWanted ? `export const ${wantedText} = ${number};\n` : '\n');
  return lines.join('');
}
