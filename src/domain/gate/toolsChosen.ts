import type { JsonObject } from '../json.ts';
import { cut, printable } from '../printable.ts';
import { sentence } from '../sentence.ts';
import type { Rule } from './asked.ts';

/** A call of a tool needs that definition and user leave the tool in, also under a like name. */
export const toolsChosen: Rule = ({ method, params, server, client }) => {
  const { tools: demands = [], label = '' } = server?.definition ?? {};
  const hidden = client?.hiddenTools;
  if (method !== 'tools/call' || (demands.length === 0 && !hidden?.size)) {
    return undefined;
  }
  for (const name of namesIn(params)) {
    if (typeof name !== 'string') {
      return { kind: 'refused', why: sentence('The name of a tool must be a text.') };
    }
    const folded = foldedName(name);
    const why = hidden?.has(folded) ? turnedOff : isLeftIn(folded, demands) ? undefined : leftOut;
    if (why) {
      return { kind: 'refused', why: sentence(why, cut(printable(name), longestName), label) };
    }
  }
  return undefined;
};

const turnedOff =
  'The user has turned off the tool "{0}" of "{1}". Go on without the tool, or ask the user to turn it on in the view of MCP Roots.';
const leftOut =
  'The definition of "{1}" leaves out the tool "{0}". Go on without the tool, or ask the user to change "tools" in the definition.';

const longestName = 100;

/** The values of the key `name`. A request may have several: servers in Go ignore letter case. */
function namesIn(params: JsonObject): readonly unknown[] {
  const named = Object.entries(params).filter(([key]) => key.toLowerCase() === 'name');
  return named.map(([, name]) => name).filter(name => name !== undefined);
}

/**
 * The name of a tool, to compare names. Names that differ only in letter case, in Unicode form or in
 * invisible characters are equal then, because a model or a server may confuse them.
 */
export function foldedName(name: string): string {
  return name.replace(invisible, '').normalize('NFKC').toLowerCase();
}

const invisible = /[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Whether a definition leaves a tool in.
 *
 * @param folded the name of the tool by {@link foldedName}.
 * @param demands lists of patterns, which must all leave the tool in. `*` stands for any text. The
 * tool must match a pattern, if the list has any without `!`, and no pattern after a `!`.
 */
export function isLeftIn(folded: string, demands: readonly (readonly string[])[]): boolean {
  return demands.every(patterns => {
    const wanted = patterns.filter(pattern => !pattern.startsWith('!'));
    const unwanted = patterns.flatMap(one => (one.startsWith('!') ? one.slice(1) : []));
    const isMatch = (pattern: string) => matches(folded, foldedName(pattern));
    return (wanted.length === 0 || wanted.some(isMatch)) && !unwanted.some(isMatch);
  });
}

/** The tools that a definition and the user leave in. @param hidden names by {@link foldedName}. */
export function toolsLeft<T extends { readonly name: string }>(
  tools: readonly T[],
  demands: readonly (readonly string[])[],
  hidden: ReadonlySet<string>,
): readonly T[] {
  return tools.filter(({ name }) => {
    const folded = foldedName(name);
    return !hidden.has(folded) && isLeftIn(folded, demands);
  });
}

/** Matches without a regular expression, which could take endless time for many `*`. */
function matches(name: string, pattern: string): boolean {
  const [start = '', ...parts] = pattern.split('*');
  const end = parts.pop();
  let at = start.length;
  for (const part of parts) {
    const found = name.indexOf(part, at);
    if (found < 0) {
      return false;
    }
    at = found + part.length;
  }
  return end === undefined
    ? name === start
    : name.startsWith(start) && name.endsWith(end) && at + end.length <= name.length;
}
