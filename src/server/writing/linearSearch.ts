/**
 * Looks for a text in time that is in proportion to what is looked through, whatever both are
 * (Knuth, Morris, Pratt): `indexOf` takes minutes for some.
 */
export class LinearSearch {
  private readonly part: string;
  private readonly borders: Int32Array;
  private matched = 0;

  constructor(part: string) {
    this.part = part;
    this.borders = bordersOf(part);
  }

  /** The place of the first match that ends at `from` or later, and before `to`; -1: there is none. */
  next(text: string, from: number, to: number): number {
    const { part, borders } = this;
    for (let at = from; at < to; at++) {
      this.matched = extend(part, borders, this.matched, text.charCodeAt(at));
      if (this.matched === part.length) {
        this.matched = borders[this.matched - 1] ?? 0;
        return at + 1 - part.length;
      }
    }
    return -1;
  }

  /** Begins anew, so that what comes does not overlap with what was found. */
  restart(): void {
    this.matched = 0;
  }
}

/** For each beginning of `part`: the longest shorter beginning that it ends with. */
function bordersOf(part: string): Int32Array {
  const borders = new Int32Array(part.length);
  for (let at = 1; at < part.length; at++) {
    borders[at] = extend(part, borders, borders[at - 1] ?? 0, part.charCodeAt(at));
  }
  return borders;
}

/** How much of `part` is matched after one more character, when so much was before it. */
function extend(part: string, borders: Int32Array, before: number, character: number): number {
  let matched = before;
  while (matched > 0 && part.charCodeAt(matched) !== character) {
    matched = borders[matched - 1] ?? 0;
  }
  return part.charCodeAt(matched) === character ? matched + 1 : matched;
}
