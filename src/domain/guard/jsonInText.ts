/** JSON that stands in a text: its value, or that there is too much of it; `undefined`: there is none. */
export function jsonIn(text: string): { readonly value: unknown } | 'too-long' | undefined {
  if (!/^\s*[[{"]/.test(text)) {
    return undefined;
  }
  if (text.length > longest) {
    return /[\]}"]$/.test(text.trimEnd().slice(-1)) ? 'too-long' : undefined;
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

const longest = 200_000;
