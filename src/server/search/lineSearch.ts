/** The query of a search by lines. A worker thread gets it unchanged. */
export interface LineQuery {
  /** The pattern: literal characters, or a regular expression. */
  readonly pattern:
    | { readonly kind: 'text'; readonly text: string }
    | { readonly kind: 'regex'; readonly source: string; readonly flags: string };
  /** The number of lines before and after a match. */
  readonly contextLines: number;
  /** Whether the caller wants only the files. A file then counts as one match. */
  readonly isForFiles: boolean;
  /** The number of matches to skip, and the number to return after them. */
  readonly offset: number;
  readonly limit: number;
}

/** A line of a file, numbered from 1: a match, or a line of context, which has no columns. */
export interface FoundLine {
  readonly line: number;
  /** The line without its line end. A very long line is cut. */
  readonly text: string;
  /** The start and end of the first match in the whole line, in UTF-16 units, counted from 1. */
  readonly column?: number;
  readonly endColumn?: number;
}

/** The bytes of several files in sequence. After each file comes one more line feed. */
export interface FileBytes {
  readonly bytes: Buffer;
  /** For each file, the index of that line feed. */
  readonly ends: readonly number[];
}

export interface LineMatches {
  /** Each `file` is an index into the batch. */
  readonly matches: readonly { readonly file: number; readonly lines: readonly FoundLine[] }[];
  /** The number of matching files that are not UTF-8 text. */
  readonly notText: number;
  /** Whether there are more matches than wanted, so that the search can stop. */
  readonly hasMore: boolean;
}

interface Match {
  /** The indexes of the line's first byte and of its line feed. */
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly column: number;
  readonly endColumn: number;
}

/** The part of the bytes that is one file. */
interface Span {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/**
 * Searches batches of files for the lines that match.
 *
 * A worker gets this class as text, so it must not refer to anything outside of itself.
 */
export class LineSearch {
  private readonly query: LineQuery;
  private readonly isUtf8: (bytes: Uint8Array) => boolean;
  private readonly text: Buffer | undefined;
  private readonly regex: RegExp;
  /** Matches a file as a whole if `regex` matches a line in it. `undefined`: no such regex. */
  private readonly hint: RegExp | undefined;
  private readonly maxLength = 400;
  private readonly maxHinted = 64 * 1024;
  private toPass: number;
  private toTake: number;
  private hasMore = false;

