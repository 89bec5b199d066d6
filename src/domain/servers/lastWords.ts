/** A problem of the network at a start, or in a download. */
export type DownloadProblem = Distrust | Unreachable;

/** The program does not trust the certificate of the host. */
interface Distrust {
  readonly kind: 'distrust';
  /** The host of the certificate; `undefined` if the error does not name the host. */
  readonly host: string | undefined;
  /** The variable that could name more certificates; `undefined` if no variable would help. */
  readonly variable: 'NODE_EXTRA_CA_CERTS' | 'SSL_CERT_FILE' | undefined;
}

/** The host does not answer, or answers too late. */
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
 * The network problem in a failed program's standard error, in the words of npm, pnpm, uv, and the
 * libraries of Node and Python; `undefined` for other errors. An unreachable host counts only in a
 * download, because a server may mention any address that it can't reach.
 */
export function downloadProblem({
  code,
  stderr,
}: Pick<EndText, 'code' | 'stderr'>): DownloadProblem | undefined {
  // If the program ended by a signal or without an error code, its last text is not the reason.
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
    // Some tools print only these words, without the code.
    'self[- ]signed certificate|unable to (?:verify the first|get (?:local )?issuer) certificate',
  ].join('|'),
);

/** uv prints these words. Other programs that print similar words read other variables. */
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
 * Returns the line of standard error that probably explains why the process ended, if any. It is
 * the last line that is not decoration. For an error with a stack, it is the line with the error
 * itself: Node prints its version after the stack, other programs the error's properties.
 */
export function lastWords(stderr: readonly string[]): string | undefined {
  const reason = installerReason(stderr);
  if (reason !== undefined) {
    return reason.trim();
  }
  const stack = stderr.findLastIndex(line => stackFrame.test(line));
  const isOfError = stack >= 0 || stderr.some(line => /^[}\]]$/.test(line));
  const afterStack = stderr.slice(stack + 1).filter(line => !isDecoration(line, isOfError));
  const beforeStack = stderr.slice(0, Math.max(stack, 0)).filter(line => !isDecoration(line, true));
  const found =
    afterStack.at(-1) ??
    beforeStack.findLast(isHeadline) ??
    beforeStack.at(-1) ??
    // The error's first lines may be lost, while a line with its cause is left.
    stderr.findLast(line => /Error:/.test(line)) ??
    stderr.findLast(line => !isDecoration(line, false));
  return found?.trim().replace(/ [{[]$/, '');
}

/** Why npm or pnpm failed. They print advice and notices after the reason. */
function installerReason(stderr: readonly string[]): string | undefined {
  const code = stderr.findLastIndex(line => /^npm (?:error|ERR!) code \S/.test(line));
  const afterCode = code === -1 ? [] : stderr.slice(code + 1);
  return (
    afterCode.find(line =>
      /^npm (?:error|ERR!) (?!errno|syscall|path|dest|A complete)\S/.test(line),
    ) ?? stderr.find(line => /^\s*ERR_PNPM_\w+/.test(line))
  );
}

/** The last frame of a stack ends in a bracket if the error's properties follow. */
const stackFrame = /^\s+at .*(?:[):]\S*\d|\)|<anonymous>|native)(?: \{)?$/;

const decorations: readonly RegExp[] = [
  /^[\s{}[\]()]*$/,
  stackFrame,
  /^Node\.js v\d/,
  /^\(Use `\w+ --trace-/,
  /^npm (?:error|ERR!) A complete log of this run/,
  /^npm (?:notice|warn|WARN)\b/,
  // A line that marks the mistake in the line of code above.
  /^\s*[\^~]+\s*$/,
];

/** Node indents the properties of an error. */
const property = /^\s+\S/;

function isDecoration(line: string, isOfError: boolean): boolean {
  return decorations.some(known => known.test(line)) || (isOfError && property.test(line));
}

/** Whether the line begins an error. The error may continue on the next lines. */
function isHeadline(line: string): boolean {
  return /^(?:Uncaught )?[\w.$]*(?:Error|Exception)(?: \[\w+\])?:/.test(line);
}
