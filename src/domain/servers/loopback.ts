/**
 * Whether a URL leads to this machine and no further. One that can't be read, and every name that
 * others could give to a machine of theirs, leads elsewhere.
 */
export function isOnThisMachine(url: string): boolean {
  const host = URL.parse(url)?.hostname ?? '';
  return host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}
