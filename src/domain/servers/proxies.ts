type ProxyVariables = Readonly<Record<string, string | undefined>>;

/** The variables for a proxy, in capital letters. Programs also read them in small letters. */
export const proxyVariables = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'] as const;

export interface EditorProxy {
  /** The proxy's URL; empty without a proxy. */
  readonly url: string;
  /** The hosts that programs reach without the proxy. */
  readonly exceptions: readonly string[];
}

/**
 * Whether a proxy variable's value is only an address. Other parts may be a password, or a token in
 * place of the user name, so a server gets them only if its definition says so.
 */
export function isPlainAddress(value: string): boolean {
  return plainAddress.test(value.trim());
}

const plainAddress =
  /^(?:[a-z][a-z\d+.-]*:\/\/)?(?:[\p{L}\p{N}._-]+|\[[\da-f:.]+\])?(?::\d+)?\/?$/iu;

/** The variables plus the editor's proxy, unless they name a proxy already. */
export function withEditorProxy(
  own: ProxyVariables,
  { url, exceptions }: EditorProxy,
): ProxyVariables {
  const known = new Set(
    Object.keys(own).flatMap(name => (own[name] === undefined ? [] : name.toUpperCase())),
  );
  if (url === '' || proxyVariables.some(name => known.has(name))) {
    return own;
  }
  const hasExceptions = exceptions.length > 0 && !known.has('NO_PROXY');
  return {
    ...own,
    HTTP_PROXY: url,
    HTTPS_PROXY: url,
    ...(hasExceptions && { NO_PROXY: exceptions.join(',') }),
  };
}
