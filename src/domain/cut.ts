/** The text, of which no more is kept than so many characters; what was left out is an ellipsis. */
export function cut(text: string, length: number): string {
  // Half of a character that takes two units is none.
  return text.length > length ? `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…` : text;
}
