import { type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import {
  type HubConfig,
  hubLists,
  keyTwice,
  readHubConfig,
} from '../../domain/hubConfig/hubConfig.ts';
import { isJsonObject, jsonProblem, type KeyPath } from '../../domain/json.ts';
import {
  type JsonNode,
  placeInTree,
  type TreeValue,
  tooDeepAt,
  valueOfTree,
} from '../../domain/jsonTree.ts';
import { printable } from '../../domain/printable.ts';
import { inEnglish } from '../../domain/sentence.ts';

/** The servers of a configuration, or why it can't be read at all. */
export type ParsedConfig =
  | {
      readonly ok: true;
      readonly config: HubConfig;
      /** A text that is equal for files with the same meaning. It contains secrets. */
      readonly said: string;
      readonly switchedOff: readonly string[];
      /** The first mistake of each server that was left out because of mistakes. */
      readonly leftOut: ReadonlyMap<string, string>;
      readonly problems: readonly string[];
    }
  | { readonly ok: false; readonly problem: string };

interface ConfigOrigin {
  /** The name of the file, for the texts of problems. */
  readonly file: string;
  readonly userHome: string;
}

/** Reads a `servers.json`. Problems are sentences that begin with `file:line:column:`. */
export function parseConfig(written: string, { file, userHome }: ConfigOrigin): ParsedConfig {
  const text = written.replace(/^\ufeff/, '');
  const at = (offset: number, said: string) =>
    `${printable(file)}:${lineAndColumn(text, offset)}: ${said}`;
  const read = readTree(text);
  if (!read.ok) {
    return { ok: false, problem: at(read.offset, read.reason) };
  }
  const { tree } = read;
  if (!isJsonObject(tree.value)) {
    return { ok: false, problem: at(tree.offsetOf([]), 'The file must be an object: { … }.') };
  }
  const { servers, switchedOff, mistakes } = readHubConfig(tree.value, userHome);
  const twice = tree.twice.flatMap(({ path, offset }) => {
    const { mistakes, server } = keyTwice(path);
    return mistakes.map(({ text }) => ({ offset, text, server }));
  });
  const ambiguous = new Set(twice.map(({ server }) => server));
  const others = mistakes.map(({ path, text }) => {
    return { offset: tree.offsetOf(path), text, server: serverAt(path) };
  });
  const problems = [...twice, ...others]
    .sort((a, b) => a.offset - b.offset)
    .map(({ offset, text, server }) => ({ server, problem: at(offset, inEnglish(text)) }));
  const leftOut = new Map<string, string>();
  for (const { server, problem } of problems) {
    if (server !== undefined && !leftOut.has(server)) {
      leftOut.set(server, problem);
    }
  }
  return {
    ok: true,
    config: { servers: servers.filter(({ name }) => !ambiguous.has(name)) },
    said: JSON.stringify([tree.value, twice.map(({ server }) => server)]),
    switchedOff: switchedOff.filter(name => !ambiguous.has(name)),
    leftOut,
    problems: problems.map(({ problem }) => problem),
  };
}

/** The server that a mistake at this place leaves out. `undefined`: none. */
function serverAt([list, name]: KeyPath): string | undefined {
  return typeof name === 'string' && hubLists.some(known => known === list) ? name : undefined;
}

function lineAndColumn(text: string, offset: number): string {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return `${lines.length}:${(lines.at(-1) ?? '').length + 1}`;
}

interface ConfigTree extends TreeValue {
  /** The offset of a part of the value. If the part is missing, the offset of the part around it. */
  offsetOf(path: KeyPath): number;
}

/** A tree, or the first fault in the JSON: its offset, and its reason as a sentence. */
type ReadTree =
  | { readonly ok: true; readonly tree: ConfigTree }
  | { readonly ok: false; readonly offset: number; readonly reason: string };

/** Reads JSON that may have comments and trailing commas, as in the files of editors. */
function readTree(text: string): ReadTree {
  const tooDeep = tooDeepAt(text);
  if (tooDeep !== undefined) {
    return { ok: false, offset: tooDeep, reason: 'The file has too many levels.' };
  }
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error || !root) {
    const code = error ? printParseErrorCode(error.error) : 'ValueExpected';
    return {
      ok: false,
      offset: error?.offset ?? 0,
      reason: `The text is not JSON: ${jsonProblem(code)}.`,
    };
  }
  return { ok: true, tree: { ...valueOfTree(root), offsetOf: path => offsetIn(root, path) } };
}

/** The offset of a part of the value. For a member, this is the offset of its name. */
function offsetIn(root: JsonNode, path: KeyPath): number {
  const { key, value } = placeInTree(root, path);
  return (key ?? value).offset;
}
