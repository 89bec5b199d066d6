/**
 * Characters that are invisible or change how their neighbors look: controls, lone halves of a
 * pair, marks of text direction, characters without width or look (soft hyphens, fillers, tags,
 * variation selectors). A name from outside may hold them. It must not forge a line of a log or the
 * look of a row, or hide what a person agrees to.
 */
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** The text with each invisible character written as `\uXXXX`, as in JSON. */
export function printable(text: string): string {
  return unusual.test(text) ? text.replace(unsafe, escaped) : text;
}

/** Most text is plain ASCII, and this test is quicker than the search for unsafe characters. */
const unusual = /[^ -~]/;

/** {@link printable} for a text of several lines; line ends and tabs stay. */
export function printableLines(text: string): string {
  const lines = text.split(/\r\n|\r|\n/);
  return lines.map(line => line.split('\t').map(printable).join('\t')).join('\n');
}

/** Marks of direction and joiners, for a letter or two: many languages need them. */
const needed = /[\u061c\u200c-\u200f]|[\ufe00-\ufe0f]/;

/**
 * A text of several lines for reading, in any language: characters that its writing needs stay.
 * Only characters that may hide or reorder the rest are escaped.
 */
export function readableLines(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(unsafe, character =>
      /[\n\t]/.test(character) || needed.test(character) ? character : escaped(character),
    );
}

/** Words in one printable line, in quotes where their ends would be unclear otherwise. */
export function printableWords(words: readonly string[]): string {
  return words
    .map(word => printable(/^[^\s"'$]+$/.test(word) ? word : JSON.stringify(word)))
    .join(' ');
}

/** The value as one line of JSON without unsafe characters; it reads back as the same value. */
export function jsonLine(value: unknown): string {
  return printable(JSON.stringify(value));
}

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}

/** The first characters of the text, up to this number; an ellipsis stands for the rest. */
export function cut(text: string, length: number): string {
  return text.length > length ? `${startOf(text, length)}…` : text;
}

/** A path in quotes, cut to 200 characters, for a message or a log. */
export function quotePath(path: string): string {
  return jsonLine(cut(path, 200));
}

/**
 * The text, cut to about so many characters: most from its start, some from its end, and between
 * them the number of those left out. The whole text, if the result were not shorter.
 */
export function cutMiddle(text: string, length: number): string {
  if (text.length <= length) {
    return text;
  }
  const start = startOf(text, Math.ceil((length * 2) / 3));
  const end = text.slice(start.length - length).replace(/^[\udc00-\udfff]/, '');
  const shorter = `${start} …(${text.length - start.length - end.length} more)… ${end}`;
  return shorter.length < text.length ? shorter : text;
}

/** Leaves out half of a character that takes two units. */
function startOf(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}
