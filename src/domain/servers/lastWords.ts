/** A problem of a download, or of the network at a start. */
export type DownloadProblem = Distrust | Unreachable;

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

export interface EndText {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderr: readonly string[];
}

/**
 * The network problem in the standard error of a program that failed, as npm, pnpm, uv and the libraries
 * of Node and Python word it; `undefined`: none. That something is out of reach counts
 * only of a download: a server may name any address that it does not reach.
 */
export function downloadProblem({
  code,
  stderr,
}: Pick<EndText, 'code' | 'stderr'>): DownloadProblem | undefined {
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
