import { runInNewContext } from 'node:vm';
import { argumentPaths, type FoundPath } from '../../domain/guard/argumentPaths.ts';
import { jsonLine, printable } from '../../domain/printable.ts';
import { type Judging, judgePath, type PathRefusal, thisDisk } from './pathJudge.ts';

/** A call that is judged. */
export interface JudgedCall {
  /** The name of the configuration's file. */
  readonly file: string;
  readonly server: string;
  readonly tool: string;
  readonly args: unknown;
  /** The tool's own `inputSchema`; `undefined`: it is not known. */
  readonly schema?: unknown;
}

/** Whether a call may be handed on to a server. */
export type Verdict =
  | {
      readonly kind: 'allowed' | 'unchecked';
      /** The real paths that were judged; at most 20 of them. */
      readonly paths: readonly string[];
    }
  | Denied;

/** The refusal of a call. */
export interface Denied extends DenialText {
  readonly kind: 'denied';
  /** As it was given; empty when it is the arguments as a whole that can't be checked. */
  readonly path: string;
  readonly canonical: string | undefined;
}

/**
 * Judges the arguments of a call: a path that it names as a path has to be inside the roots. That is
 * a courtesy to honest servers and models, and no boundary. Synchronous, so that the call can be
 * sent in the turn it is judged in.
 */
export function judge(
  call: JudgedCall,
  { disk = thisDisk, ...terms }: Omit<Judging, 'disk'> & Partial<Pick<Judging, 'disk'>>,
): Verdict {
  const judging: Judging = { ...terms, disk };
  const { rules, scope } = judging;
  if (rules.isOff) {
    return { kind: 'unchecked', paths: [] };
  }
  const reading = { rules, schema: call.schema, scope };
  const search = () => argumentPaths(call.args, reading);
  // Only patterns of the configuration can take for ever on a single text.
  const found = rules.pathPatterns.length > 0 ? runInTime(search) : search();
  if (!found?.ok) {
    const { reason = 'That would take too long.' } = found ?? {};
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

/** In milliseconds on the clock, of which a machine that stands still for a moment takes its part. */
const longestPattern = 500;

/** The result of `work`; `undefined`: it took too long. It costs a millisecond more. */
function runInTime<T>(work: () => T): T | undefined {
  let made: T | undefined;
  const run = () => {
    made = work();
  };
  try {
    runInNewContext('run()', { run }, { timeout: longestPattern });
  } catch (error) {
    // Not `instanceof`: it was thrown in another V8 context.
    if (Object(error).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      throw error;
    }
  }
  return made;
}

interface DenialText {
  /** The reason, in finished sentences. */
  readonly reason: string;
  /** The whole answer for the client. */
  readonly message: string;
}

/**
 * For a call that names a path which is refused.
 *
 * @param roots the paths of the roots, as they were announced.
 */
function denialText(
  called: Pick<JudgedCall, 'file' | 'server' | 'tool'>,
  { given, text, argument }: FoundPath,
  refusal: PathRefusal,
  roots: readonly string[],
): DenialText {
  const reason = refusal.reason || (given.includes(text) ? '' : rewritable);
  const path = argument.path.replace(/^\[\d+\]\.?/, '');
  const place = path === '' ? 'among the arguments' : `the argument ${quoted(path)}`;
  const sentences = [
    `Access denied: Path '${printable(given.slice(0, 200))}' is ${refusal.isByRule ? ruledOut : outside}.`,
    `Current roots: [${roots.map(printable).join(', ')}].`,
    reason,
    `It is ${place} of the tool ${quoted(called.tool)}.`,
    // Without roots every path is refused: they come first.
    refusal.isByRule || argument.name === '' || roots.length === 0
      ? ''
      : remedy(called, argument.name),
  ];
  return {
    reason: reason || 'It is outside the roots.',
    message: sentences.filter(sentence => sentence !== '').join(' '),
  };
}

const outside = 'outside the allowed roots boundaries';
const ruledOut = 'inside the roots, but refused by a rule';

/** For a call whose arguments as a whole can't be checked, for a reason in finished sentences. */
function uncheckableText(reason: string): DenialText {
  return { reason, message: `Access denied: The arguments cannot be checked. ${reason}` };
}

/**
 * The reason when the refused path does not stand in the argument itself, but results from decoding
 * or expanding it.
 */
const rewritable = 'It could be expanded or decoded to something outside: write the plain path.';

function remedy({ file, server }: Pick<JudgedCall, 'file' | 'server'>, name: string): string {
  const key = `"leaveNames": [${quoted(name)}]`;
  return `If that is never a local path, add ${key} to the server ${quoted(server)} in ${printable(file)}.`;
}

function quoted(text: string): string {
  return jsonLine(text.slice(0, 200));
}
