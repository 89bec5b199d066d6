/**
 * Characters that can't be seen, or change how their neighbours are seen: controls, lone halves of a
 * pair, marks of text direction, characters without width or that look empty (soft hyphens, fillers,
 * tags, variation selectors). A name from outside may hold any, and none may forge a line of a log,
 * the look of a row, or hide what a person agrees to.
 */
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** The text with each character that can't be seen written as `\uXXXX`, as in JSON. */
export function printable(text: string): string {
  return unusual.test(text) ? text.replace(unsafe, escaped) : text;
}

/** Most text is plain ASCII, and seeing that is quicker than looking for what is unsafe. */
const unusual = /[^ -~]/;

/** The same for a text of several lines, whose ends of lines and tabs stay. */
export function printableLines(text: string): string {
  const lines = text.split(/\r\n|\r|\n/);
  return lines.map(line => line.split('\t').map(printable).join('\t')).join('\n');
}

/** Marks of direction for a letter or two, and what joins or changes signs: many languages need them. */
const needed = /[\u061c\u200c-\u200f]|[\ufe00-\ufe0f]/;

/**
 * A text of several lines that is shown for what it says, in whatever language: what its writing needs
 * stays, and only what may hide or reorder the rest is escaped.
 */
export function readableLines(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(unsafe, character =>
      /[\n\t]/.test(character) || needed.test(character) ? character : escaped(character),
    );
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

/** The text, of which no more is kept than so many characters; what was left out is an ellipsis. */
export function cut(text: string, length: number): string {
  return text.length > length ? `${startOf(text, length)}…` : text;
}

/** A path in quotes and cut to 200 characters, for a message or a log. */
export function quotePath(path: string): string {
  return jsonLine(cut(path, 200));
}

/**
 * The text, of which no more than about so many characters are kept, most of them from its start and
 * some from its end; between them stands how many were left out.
 */
export function cutMiddle(text: string, length: number): string {
  if (text.length <= length) {
    return text;
  }
  const start = startOf(text, Math.ceil((length * 2) / 3));
  const end = text.slice(start.length - length).replace(/^[\udc00-\udfff]/, '');
  return `${start} …(${text.length - start.length - end.length} more)… ${end}`;
}

/** Half of a character that takes two units is none. */
function startOf(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}
