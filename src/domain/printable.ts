/**
 * Characters that can't be seen, or change how those around them are seen: controls, lone halves of
 * a pair, whatever directs text, what has no width or looks empty (soft hyphens, fillers, tags,
 * variation selectors). A name from outside may hold any, and none may forge a line of a log, the
 * look of a row, or hide what a person agrees to.
 */
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** The text with each character that can't be seen written as `\uXXXX`, one in JSON would be. */
export function printable(text: string): string {
  // Most text is plain ASCII, and seeing that is quicker than looking for what is unsafe.
  return /[^ -~]/.test(text) ? text.replace(unsafe, escaped) : text;
}

/** Words in one printable line, quoted where it could not be told otherwise where they begin and end. */
export function printableWords(words: readonly string[]): string {
  return words
    .map(word => printable(/^[^\s"'$]+$/.test(word) ? word : JSON.stringify(word)))
    .join(' ');
}

/** The value as one line of JSON that holds no such character; it reads back as the same value. */
export function jsonLine(value: unknown): string {
  return printable(JSON.stringify(value));
}

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}
