import { type Sentence, sentence } from '../sentence.ts';

/** The variable that a secret is best written as. */
export type SecretVariable = '${input:…}' | '${env:NAME}';

/** The mistake in the URL of a server, to be read after its key; never repeats the URL. */
export function urlProblem(
  url: string,
  secret: SecretVariable = '${input:…}',
): Sentence | undefined {
  // `canParse` takes URLs with a very long host that the constructor refuses.
  const parsed = URL.parse(url);
  if (!parsed || !(parsed.protocol === 'http:' || parsed.protocol === 'https:')) {
    return sentence('must be a URL that begins with http:// or https://.');
  }
  if (parsed.username || parsed.password) {
    return sentence(
      'must hold no user name and no password. Write "headers" with {0} instead.',
      secret,
    );
  }
  return undefined;
}

/**
 * Whether a URL leads to this machine and no further. One that can't be read, and every name that
 * others could give to a machine of theirs, leads elsewhere.
 */
export function isOnThisMachine(url: string): boolean {
  const host = URL.parse(url)?.hostname ?? '';
  return host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}