  constructor(query: LineQuery, isUtf8: (bytes: Uint8Array) => boolean) {
    const { pattern } = query;
    this.query = query;
    this.isUtf8 = isUtf8;
    this.text = pattern.kind === 'text' ? Buffer.from(pattern.text) : undefined;
    const [source, flags] = pattern.kind === 'text' ? ['$', ''] : [pattern.source, pattern.flags];
    this.regex = new RegExp(source, flags);
    // With a lookaround, a pattern may match in a line, but not there in the whole text: no hint.
    this.hint = /\(\?(?!:|<[^=!])/.test(source) ? undefined : new RegExp(source, `${flags}m`);
    this.toPass = query.offset;
    this.toTake = query.limit;
  }

  search({ bytes, ends }: FileBytes): LineMatches {
    const matches: { file: number; lines: FoundLine[] }[] = [];
    let notText = 0;
    let hit = this.text ? bytes.indexOf(this.text) : 0;
    let start = 0;
    for (let file = 0; file < ends.length && hit >= 0 && !this.hasMore; file++) {
      const end = ends[file] ?? start;
      if (!this.text || hit < end) {
        const span = { bytes, start: this.startOfText(bytes, start), end };
        const found = this.take(span);
        notText += found ? 0 : 1;
        if (found && found.length > 0) {
          matches.push({ file, lines: this.query.isForFiles ? [] : this.lines(span, found) });
        }
        hit = this.text ? bytes.indexOf(this.text, end) : 0;
      }
      start = end + 1;
    }
    return { matches, notText, hasMore: this.hasMore };
  }

  /** The index of a file's text, after a byte order mark. The file itself begins at `start`. */
  private startOfText(bytes: Buffer, start: number): number {
    const hasMark = bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf;
    return hasMark ? start + 3 : start;
  }

  /** The wanted matches in a file. `undefined`: the file matches, but is not text. */
  private take(span: Span): readonly Match[] | undefined {
    const taken: Match[] = [];
    let isFirst = true;
    for (const match of this.matchesIn(span)) {
      if (isFirst && !this.isText(span)) {
        return undefined;
      }
      isFirst = false;
      if (this.toPass > 0) {
        this.toPass -= 1;
      } else if (this.toTake > 0) {
        this.toTake -= 1;
        taken.push(match);
      } else {
        this.hasMore = true;
        break;
      }
      if (this.query.isForFiles) {
        break;
      }
    }
    return taken;
  }

  // For a person, a file with NUL is not text, even if its bytes are valid UTF-8.
  private isText({ bytes, start, end }: Span): boolean {
    const file = bytes.subarray(start, end);
    return this.isUtf8(file) && !file.includes(0);
  }

  /** The lines that match, each once. */
  private *matchesIn(span: Span): Generator<Match> {
    const { bytes, start, end } = span;
    if (!this.mayMatch(span)) {
      return;
    }
    let line = 1;
    let counted = start;
    for (let from = start; from < end; ) {
      const found = this.text ? this.nextText(span, from) : this.nextRegex(span, from);
      if (!found) {
        return;
      }
      for (let at = bytes.indexOf(10, counted); at < found.start; at = bytes.indexOf(10, at + 1)) {
        line += 1;
        counted = at + 1;
      }
      yield { ...found, line };
      from = found.end + 1;
    }
  }

  /** Whether a line may match. To be quick, checks a small file as a whole: most do not match. */
  private mayMatch({ bytes, start, end }: Span): boolean {
    const isSmall = end - start <= this.maxHinted;
    return (
      this.text !== undefined ||
      !this.hint ||
      !isSmall ||
      this.hint.test(bytes.toString('utf8', start, end))
    );
  }

  private nextText({ bytes, start, end }: Span, from: number): Omit<Match, 'line'> | undefined {
    const { pattern } = this.query;
    const at = this.text ? bytes.indexOf(this.text, from) : -1;
    if (at < 0 || at >= end || pattern.kind !== 'text') {
      return undefined;
    }
    const startOfLine = Math.max(start, bytes.lastIndexOf(10, at) + 1);
    const column = bytes.toString('utf8', startOfLine, at).length + 1;
    const endColumn = column + pattern.text.length;
    return { start: startOfLine, end: bytes.indexOf(10, at), column, endColumn };
  }

  private nextRegex({ bytes, end }: Span, from: number): Omit<Match, 'line'> | undefined {
    for (let start = from; start < end; ) {
      const endOfLine = bytes.indexOf(10, start);
      const found = this.regex.exec(this.textOf(bytes, start, endOfLine));
      if (found) {
        const column = found.index + 1;
        return { start, end: endOfLine, column, endColumn: column + found[0].length };
      }
      start = endOfLine + 1;
    }
    return undefined;
  }

  /** The matches with their context, each line once and in order. */
  private lines(span: Span, matches: readonly Match[]): FoundLine[] {
    const lines: FoundLine[] = [];
    let done = span.start;
    for (const [index, match] of matches.entries()) {
      const { start, end, line, column, endColumn } = match;
      const text = this.cut(this.textOf(span.bytes, start, end), column - 1);
      lines.push(...this.before(span.bytes, match, done), { line, text, column, endColumn });
      const after = this.after(span.bytes, match, matches[index + 1]?.start ?? span.end);
      lines.push(...after.lines);
      done = after.end;
    }
    return lines;
  }

  private before(bytes: Buffer, { start, line }: Match, done: number): FoundLine[] {
    const lines: FoundLine[] = [];
    let end = start;
    while (end > done && lines.length < this.query.contextLines) {
      // A negative offset would count from the end.
      const from = end < done + 2 ? done : Math.max(done, bytes.lastIndexOf(10, end - 2) + 1);
      lines.unshift(this.contextLine(bytes, from, end - 1, line - lines.length - 1));
      end = from;
    }
    return lines;
  }

  private after(bytes: Buffer, match: Match, limit: number) {
    const lines: FoundLine[] = [];
    let start = match.end + 1;
    while (start < limit && lines.length < this.query.contextLines) {
      const end = bytes.indexOf(10, start);
      lines.push(this.contextLine(bytes, start, end, match.line + lines.length + 1));
      start = end + 1;
    }
    return { lines, end: start };
  }

  private contextLine(bytes: Buffer, start: number, end: number, line: number): FoundLine {
    return { line, text: this.cut(this.textOf(bytes, start, end), 0) };
  }

  private textOf(bytes: Buffer, start: number, end: number): string {
    const hasReturn = end > start && bytes[end - 1] === 13;
    return bytes.toString('utf8', start, hasReturn ? end - 1 : end);
  }

  /** Cuts a long line to the part around `place`. Never cuts within a character. */
  private cut(text: string, place: number): string {
    if (text.length <= this.maxLength) {
      return text;
    }
    const latest = text.length - this.maxLength;
    let start = Math.max(0, Math.min(place - this.maxLength / 4, latest));
    let end = start + this.maxLength;
    start += this.isLowHalf(text, start) ? 1 : 0;
    end -= this.isLowHalf(text, end) ? 1 : 0;
    const [before, after] = [start > 0 ? '…' : '', end < text.length ? '…' : ''];
    return before + text.slice(start, end) + after;
  }

  private isLowHalf(text: string, at: number): boolean {
    return (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  }
}
