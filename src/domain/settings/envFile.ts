import { type Sentence, sentence } from '../sentence.ts';

/** The variables of a file, and its problems, of which none ever repeats a line. */
interface ReadEnvFile {
  readonly variables: Readonly<Record<string, string>>;
  readonly problems: readonly Sentence[];
}

/**
 * Reads the text of an environment file (dotenv): `NAME=value` by line, with comments, an `export`
 * before the name, and values in quotes, which may go over several lines. The last of two variables
 * of one name counts. Nothing in a value is replaced but `\n`, `\r`, `\t`, `\\` and `\"` in double
 * quotes.
 *
 * Not Node's `parseEnv`: it reads a file differently from version to version, and it cuts a value
 * at any `#`, and one in double quotes at `\"`, so that half a password would be handed on.
 */
export function readEnvFile(text: string): ReadEnvFile {
  const variables: [string, string][] = [];
  const problems: Sentence[] = [];
  // A byte order mark at the beginning counts as a blank, in every pattern below.
  const rest = new Lines(text);
  for (let line = rest.next(); line; line = rest.next()) {
    const read = readLine(line.text, rest);
    if (read?.ok) {
      variables.push([read.name, read.value]);
    } else if (read) {
      problems.push(sentence(read.mistake, String(line.number)));
    }
  }
  return { variables: Object.fromEntries(variables), problems };
}

/** Counted from 1. */
class Lines {
  private readonly lines: readonly string[];
  private count = 0;

  constructor(text: string) {
    this.lines = text.split(/\r\n?|\n/);
  }

  next(): { readonly text: string; readonly number: number } | undefined {
    const text = this.lines[this.count];
    this.count += 1;
    return text === undefined ? undefined : { text, number: this.count };
  }

  /** Takes the lines up to the one that matches, and that one. `undefined`, and none, without it. */
  takeUntil(isLast: (line: string) => boolean): readonly string[] | undefined {
    for (let end = this.count; end < this.lines.length; end += 1) {
      if (isLast(this.lines[end] ?? '')) {
        const taken = this.lines.slice(this.count, end + 1);
        this.count = end + 1;
        return taken;
      }
    }
    return undefined;
  }
}

/** A line as read; `undefined`: blank. A mistake has `{0}` for the number of the line. */
type Line =
  | { readonly ok: true; readonly name: string; readonly value: string }
  | { readonly ok: false; readonly mistake: string }
  | undefined;

function readLine(line: string, rest: Lines): Line {
  if (/^\s*(?:#|$)/.test(line)) {
    return undefined;
  }
  const [, name, value = ''] = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*=\s*(.*)$/s.exec(line) ?? [];
  if (name === undefined) {
    return { ok: false, mistake: 'Line {0} must be NAME=value.' };
  }
  const quote = /^["'`]/.exec(value)?.[0];
  return quote === undefined
    ? { ok: true, name, value: value.replace(/(?:^|\s)#.*$/s, '').trimEnd() }
    : readQuoted(name, quote, value.slice(1), rest);
}

/** @param first what the line has after the first quote. */
function readQuoted(name: string, quote: string, first: string, rest: Lines): Line {
  const closes = (line: string) => closingAt(line, quote) >= 0;
  const more = closes(first) ? [] : rest.takeUntil(closes);
  if (!more) {
    return { ok: false, mistake: 'Line {0} begins a value in quotes that nothing closes.' };
  }
  const whole = [first, ...more].join('\n');
  const end = closingAt(whole, quote);
  if (!/^\s*(?:#.*)?$/.test(whole.slice(end + 1))) {
    return { ok: false, mistake: 'Line {0} has more after a value in quotes.' };
  }
  const value = whole.slice(0, end);
  const isEscaped = quote === '"';
  return { ok: true, name, value: isEscaped ? value.replace(/\\([nrt\\"])/g, unescaped) : value };
}

/** The index of the closing quote, or -1; in double quotes one after a backslash does not close. */
function closingAt(text: string, quote: string): number {
  return quote === '"'
    ? (/^[^"\\]*(?:\\[\s\S][^"\\]*)*"/.exec(text)?.[0].length ?? 0) - 1
    : text.indexOf(quote);
}

function unescaped(_: string, letter: string): string {
  return { n: '\n', r: '\r', t: '\t' }[letter] ?? letter;
}
