/** A name without the signs between its words and without letter case: `FILE-PATH` as `filepath`. */
export function joinedName(name: string): string {
  return name.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase();
}

/** The words of a name in lower case, however they are joined: `outputDir` is `output` and `dir`. */
export function nameWords(name: string): readonly string[] {
  // What a name means is said by its last words. Some patterns below would be slow on long names.
  const end = name.slice(-100);
  const apart = /[A-Z]/.test(end) ? withBlanks(end) : end;
  return apart
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(word => word !== '');
}

function withBlanks(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z](?!s(?![a-z]))[a-z])/g, '$1 $2');
}
