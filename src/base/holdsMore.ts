/** Whether a text holds more than so many of these characters. It is left as soon as that is known. */
export function holdsMore(text: string, most: number, ...characters: readonly string[]): boolean {
  let count = 0;
  for (const character of characters) {
    for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) {
      count += 1;
      if (count > most) {
        return true;
      }
    }
  }
  return false;
}
