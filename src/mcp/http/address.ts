/**
 * The address of a server.
 *
 * @throws when it can't be one; the error does not say what it is, which may hold a secret.
 */
export function addressOf(text: string): URL {
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new Error('The address begins with neither https nor http.');
  }
  if (url.username || url.password) {
    throw new Error('The address holds a name or a password. Use a header for those.');
  }
  return url;
}
