import { type Hide, hideSecretArguments, hideSecrets } from './literalSecrets.ts';
import { isSecretName } from './secretNames.ts';
import { hiddenMark, isPlace, sparing } from './shownTexts.ts';

const mark = '•••';
/** Shorter values appear in many texts by chance. Masking them would reveal what they are. */
const shortestSecret = 4;

/**
 * The text with every secret masked: as written, in the forms of URLs and JSON, and each line of a
 * secret with several lines, because logs are cut into lines.
 */
export function redacted(text: string, secrets: readonly string[]): string {
  return redactor(secrets)(text);
}

/** {@link redacted} for many texts and the same secrets. */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const forms = new Set(
    secrets.flatMap(spellings).filter(({ length }) => length >= shortestSecret),
  );
  // Masks longer forms first. Otherwise, the mask of a shorter form would leave the rest visible.
  const ordered = [...forms].sort((a, b) => b.length - a.length);
  return text => ordered.reduce((rest, form) => rest.replaceAll(form, mark), text);
}

function spellings(secret: string): string[] {
  const inUrl = new URLSearchParams({ '': secret }).toString().slice(1);
  const inJson = JSON.stringify(secret).slice(1, -1);
  const lines = secret.split(/\r?\n/);
  return [secret, inJson, inUrl, inUrl.replaceAll('+', '%20'), ...lines];
}

/** Returns the values whose names suggest a secret, and the secrets found in other values. */
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

/** The secrets in arguments that have no variables left. */
export function secretsInArguments(command: string, args: readonly string[]): string[] {
  return collected(note => hideSecretArguments(command, args, note));
}

/** The values that are long enough to mask, each once. */
export function hideable(values: readonly string[]): string[] {
  return [...new Set(values)].filter(({ length }) => length >= shortestSecret);
}

/** Returns the secret after a scheme: in `Bearer abc`, `abc` alone is a secret, too. */
function withoutScheme(value: string): string {
  return value.replace(/^\w+ +/, '');
}

/** Collects the secrets that `find` notes, and their parts: a server could repeat a part alone. */
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

/** Decodes a password from a URL, because programs use the decoded password. */
function decoded(secret: string): string {
  try {
    return decodeURIComponent(secret);
  } catch {
    return secret; // A lone `%` stands for itself, so the secret is not encoded.
  }
}
