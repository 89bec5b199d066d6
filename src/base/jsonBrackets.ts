const openings = ['{', '['];

/**
 * Whether a JSON text has more than so many opening brackets, those in its strings included. With
 * no more, it can't be nested deeper than that. The text is left as soon as the answer is known.
 */
export function hasMoreBrackets(json: string, most: number): boolean {
  let count = 0;
  for (const opening of openings) {
    for (let at = json.indexOf(opening); at !== -1; at = json.indexOf(opening, at + 1)) {
      count += 1;
      if (count > most) {
        return true;
      }
    }
  }
  return false;
}
