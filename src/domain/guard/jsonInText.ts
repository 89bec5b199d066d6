import { isJsonObject } from '../settings/values.ts';

/**
 * JSON that stands in a text: its value, or that there is too much of it; `undefined`: there is
 * none. Parsers do not agree which value counts where an object has a name twice: such JSON is
 * given with every one of them, each object of it as a list of objects with one member.
 */
export function jsonIn(text: string): { readonly value: unknown } | 'too-big' | undefined {
  if (!/^\s*[[{"]/.test(text)) {
    return undefined;
  }
  if (text.length > longest) {
    return /[\]}"]$/.test(text.trimEnd().slice(-1)) ? 'too-big' : undefined;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return typeof value === 'object' && hasNameTwice(text) ? withEveryMember(text) : { value };
}

const longest = 200_000;

/** Whether an object in this JSON has a name twice, however the name is escaped. */
function hasNameTwice(json: string): boolean {
  const open: Set<string>[] = [];
  for (const token of json.match(tokens) ?? []) {
    if (token === '{') {
      open.push(new Set());
    } else if (token === '}') {
      open.pop();
    } else if (token.endsWith(':')) {
      const name = nameIn(token);
      const names = open.at(-1);
      if (names?.has(name)) {
        return true;
      }
      names?.add(name);
    }
  }
  return false;
}

function nameIn(token: string): string {
  const literal = token.slice(0, token.lastIndexOf('"') + 1);
  return literal.includes('\\') ? JSON.parse(literal) : literal.slice(1, -1);
}

/** The texts in JSON, those that are names with their colon, and where objects begin and end. */
const tokens = /"(?:[^"\\]|\\.)*"(?:\s*:)?|[{}]/g;

function withEveryMember(json: string): { readonly value: unknown } | 'too-big' {
  let count = 0;
  const numbered = json.replace(tokens, token => {
    count += 1;
    return token.endsWith(':') ? `"${count} ${token.slice(1)}` : token;
  });
  try {
    return { value: JSON.parse(numbered, asMembers) };
  } catch {
    // Reviving takes more stack than parsing does, and this is nested too deep for it.
    return 'too-big';
  }
}

function asMembers(_: string, value: unknown): unknown {
  return isJsonObject(value)
    ? Object.entries(value).map(([name, one]) => ({ [name.slice(name.indexOf(' ') + 1)]: one }))
    : value;
}
