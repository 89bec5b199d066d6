import { argumentPaths, type FoundPath } from '../guard/argumentPaths.ts';
import { rulesFor } from '../guard/guardRules.ts';
import { type Judging, judgePath, type PathRefusal } from '../guard/pathJudge.ts';
import { printable, quotePath } from '../printable.ts';
import { sentence } from '../sentence.ts';
import type { Rule } from './asked.ts';

/** In a call through a hub, every argument that is recognized as a path must be in the roots. */
export const pathsInRoots: Rule = ({ method, params, tool, guard }) => {
  if (!guard || method !== 'tools/call') {
    return undefined;
  }
  const { file, server, rules, ...terms } = guard;
  const name = String(params['name']);
  const schema = tool?.['inputSchema'];
  const isReadOnly = Object(tool?.['annotations']).readOnlyHint === true;
  const verdict = judgePaths(
    { file, server, tool: name, args: params['arguments'], schema },
    { ...terms, rules: rulesFor(rules, name), isReadOnly },
  );
  switch (verdict.kind) {
    case 'unchecked':
      return undefined;
    case 'allowed':
      return { kind: 'passes', paths: verdict.paths };
    case 'denied': {
      const { canonical, path, reason, message } = verdict;
      const why = sentence('{0}', message);
      return { kind: 'refused', why, path: canonical ?? path, reason };
    }
  }
};

/** A call whose arguments are checked. */
export interface JudgedCall {
  /** The name of the hub's configuration file. */
  readonly file: string;
  readonly server: string;
  readonly tool: string;
  readonly args: unknown;
  /** The `inputSchema` of the tool; `undefined` when the hub does not know it. */
  readonly schema?: unknown;
}

/** Whether the call may go to the server, judged by its paths. */
export type PathsVerdict =
  | {
      readonly kind: 'allowed' | 'unchecked';
      /** The real paths in the call, at most 20. */
      readonly paths: readonly string[];
    }
  | Denied;

/** The refusal of a call. */
interface Denied extends DenialText {
  readonly kind: 'denied';
  /** The path as the call has it; empty when the arguments can't be checked. */
  readonly path: string;
  readonly canonical: string | undefined;
}

/**
 * Judges a call's arguments: what is recognized as a path must be inside the roots. The check
 * protects honest servers and models from mistakes, and is not a boundary. The check is
 * synchronous, so that nothing changes between the verdict and the call.
 */
export function judgePaths(call: JudgedCall, judging: Judging): PathsVerdict {
  const { rules, scope, machine } = judging;
  if (rules.isOff) {
    return { kind: 'unchecked', paths: [] };
  }
  const reading = { rules, schema: call.schema, scope };
  const search = () => argumentPaths(call.args, reading);
  // Only patterns of the configuration can need endless time for a text.
  const found = rules.pathPatterns.length > 0 ? machine.inTime(search) : search();
  if (!found?.ok) {
    const { reason = 'Checking the arguments would take too long.' } = found ?? {};
    return { kind: 'denied', path: '', canonical: undefined, ...uncheckableText(reason) };
  }
  const reals = new Set<string>();
  for (const one of found.paths) {
    const judgement = judgePath(judging, one);
    if (!judgement.ok) {
      const roots = scope.inPlace().map(({ announced }) => announced);
      const text = denialText(call, one, judgement, roots);
      return { kind: 'denied', path: one.given, canonical: judgement.canonical, ...text };
    }
    if (judgement.real !== undefined && one.kind === 'named') {
      reals.add(judgement.real);
    }
  }
  return { kind: 'allowed', paths: [...reals].slice(0, mostPaths) };
}

const mostPaths = 20;

interface DenialText {
  /** The reason, in whole sentences. */
  readonly reason: string;
  /** The whole answer for the client. */
  readonly message: string;
}

/**
 * The texts for a call with a refused path.
 *
 * @param roots the paths of the roots, as announced.
 */
function denialText(
  called: Pick<JudgedCall, 'file' | 'server' | 'tool'>,
  { given, text, argument }: FoundPath,
  refusal: PathRefusal,
  roots: readonly string[],
): DenialText {
  const reason = refusal.reason || (given.includes(text) ? '' : rewritable);
  const path = argument.path.replace(/^\[\d+\]\.?/, '');
  const place = path === '' ? 'among the arguments' : `the argument ${quotePath(path)}`;
  const sentences = [
    `Access denied: Path '${printable(given.slice(0, 200))}' is ${refusal.isByRule ? ruledOut : outside}.`,
    `Current roots: [${roots.map(printable).join(', ')}].`,
    reason,
    `The path is ${place} of the tool ${quotePath(called.tool)}.`,
    // A server without roots gets no path at all, so this remedy would not help.
    refusal.isByRule || argument.name === '' || roots.length === 0
      ? ''
      : remedy(called, argument.name),
  ];
  return {
    reason: reason || 'The path is outside the roots.',
    message: sentences.filter(sentence => sentence !== '').join(' '),
  };
}

const outside = 'outside the roots';
const ruledOut = 'inside the roots, but refused by a rule';

/** The texts for a call whose arguments can't be checked. `reason` has whole sentences. */
function uncheckableText(reason: string): DenialText {
  return { reason, message: `Access denied: The arguments cannot be checked. ${reason}` };
}

/**
 * The reason when the refused path is not in the argument itself, but results from decoding or
 * expanding the argument.
 */
const rewritable = 'The text can expand to a path outside the roots. Write the plain path.';

function remedy({ file, server }: Pick<JudgedCall, 'file' | 'server'>, name: string): string {
  const key = `"leaveNames": [${quotePath(name)}]`;
  return `If this argument is never a local path, add ${key} to the "guard" of the server ${quotePath(server)} in ${printable(file)}.`;
}
