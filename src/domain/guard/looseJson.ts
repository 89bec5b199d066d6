/** A text in what is meant as JSON, with the name before it. */
export interface LooseText {
  readonly name: string | undefined;
  readonly text: string;
}

/**
 * The texts in what is meant as JSON, and is none by the rules: with a comma too many, with
 * comments, or several values one after another. `undefined` when it does not look like JSON.
 */
export function textsInLooseJson(text: string): readonly LooseText[] | undefined {
  if (!/^\s*(?:\{\s*["}]|\[\s*["\][{])/.test(text)) {
    return undefined;
  }
  const found: LooseText[] = [];
  let name: string | undefined;
  for (const [literal, colon] of text.matchAll(/"(?:[^"\\\n]|\\.)*"(\s{0,50}:)?/g)) {
    const value = literalValue(colon === undefined ? literal : literal.slice(0, -colon.length));
    if (colon === undefined) {
      found.push({ name, text: value });
    } else {
      name = value;
      found.push({ name: undefined, text: value });
    }
  }
  return found;
}

function literalValue(literal: string): string {
  try {
    return String(JSON.parse(literal));
  } catch {
    return literal.slice(1, -1);
  }
}
