/** What stands for a value that is not to be seen. */
const hidden = '…';

/**
 * A URL as it may be shown: without user name and password, and without the values of its query.
 * It is read as text, because one that holds `${variables}` is no URL yet.
 */
export function shownUrl(url: string): string {
  return url
    .replace(/#.*$/s, '')
    .replace(/^([a-z][\w+.-]*:\/\/)[^/?]*@/i, `$1${hidden}@`)
    .replace(/\?.*$/s, query => `?${query.slice(1).split('&').map(withoutValue).join('&')}`);
}

/** What has no name might be nothing but a key. */
function withoutValue(pair: string): string {
  return `${pair.slice(0, pair.indexOf('=') + 1)}${hidden}`;
}
