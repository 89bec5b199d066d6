/** What stands where a secret stood. */
const mark = '•••';
/** A shorter value stands in many texts by chance: marking those would tell it. */
export const shortestSecret = 4;

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
