import { printable } from '../printable.ts';
import { HumanError, type Sentence, sentence, type Words } from '../sentence.ts';
import type { FailureKind } from './restarts.ts';

/** A missing requirement of a start: a program, a sandbox, or a value to be entered. */
export type Lack = { readonly program: string } | 'sandbox' | 'input';

/** A start could not go on for want of something. */
export class LackError extends HumanError {
  readonly lack: Lack;

  constructor(lack: Lack, template: string, ...values: readonly Words[]) {
    super(template, ...values);
    this.lack = lack;
  }
}

/** The missing requirement of an error, told by its field: each bundle has a class of its own. */
export function lackOf(error: unknown): Lack | undefined {
  return error instanceof Error && 'lack' in error ? (error as LackError).lack : undefined;
}

/** A failure in words: its kind, and the facts of that kind. */
export type ToldFailure =
  | {
      readonly kind: Exclude<FailureKind, 'silent' | 'ended' | 'not-started'>;
      readonly message: Words;
    }
  | { readonly kind: 'not-started'; readonly message: Words; readonly lack?: Lack }
  | {
      readonly kind: 'silent';
      readonly seconds: number;
      /** How many lines it printed meanwhile that were no messages. */
      readonly rubbishLines?: number;
      /** The last lines of its standard error. */
      readonly stderr?: readonly string[];
    }
  | {
      readonly kind: 'ended';
      readonly end: ToldEnd;
      /** It was ended because it had closed its output and went on running. */
      readonly hadClosedOutput?: true;
      readonly rubbishLines?: number;
    };

/** How a process ended, and the last lines of its standard error. */
export interface ToldEnd {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderr: readonly string[];
}

/** Why a server does not run, to be read after its name, with the last thing it said about it. */
export function failureSentence(failure: ToldFailure): Sentence {
  switch (failure.kind) {
    case 'not-started':
      return sentence('could not be started: {0}', failure.message);
    case 'silent':
      return withLastWords(
        sentence('did not answer within {0} seconds', String(failure.seconds)),
        failure.stderr ?? [],
        failure,
      );
    case 'protocol':
      return sentence('does not speak MCP as expected: {0}', failure.message);
    case 'unreachable':
      return sentence("can't be reached: {0}", failure.message);
    case 'lost':
      return sentence('lost the connection: {0}', failure.message);
    case 'unauthorized':
      return sentence('did not let us in: {0}', failure.message);
    case 'ended':
      return endSentence(failure);
  }
}

type EndedFailure = Extract<ToldFailure, { readonly kind: 'ended' }>;

/** Rubbish lines on standard output are told only when standard error says nothing. */
function endSentence(failure: EndedFailure): Sentence {
  const problem = downloadProblem(failure.end);
  if (problem) {
    return problemSentence(problem);
  }
  return withLastWords(wayToEnd(failure), failure.end.stderr, failure);
}

function withLastWords(
  how: Sentence,
  stderr: readonly string[],
  failure: { readonly rubbishLines?: number },
): Sentence {
  const line = lastWords(stderr);
  return line === undefined
    ? withRubbish(how, failure)
    : sentence('{0}: {1}', how, printable(line));
}

function wayToEnd({ end, hadClosedOutput }: EndedFailure): Sentence {
  if (hadClosedOutput) {
    return sentence('closed its output and went on running');
  }
  const { code, signal } = end;
  return signal
    ? sentence('ended by {0}', signal)
    : sentence('ended with exit code {0}', String(code ?? '?'));
}

/** The problem with its remedy, which says more than how the process ended. */
function problemSentence(problem: DownloadProblem): Sentence {
  const host = problem.host === undefined ? undefined : printable(problem.host);
  if (problem.kind === 'unreachable') {
    const what =
      host === undefined
        ? sentence('could not download')
        : sentence('could not download from {0}', host);
    return sentence('{0}: set HTTPS_PROXY if this machine needs a proxy', what);
  }
  const what =
    host === undefined
      ? sentence('does not trust a certificate')
      : sentence('does not trust the certificate of {0}', host);
  return problem.variable === undefined
    ? sentence('{0}, which has expired', what)
    : sentence("{0}: set {1} to the file with your company's certificates", what, problem.variable);
}

function withRubbish(
  what: Sentence,
  { rubbishLines = 0 }: { readonly rubbishLines?: number },
): Sentence {
  switch (rubbishLines) {
    case 0:
      return what;
    case 1:
      return sentence('{0}, and printed a line that is no message of MCP', what);
    default:
      return sentence(
        '{0}, and printed {1} lines that are no messages of MCP',
        what,
        String(rubbishLines),
      );
  }
}

/** A problem of a download, or of the network at a start. */
type DownloadProblem = Distrust | Unreachable;

/** The certificate of the other side is not one that it trusts. */
interface Distrust {
  readonly kind: 'distrust';
  /** `undefined`: it does not say whose certificate it is. */
  readonly host: string | undefined;
  /** The variable that would name further certificates to it; `undefined`: none would help. */
  readonly variable: 'NODE_EXTRA_CA_CERTS' | 'SSL_CERT_FILE' | undefined;
}

