/**
 * The longest sequence of lines that both have in the same order, as pairs of their indices. Time
 * and memory grow with the product of the numbers of lines.
 */
export function commonLines(
  a: readonly string[],
  b: readonly string[],
): readonly (readonly [number, number])[] {
  const width = b.length + 1;
  // How long the sequence is from a pair of indices to the ends.
  const left = new Uint32Array((a.length + 1) * width);
  const leftAt = (i: number, j: number) => left[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      left[i * width + j] =
        a[i] === b[j] ? leftAt(i + 1, j + 1) + 1 : Math.max(leftAt(i + 1, j), leftAt(i, j + 1));
    }
  }
  const pairs: [number, number][] = [];
  for (let [i, j] = [0, 0]; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      pairs.push([i++, j++]);
    } else if (leftAt(i + 1, j) >= leftAt(i, j + 1)) {
      i++;
    } else {
      j++;
    }
  }
  return pairs;
}
