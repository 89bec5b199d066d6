import { type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { ImportFile, SourceNote } from '../../../domain/adding/importPlan.ts';
import type { ImportPlace } from '../../../domain/gateway/clientFiles.ts';
import { jsonProblem } from '../../../domain/json.ts';
import { tooDeepAt, valueOfTree } from '../../../domain/jsonTree.ts';
import { type Sentence, sentence } from '../../../domain/sentence.ts';
import { pathsOnDisk } from '../../folders/foldersOnDisk.ts';
import { loadClient } from '../../servers/loadClient.ts';

/** The contents of the places that exist, and notes on the ones that can't be read. */
interface ReadPlaces {
  readonly files: readonly ImportFile[];
  readonly notes: readonly SourceNote[];
}

/** In MiB. Claude Code keeps all of its state in one file of the user's. */
const mostOfUser = 64;

/** Reads each file once. Missing files are passed over, and a broken file costs only itself. */
export async function readPlaces(places: readonly ImportPlace[]): Promise<ReadPlaces> {
  const { readPlainFile } = await loadClient();
  const read = new Map<string, ReadJson | undefined>();
  const files: ImportFile[] = [];
  const notes: SourceNote[] = [];
  for (const { path, source } of places) {
    const isFirst = !read.has(path);
    if (isFirst) {
      const most = source.scope === 'user' ? mostOfUser : undefined;
      const { text, problem } = await readPlainFile(path, pathsOnDisk(), most);
      read.set(path, problem ? broken(problem) : text === undefined ? undefined : readJson(text));
    }
    const result = read.get(path);
    if (result?.ok) {
      files.push({ source, value: result.value });
    } else if (result && isFirst) {
      notes.push({ source, note: result.problem });
    }
  }
  return { files, notes };
}

/** A value that was read, or why the text can't be. */
type ReadJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: Sentence };

function broken(problem: Sentence): ReadJson {
  return { ok: false, problem };
}

/**
 * Reads JSON as editors write it: with comments, trailing commas and a byte order mark. An empty
 * text is an empty object. Of a key that is there twice the last one counts.
 */
export function readJson(text: string): ReadJson {
  const plain = text.replace(/^\ufeff/, '');
  if (tooDeepAt(plain) !== undefined) {
    return broken(sentence('It is nested too deeply.'));
  }
  const errors: ParseError[] = [];
  const tree = parseTree(plain, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [error] = errors;
  if (error) {
    return broken(problemAt(plain, error));
  }
  return { ok: true, value: tree ? valueOfTree(tree).value : {} };
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
