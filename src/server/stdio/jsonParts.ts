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
  const texts: string[] = [];
  let mark = '';
  const apart = (_name: string, part: unknown) => {
    if (typeof part !== 'string' || part.length < longText) {
      return part;
    }
    texts.push(part);
    // A mark that is drawn only now cannot stand in the value.
    mark ||= randomUUID();
    return mark;
  };
  const frame = hasLongText(value) ? JSON.stringify(value, apart) : JSON.stringify(value);
  return texts.length === 0 ? [frame] : joined(frame.split(`"${mark}"`), texts);
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

function joined(frame: readonly string[], texts: readonly string[]): readonly string[] {
  let latest: string | undefined;
  let escaped = '';
  return frame.flatMap((part, index) => {
    const text = texts[index];
    if (text === undefined) {
      return [part];
    }
    escaped = text === latest ? escaped : JSON.stringify(text);
    latest = text;
    return [part, escaped];
  });
}
