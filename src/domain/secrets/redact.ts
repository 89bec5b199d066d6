import { type Hide, hideSecretArguments, hideSecrets } from './literalSecrets.ts';
import { isSecretName } from './secretNames.ts';
import { hiddenMark, isPlace, sparing } from './shownTexts.ts';

const mark = '•••';
/** A shorter value stands in many texts by chance: marking those would tell it. */
const shortestSecret = 4;

/**
 * The text with every secret in it made unreadable: as it is, as a URL or as JSON writes it, and each
 * line of one that has many, since logs are cut into lines.
 */
export function redacted(text: string, secrets: readonly string[]): string {
  return redactor(secrets)(text);
}

/** {@link redacted} for many texts and the same secrets. */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const forms = new Set(
    secrets.flatMap(spellings).filter(({ length }) => length >= shortestSecret),
  );
  // The longest first: a secret that begins with another one must not leave its end behind.
  const ordered = [...forms].sort((a, b) => b.length - a.length);
  return text => ordered.reduce((rest, form) => rest.replaceAll(form, mark), text);
}

function spellings(secret: string): string[] {
  const inUrl = new URLSearchParams({ '': secret }).toString().slice(1);
  const inJson = JSON.stringify(secret).slice(1, -1);
  const lines = secret.split(/\r?\n/);
  return [secret, inJson, inUrl, inUrl.replaceAll('+', '%20'), ...lines];
}

/** The values that must be seen nowhere: those whose names say so, and what is recognised in others. */
export function secretValues(values: Readonly<Record<string, string>>): string[] {
  return hideable(
    Object.entries(values).flatMap(([name, value]) =>
      isSecretName(name)
        ? [value, withoutScheme(value)]
        : collected(note => hideSecrets(value, name, note)),
    ),
  );
}

export function secretsInText(text: string): string[] {
  return collected(note => hideSecrets(text, undefined, note));
}

/** The secrets recognised in arguments without variables. */
export function secretsInArguments(command: string, args: readonly string[]): string[] {
  return collected(note => hideSecretArguments(command, args, note));
}

/** The values that are long enough to hide, each once. */
export function hideable(values: readonly string[]): string[] {
  return [...new Set(values)].filter(({ length }) => length >= shortestSecret);
}

/** `Bearer abc` is said as `abc`, too. */
function withoutScheme(value: string): string {
  return value.replace(/^\w+ +/, '');
}

/** Each secret as a whole, and what else of it would not be shown: a server may repeat either. */
function collected(find: (note: Hide) => unknown): string[] {
  const found: string[] = [];
  const add = (secret: string) => {
    found.push(secret, decoded(secret));
    return hiddenMark;
  };
  const addWord = sparing((_, word) => add(word));
  find((hint, secret) => {
    addWord(hint, secret);
    return isPlace(secret) ? hiddenMark : add(secret);
  });
  return hideable(found);
}

/** A password in a URL is used as it was meant, not as it is written there. */
function decoded(secret: string): string {
  try {
    return decodeURIComponent(secret);
  } catch {
    return secret; // A lone `%` stands for itself.
  }
}
