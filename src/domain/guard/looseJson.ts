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
  let end = 0;
  for (const { 0: literal, 1: inner = '', 2: colon, index } of text.matchAll(literals)) {
    // Behind anything else, a bare name or the end of an object, it belongs to another name.
    if (/[^\s[,]/.test(text.slice(end, index))) {
      name = undefined;
    }
    end = index + literal.length;
    const value = unescaped(inner);
    found.push({ name: colon === undefined ? name : undefined, text: value });
    if (colon !== undefined) {
      name = value;
    }
  }
  // Else it is a pattern, as `[[:alpha:]]`.
  return found.length > 0 ? found : undefined;
}

/** Those without an end count as well, up to which no other may begin: that would take too long. */
const literals = /"((?:[^"\\\n]|\\.)*)(?:"(\s{0,50}:)?)?/g;

function unescaped(inner: string): string {
  try {
    return String(JSON.parse(`"${inner}"`));
  } catch {
    return inner;
  }
}
