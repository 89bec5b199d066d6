/** Where to listen, and the bearer token that every request then has to bring. */
export interface ListenAddress {
  /** A host name or an address, without brackets; `0.0.0.0` and `::` stand for all addresses. */
  readonly host: string;
  /** 0 stands for any free port. */
  readonly port: number;
  readonly token?: string | undefined;
}

/** Why a server must not listen there, as finished sentences; `undefined` when it may. */
export function listenProblem({ host, token }: ListenAddress): string | undefined {
  if (hostNameOf(host) === undefined) {
    return `"${host}" is no host to listen on. Name a host or an address, such as 127.0.0.1.`;
  }
  if (token === undefined) {
    return isLoopback(host)
      ? undefined
      : `Other machines can reach ${host}, so a token is required. Put a long random one into an ` +
          'environment variable and name that variable with --token-env.';
  }
  // Nothing else arrives in the header as it was sent.
  return /^[\x21-\x7e]+$/.test(token)
    ? undefined
    : 'The token must be printable ASCII characters without spaces.';
}

/** The host as it stands in a URL: in lower case, an IPv6 address in brackets. */
export function hostNameOf(host: string): string | undefined {
  const url = `http://${host.includes(':') ? `[${host}]` : host}`;
  return /[\s/?#@%\\[\]]/.test(host) || !URL.canParse(url) ? undefined : new URL(url).hostname;
}

/** Whether only programs on this machine can reach the host. Of all names, only `localhost` says so. */
export function isLoopback(host: string): boolean {
  const name = hostNameOf(host) ?? '';
  return name === 'localhost' || name === '[::1]' || /^127(?:\.\d+){3}$/.test(name);
}

/** Whether the host stands for every address of this machine. */
export function isWildcard(host: string): boolean {
  return ['0.0.0.0', '[::]'].includes(hostNameOf(host) ?? '');
}
