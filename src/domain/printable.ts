/**
 * Characters that are invisible or change how others look: controls, lone surrogates, marks of text
 * direction, and characters without a width or a look (soft hyphens, fillers, tags, variation
 * selectors). Names from outside may hold them, and could forge a line of a log, change the look of
 * a row, or hide what a person agrees to.
 */
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** The text with each invisible character written as `\uXXXX`, as in JSON. */
export function printable(text: string): string {
  return unusual.test(text) ? text.replace(unsafe, escaped) : text;
}

/** A fast path: most text is plain ASCII, and this test is quicker than a search. */
const unusual = /[^ -~]/;

/** {@link printable} for a text of several lines. Line ends and tabs stay. */
export function printableLines(text: string): string {
  const lines = text.split(/\r\n|\r|\n/);
  return lines.map(line => line.split('\t').map(printable).join('\t')).join('\n');
}

/** Marks of direction and joiners. Many languages need them after a letter or two. */
const needed = /[\u061c\u200c-\u200f]|[\ufe00-\ufe0f]/;

/**
 * A text of several lines in any language, for reading. Characters that the language needs stay.
 * Only characters that could hide or reorder the text are escaped.
 */
export function readableLines(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(unsafe, character =>
      /[\n\t]/.test(character) || needed.test(character) ? character : escaped(character),
    );
}

/** Words as one printable line. A word is in quotes if nobody could see where it ends. */
export function printableWords(words: readonly string[]): string {
  return words
    .map(word => printable(/^[^\s"'$]+$/.test(word) ? word : JSON.stringify(word)))
    .join(' ');
}

/** The value as one line of JSON without unsafe characters. The JSON reads back as this value. */
export function jsonLine(value: unknown): string {
  return printable(JSON.stringify(value));
}

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}

/** The first `length` characters of the text. An ellipsis stands for the rest. */
export function cut(text: string, length: number): string {
  return text.length > length ? `${startOf(text, length)}…` : text;
}

/** A path in quotes, cut to 200 characters, for a message or a log. */
export function quotePath(path: string): string {
  return jsonLine(cut(path, 200));
}

/**
 * The text, cut to about `length` characters: most from its start, some from its end, and between
 * them the number of missing characters. If that is not shorter, the text stays whole.
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

/** Returns the start of a text. Never ends with half of a character that takes two units. */
function startOf(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}
