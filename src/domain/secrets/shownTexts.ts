import { type Hide, hideSecretArguments, hideSecrets } from './literalSecrets.ts';
import { isSecretName } from './secretNames.ts';

/** The start of the mark for a hidden value. The value's length follows: `…[40]`. */
export const hiddenMark = '…';

/**
 * The text in a form to show and to store: `…` and the length replace each secret that {@link
 * sparing} finds. The secret is only hidden from view: consent covers it, too.
 */
export function textAsShown(text: string): string {
  const shown = hideSecrets(text, undefined, mask);
  // Next to a mark, other text may now look like a secret.
  return shown === text ? text : textAsShown(shown);
}

/**
 * The value of a variable, a header or a query in a form to show. If the name means a secret, the
 * whole value is hidden, because nobody runs it as a command. Only a place stays visible.
 */
export function valueAsShown(name: string, value: string): string {
  return isSecretName(name) ? hideSecrets(value, name, maskWhole) : textAsShown(value);
}

/**
 * A URL in a form to show: without passwords, without secrets in its query, and without query parts
 * that have no name, because such a part may be a key. The URL may hold `${variables}`.
 */
export function urlAsShown(url: string): string {
  const start = url.indexOf('?') + 1;
  if (start === 0) {
    return textAsShown(url);
  }
  const end = url.indexOf('#', start);
  const query = url.slice(start, end < 0 ? undefined : end).split('&');
  const shown = query.map(pair => {
    const mark = pair.indexOf('=') + 1;
    return mark === 0
      ? valueAsShown('key', pair)
      : pair.slice(0, mark) + valueAsShown(pair.slice(0, mark - 1), pair.slice(mark));
  });
  const fragment = end < 0 ? '' : textAsShown(url.slice(end));
  return textAsShown(url.slice(0, start)) + shown.join('&') + fragment;
}

/** A program's arguments in a form to show. An argument may mark the next argument as a secret. */
export function argumentsAsShown(command: string, args: readonly string[]): string[] {
  return hideSecretArguments(command, args, runsText(command, args) ? mask : maskWhole);
}

/**
 * Returns a `Hide` that hides less than `hide`. A person consents to what is visible, so text that
 * may be run is no secret: in `TOKEN=abc; rm -r x`, only `abc` is. Paths, hosts and URLs are no
 * secrets.
 */
export function sparing(hide: Hide): Hide {
  let depth = 0;
  const spare: Hide = (hint, secret) => {
    if (secret.startsWith('-----BEGIN ')) {
      return hide(hint, secret);
    }
    const [word = ''] = /^(?:\$\{[\w:.-]*\}|(?!\$\()[^\s;|&<>`'"(){}\\])*/.exec(secret) ?? [];
    if (isAddress(word) && depth < deepest) {
      depth += 1;
      const shown = hideSecrets(secret, undefined, spare);
      depth -= 1;
      return shown;
    }
    const rest = secret.slice(word.length);
    const start = word === '' || isPath(word) || isHost(word) ? word : hide(hint, word);
    depth += 1;
    // With so many secrets, nobody could read the rest.
    const shown = depth > deepest ? hide(hint, rest) : hideSecrets(rest, undefined, spare);
    depth -= 1;
    return start + (rest && shown);
  };
  return spare;
}

/** How many times the text after a secret is searched for another secret. */
const deepest = 20;

/** Whether a program may run an argument as code. Then only parts that can't run are hidden. */
function runsText(command: string, args: readonly string[]): boolean {
  return (
    /(?:^|[\\/])(?:\w*sh|cmd|powershell)(?:\.exe)?$/i.test(command) ||
    args.some(arg => /^(?:-\w*[ce]|--?eval|--?command|\/[ck])$/i.test(arg))
  );
}

function maskWhole(_: string, secret: string): string {
  return isPlace(secret) ? textAsShown(secret) : hidden(secret);
}

/** Whether a text leads to a file, a folder or another machine. Such a text is not a secret. */
export function isPlace(text: string): boolean {
  return isAddress(text) || isPath(text) || isHost(text);
}

function mask(hint: string, secret: string): string {
  return sparing((_, word) => hidden(word))(hint, secret);
}

/** The mark for a secret. A text that is a mark already stays unchanged. */
function hidden(secret: string): string {
  return /^\u2026\[\d+\]$/.test(secret) ? secret : `${hiddenMark}[${secret.length}]`;
}

function isAddress(text: string): boolean {
  return /^[a-z][\w+.-]*:\/\//i.test(text);
}

function isHost(text: string): boolean {
  // Only lower case, like most hosts. A password with a dot is seldom all lower case.
  return /^(?:localhost|(?:[a-z\d-]{1,63}\.){1,8}[a-z]{2,24}|\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5})?$/.test(
    text,
  );
}

function isPath(text: string): boolean {
  return (
    (/^(?:~[\\/]|\.{0,2}[\\/]|[a-z]:[\\/]|@[\w.-]+\/)/i.test(text) && !isBase64(text)) ||
    /\.(?:[cm]?[jt]sx?|py|rb|sh|jar|dll|exe|bat|cmd|ps1|json|ya?ml|toml|pem|crt)$/i.test(text)
  );
}

/** Keys often are Base64. One of 64 such keys begins with a slash, like a path. */
function isBase64(text: string): boolean {
  return /^[A-Za-z\d+/]{30,}={0,2}$/.test(text) && /[A-Z]/.test(text) && /\d/.test(text);
}
