/**
 * Where `part` stands in `text`, at most `limit` times; places may overlap unless `isApart`.
 *
 * It takes time in proportion to the text, whatever both are: `indexOf` takes minutes for some.
 */
export function findAll(
  text: string,
  part: string,
  { limit, isApart }: { readonly limit: number; readonly isApart: boolean },
): number[] {
  const borders = bordersOf(part);
  const found: number[] = [];
  let matched = 0;
  for (let at = 0; at < text.length && found.length < limit; at++) {
    matched = extend(part, borders, matched, text.charCodeAt(at));
    if (matched === part.length) {
      found.push(at + 1 - matched);
      matched = isApart ? 0 : (borders[matched - 1] ?? 0);
    }
  }
  return found;
}

/** For each beginning of `part`: the longest shorter beginning that it ends with (Knuth, Morris, Pratt). */
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
