type ProxyVariables = Readonly<Record<string, string | undefined>>;

/** The variables that name a proxy, in capital letters: programs read them in small ones, too. */
export const proxyVariables = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'] as const;

export interface EditorProxy {
  /** Its URL; empty: none. */
  readonly url: string;
  /** The hosts that are reached without it. */
  readonly exceptions: readonly string[];
}

/**
 * Whether the value of a proxy's variable is no more than its address. Whatever else may stand in
 * it may be a password, or a token in the place of a user's name, and so may not be handed on unasked.
 */
export function isPlainAddress(value: string): boolean {
  return plainAddress.test(value.trim());
}

const plainAddress =
  /^(?:[a-z][a-z\d+.-]*:\/\/)?(?:[\p{L}\p{N}._-]+|\[[\da-f:.]+\])?(?::\d+)?\/?$/iu;

/** The variables, with the editor's proxy in them unless they name a proxy already. */
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
