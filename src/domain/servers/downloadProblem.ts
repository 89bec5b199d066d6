/** What kept a program from downloading, or from reaching what it needs at its start. */
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

/** How a program ended, and the last lines of its standard error. */
interface End {
  readonly code: number | null;
  readonly stderr: readonly string[];
}

/**
 * What the standard error of a program that failed says of the network, as npm, pnpm, uv and the
 * libraries of Node and Python word it; `undefined`: nothing. That something is out of reach counts
 * only of a download: a server may name any address that it does not reach.
 */
export function downloadProblem({ code, stderr }: End): DownloadProblem | undefined {
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
