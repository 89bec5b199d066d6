/** The variables that name a proxy, in capital letters: programs read them in small ones, too. */
export const proxyVariables = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'] as const;

/**
 * Whether the value of a proxy's variable is no more than its address. Whatever else may stand in
 * it may be a password, or a token in the place of a user's name, and so may not be handed on unasked.
 */
export function isPlainAddress(value: string): boolean {
  return plainAddress.test(value.trim());
}

const plainAddress =
  /^(?:[a-z][a-z\d+.-]*:\/\/)?(?:[\p{L}\p{N}._-]+|\[[\da-f:.]+\])?(?::\d+)?\/?$/iu;
