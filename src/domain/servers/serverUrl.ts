import { type Sentence, sentence } from '../sentence.ts';

/** The variable that a message recommends for a secret. */
export type SecretVariable = '${input:…}' | '${env:NAME}';

/** Returns the mistake in a URL, for a sentence that begins with the key. Never repeats the URL. */
export function urlProblem(
  url: string,
  secret: SecretVariable = '${input:…}',
): Sentence | undefined {
  // `canParse` accepts a URL with a very long host, but the constructor refuses it.
  const parsed = URL.parse(url);
  if (!parsed || !(parsed.protocol === 'http:' || parsed.protocol === 'https:')) {
    return sentence('must be a URL that begins with http:// or https://.');
  }
  if (parsed.username || parsed.password) {
    return sentence(
      'must not hold a user name or a password. Write "headers" with {0} instead.',
      secret,
    );
  }
  return undefined;
}

/**
 * Whether a URL leads to this machine and no other. A URL that can't be read, or a name that other
 * machines could have, leads elsewhere.
 */
export function isOnThisMachine(url: string): boolean {
  const host = URL.parse(url)?.hostname ?? '';
  return host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}
