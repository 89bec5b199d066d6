import { randomUUID } from 'node:crypto';

/** The length in characters from which a text is better written apart than copied into one string. */
const longText = 32 * 1024;

/**
 * The JSON of a value, in parts to be written one after the other.
 *
 * A file that is read is in its answer twice, for programs and for people. Such a text is escaped
 * once and never copied, which halves the time and the memory of a large answer.
 */
export function jsonParts(value: unknown): readonly string[] {
  if (!hasLongText(value)) {
    return [JSON.stringify(value)];
  }
  // Drawn only now, it cannot stand in the value.
  const mark = randomUUID();
  const escaped: string[] = [];
  let latest: string | undefined;
  const frame = JSON.stringify(value, (_name, part) => {
    if (typeof part !== 'string' || part.length < longText) {
      return part;
    }
    escaped.push((part === latest && escaped.at(-1)) || JSON.stringify(part));
    latest = part;
    return mark;
  });
  return frame.split(`"${mark}"`).flatMap((part, at) => [part, ...escaped.slice(at, at + 1)]);
}

/** Looks where tools put texts: asking about each part of every message would take longer. */
function hasLongText(value: unknown): boolean {
  const { result } = value as { readonly result?: { readonly content?: unknown } };
  const content: readonly unknown[] = Array.isArray(result?.content) ? result.content : [];
  return content.some(item => {
    const text = (item as { readonly text?: unknown } | null)?.text;
    return typeof text === 'string' && text.length >= longText;
  });
}
