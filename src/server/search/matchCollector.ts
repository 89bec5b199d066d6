import type { FoundLine, LineMatches } from './lineQuery.ts';
import type { FileBatch } from './openBatch.ts';

export interface FoundFile {
  /** Below the searched folder, with slashes. */
  readonly path: string;
  readonly lines: readonly FoundLine[];
}

/** Puts the matches of batches together, up to the size that an answer may have. */
export class MatchCollector {
  readonly files: FoundFile[] = [];
  /** How many matches there are in the files. */
  matches = 0;
  /** How many files match that are no UTF-8 text. */
  notText = 0;
  /** Whether there are more matches than these. */
  hasMore = false;
  private readonly depth: number;
  private size = 0;

  /** `depth`: how many of the names of a file lead to the searched folder. */
  constructor(depth: number) {
    this.depth = depth;
  }

  /** Once there are more than fit, nothing is added any more. */
  add({ files }: FileBatch, found: LineMatches): void {
    this.notText += found.notText;
    for (const { file, lines } of found.matches) {
      const { folder, name } = files[file] ?? { folder: [], name: '' };
      const path = [...folder.slice(this.depth), name].join('/');
      this.addFile({ path, lines });
    }
    this.hasMore ||= found.hasMore;
  }

  private addFile({ path, lines }: FoundFile): void {
    const fitting = lines.filter(line => this.takes(line));
    const isForFile = lines.length === 0 && this.takes(path);
    const matches = isForFile ? 1 : fitting.filter(isMatch).length;
    if (matches > 0) {
      this.matches += matches;
      this.files.push({ path, lines: fitting });
    }
  }

  private takes(part: FoundLine | string): boolean {
    this.hasMore ||= this.size > maxSize;
    this.size += Buffer.byteLength(JSON.stringify(part));
    return !this.hasMore;
  }
}

function isMatch({ column }: FoundLine): boolean {
  return column !== undefined;
}

/** In bytes of JSON: an answer holds it twice, and is to stay around a megabyte. */
const maxSize = 400_000;
