// Control characters, and those that change the direction of the text after them: a folder name
// may hold both, and neither may forge a line of a log or the look of a row.
const unsafe = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** The text with control and bidirectional characters written as `\uXXXX`. */
export function printable(text: string): string {
  // Most text is plain ASCII, and seeing that is quicker than looking for what is unsafe.
  return /[^ -~]/.test(text)
    ? text.replace(unsafe, one => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
    : text;
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