/** Nothing answers, or not in time. */
interface Unreachable {
  readonly kind: 'unreachable';
  readonly host: string | undefined;
}

/** How a program ended, and the last lines of its standard error. */
interface ProcessEndText {
  readonly code: number | null;
  readonly stderr: readonly string[];
}

/**
 * The network problem in the standard error of a program that failed, as npm, pnpm, uv and the libraries
 * of Node and Python word it; `undefined`: none. That something is out of reach counts
 * only of a download: a server may name any address that it does not reach.
 */
export function downloadProblem({ code, stderr }: ProcessEndText): DownloadProblem | undefined {
  // A signal, or an end without a complaint, has another reason than what was written before.
  const text = code ? stderr.join('\n') : '';
  const host = hostIn(text);
  const isDownload = download.test(text);
  if (distrust.test(text) || (isDownload && distrustOfUv.test(text))) {
    const ofPython = /CERTIFICATE_VERIFY_FAILED|\(_ssl\.c:|invalid peer certificate/.test(text);
    const variable = ofPython ? 'SSL_CERT_FILE' : 'NODE_EXTRA_CA_CERTS';
    return { kind: 'distrust', host, variable: expired.test(text) ? undefined : variable };
  }
  return isDownload && noWay.test(text) ? { kind: 'unreachable', host } : undefined;
}

const expired = /CERT_HAS_EXPIRED|certificate has expired|invalid peer certificate: Expired/;

const distrust = new RegExp(
  [
    expired.source,
    'SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_GET_ISSUER_CERT|CERT_UNTRUSTED|CERTIFICATE_VERIFY_FAILED',
    // Not every tool repeats the code.
    'self[- ]signed certificate|unable to (?:verify the first|get (?:local )?issuer) certificate',
  ].join('|'),
);

/** Other programs with the same words heed other variables. */
const distrustOfUv = /invalid peer certificate/;

const download =
  /^npm (?:error|ERR!) code |ERR_PNPM_META_FETCH_FAIL|Failed to (?:fetch|download):? `/m;

const noWay =
  /\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|E(?:NET|HOST)UNREACH|ERR_SOCKET_TIMEOUT)\b|dns error|tcp connect error|operation timed out/;

/** Where a request went, in the words of those tools. */
function hostIn(text: string): string | undefined {
  const [, ofUrl, ofPool] =
    /(?:request to|fetch:|for url|GET) [`'"(]?https?:\/\/(?:[^\s/@]*@)?([\w.:[\]-]{1,260})|host='([\w.-]{1,260})'/.exec(
      text,
    ) ?? [];
  return ofUrl ?? ofPool;
}

/**
 * The line of a standard error that says why its process ended, as far as that can be told;
 * `undefined`: none says anything.
 *
 * It is the last one that is no decoration. Of an error with a stack, which Node ends with its own
 * version and others with the properties of the error, it is the line with the error itself.
 */
export function lastWords(stderr: readonly string[]): string | undefined {
  const reason = installerReason(stderr);
  if (reason !== undefined) {
    return reason.trim();
  }
  const stack = stderr.findLastIndex(line => stackFrame.test(line));
  const afterStack = stderr.slice(stack + 1).filter(line => !isDecoration(line, stack >= 0));
  const beforeStack = stderr.slice(0, Math.max(stack, 0)).filter(line => !isDecoration(line, true));
  const found =
    afterStack.at(-1) ??
    beforeStack.findLast(isHeadline) ??
    beforeStack.at(-1) ??
    // Its beginning was not kept; what caused it, or one of several, may have been.
    stderr.findLast(line => /Error:/.test(line));
  return found?.trim();
}

/** Why npm or pnpm failed, after which they go on with advice and notices. */
function installerReason(stderr: readonly string[]): string | undefined {
  const code = stderr.findLastIndex(line => /^npm (?:error|ERR!) code \S/.test(line));
  const afterCode = code === -1 ? [] : stderr.slice(code + 1);
  return (
    afterCode.find(line =>
      /^npm (?:error|ERR!) (?!errno|syscall|path|dest|A complete)\S/.test(line),
    ) ?? stderr.find(line => /^\s*ERR_PNPM_\w+/.test(line))
  );
}

const stackFrame = /^\s+at .*(?:[):]\S*\d|\)|<anonymous>|native)$/;

const decorations: readonly RegExp[] = [
  /^\s*$/,
  stackFrame,
  /^Node\.js v\d/,
  /^\(Use `\w+ --trace-/,
  /^npm (?:error|ERR!) A complete log of this run/,
  /^npm (?:notice|warn|WARN)\b/,
  // Below a line of code, what is wrong in it.
  /^\s*[\^~]+\s*$/,
];

/** The properties that Node writes of an error are indented, and end with a bracket. */
const property = /^\s+\S|^[}\]]+$/;

function isDecoration(line: string, isOfError: boolean): boolean {
  return decorations.some(known => known.test(line)) || (isOfError && property.test(line));
}

/** Whether it begins an error, which may go on for further lines. */
function isHeadline(line: string): boolean {
  return /^(?:Uncaught )?[\w.$]*(?:Error|Exception)(?: \[\w+\])?:/.test(line);
}
