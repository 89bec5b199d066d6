const openings = ['{', '['];

/**
 * Whether a JSON text has more than `most` opening brackets, those in its strings included. It is nested
 * no deeper than that, which spares nearly every message a real look.
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
