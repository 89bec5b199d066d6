import { type Hide, hideSecretArguments, hideSecrets } from './literalSecrets.ts';

/** What stands for a secret where a text is shown. */
export const hiddenSecret = '…';

/** The text as it may be shown and remembered: {@link sparing}, with `…` for each secret in it. */
export function textAsShown(text: string): string {
  return hideSecrets(text, undefined, mask);
}

/** The same for arguments, of which one may be a secret because the one before it says so. */
export function argumentsAsShown(args: readonly string[]): string[] {
  return hideSecretArguments(args, mask);
}

/**
 * Hides less than it is asked to. A person consents to what can be seen, so that nothing that may
 * be run is taken for a secret: of `TOKEN=abc; rm -r x` only `abc` is, and no path is, and no URL.
 */
export function sparing(hide: Hide): Hide {
  const spare: Hide = (hint, secret) => {
    if (secret.startsWith('-----BEGIN ')) {
      return hide(hint, secret);
    }
    const [word = ''] = /^(?:(?!\$\()[^\s;|&<>`'"(){}\\])*/.exec(secret) ?? [];
    if (isAddress(word)) {
      return hideSecrets(secret, undefined, spare);
    }
    const rest = secret.slice(word.length);
    const start = word === '' || isPath(word) ? word : hide(hint, word);
    return start + (rest && hideSecrets(rest, undefined, spare));
  };
  return spare;
}

/** Whether a text leads to a file, a folder or another machine, and therefore is no secret itself. */
export function isPlace(text: string): boolean {
  return isAddress(text) || isPath(text);
}

function mask(hint: string, secret: string): string {
  return sparing(() => hiddenSecret)(hint, secret);
}

function isAddress(text: string): boolean {
  return /^[a-z][\w+.-]*:\/\//i.test(text);
}

function isPath(text: string): boolean {
  return (
    /^(?:~|\.{0,2}[\\/]|[a-z]:[\\/]|@[\w.-]+\/)/i.test(text) ||
    /\.(?:[cm]?[jt]sx?|py|rb|sh|jar|dll|exe|bat|cmd|ps1|json|ya?ml|toml|pem|crt)$/i.test(text)
  );
}
