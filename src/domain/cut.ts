/** The text, of which no more is kept than so many characters; what was left out is an ellipsis. */
export function cut(text: string, length: number): string {
  return text.length > length ? `${startOf(text, length)}…` : text;
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
