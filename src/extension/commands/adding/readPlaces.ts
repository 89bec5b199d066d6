import { readFile, stat } from 'node:fs/promises';
import { type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { ImportPlace, ImportSource } from '../../../domain/adding/importPlaces.ts';
import type { ImportFile, SourceNote } from '../../../domain/adding/importPlan.ts';
import { jsonProblem } from '../../../domain/json.ts';
import { tooDeepAt, valueOfTree } from '../../../domain/jsonTree.ts';
import { printable } from '../../../domain/printable.ts';
import { type Sentence, sentence } from '../../../domain/sentence.ts';

/** The contents of the places that exist, and notes on the ones that can't be read. */
interface ReadPlaces {
  readonly files: readonly ImportFile[];
  readonly notes: readonly SourceNote[];
}

/** Larger than any file that keeps servers; reading it would hold the editor up. */
const maxBytes = 16 * 1024 * 1024;

/** Reads each file once. Missing files are passed over, and a broken file costs only itself. */
export async function readPlaces(places: readonly ImportPlace[]): Promise<ReadPlaces> {
  const read = new Map<string, ReadJson | undefined>();
  const files: ImportFile[] = [];
  const notes: SourceNote[] = [];
  for (const { path, source } of places) {
    const isFirst = !read.has(path);
    const result = isFirst ? await readPlace(path) : read.get(path);
    read.set(path, result);
    if (isFirst && result) {
      notes.push(...notesOf(result, source));
    }
    if (result?.ok) {
      files.push({ source, value: result.value });
    }
  }
  return { files, notes };
}

function notesOf(result: ReadJson, source: ImportSource): SourceNote[] {
  return (result.ok ? result.notes : [result.problem]).map(note => ({ source, note }));
}

/** `undefined`: there is no such file. */
async function readPlace(path: string): Promise<ReadJson | undefined> {
  try {
    const stats = await stat(path);
    if (!stats.isFile()) {
      return broken(sentence('It is no file.')); // Reading a pipe would never end.
    }
    return stats.size > maxBytes
      ? broken(sentence('It is too large to be read.'))
      : readJson(await readFile(path, 'utf8'));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    return absent.has(code) ? undefined : broken(sentence('It can not be read ({0}).', code));
  }
}

const absent: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR']);

function broken(problem: Sentence): ReadJson {
  return { ok: false, problem };
}

/** A value that was read, with notes on it, or the place where the text is broken. */
type ReadJson =
  | { readonly ok: true; readonly value: unknown; readonly notes: readonly Sentence[] }
  | { readonly ok: false; readonly problem: Sentence };

/**
 * Reads JSON as editors write it: with comments, trailing commas and a byte order mark. An empty
 * text is an empty object. Of a key that is there twice the last one counts, which is noted.
 */
export function readJson(text: string): ReadJson {
  const plain = text.replace(/^\ufeff/, '');
  if (tooDeepAt(plain) !== undefined) {
    return { ok: false, problem: sentence('It is nested too deeply.') };
  }
  const errors: ParseError[] = [];
  const tree = parseTree(plain, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [error] = errors;
  if (error) {
    return { ok: false, problem: problemAt(plain, error) };
  }
  const { value, twice } = tree ? valueOfTree(tree) : { value: {}, twice: [] };
  const names = new Set(twice.map(({ path }) => String(path.at(-1))));
  const notes = [...names].map(key =>
    sentence('"{0}" is there twice. The last one counts.', printable(key)),
  );
  return { ok: true, value, notes };
}

function problemAt(text: string, { error, offset }: ParseError): Sentence {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  const column = (before.at(-1) ?? '').length + 1;
  return sentence(
    'It is broken at line {0}, column {1}: {2}.',
    `${before.length}`,
    `${column}`,
    sentence(jsonProblem(printParseErrorCode(error))),
  );
}
