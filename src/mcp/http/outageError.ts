/** What the codes of the operating system and of the resolver say, for those that are common. */
const reasons: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'the connection was refused'],
  ['ECONNRESET', 'the connection was cut'],
  ['ENOTFOUND', 'no such host is known'],
  ['EAI_AGAIN', 'no name server answers'],
  ['ETIMEDOUT', 'the connection took too long'],
  ['UND_ERR_CONNECT_TIMEOUT', 'the connection took too long'],
  ['UND_ERR_HEADERS_TIMEOUT', 'no answer came'],
  ['UND_ERR_SOCKET', 'the connection was cut'],
  ['EHOSTUNREACH', 'there is no way to the host'],
  ['ENETUNREACH', 'there is no network'],
]);

/** What happens to a connection that there was: a server that closes it may answer on the next one. */
const cuts: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_HEADERS_TIMEOUT',
]);

/** A request got no answer. The message names the host and the reason, and no more of the URL. */
export class OutageError extends Error {
  override readonly name = 'OutageError';
  /** Whether there was a connection at all. */
  readonly wasConnected: boolean;

  constructor({ host }: URL, cause: unknown) {
    const { code, words } = reasonOf(cause);
    super(`${host}: ${words}`, { cause });
    this.wasConnected = cuts.has(code);
  }
}

/** `fetch` says nothing itself: what happened is its cause, or the cause of that. */
function reasonOf(error: unknown): { readonly code: string; readonly words: string } {
  if (!(error instanceof Error)) {
    return { code: '', words: String(error) };
  }
  const { code = '' } = error as NodeJS.ErrnoException;
  const words = reasons.get(code);
  if (words === undefined && error.cause) {
    return reasonOf(error.cause);
  }
  return { code, words: words ?? (error.message || code || error.name) };
}
