import { isUtf8 } from 'node:buffer';
import { Worker } from 'node:worker_threads';
import type { IDisposable } from '../../base/disposable.ts';
import { isLate } from '../../base/timeLimit.ts';
import { type FileBytes, type LineMatches, type LineQuery, LineSearch } from './lineSearch.ts';

/** Searches batches of files for one query, in the order of the calls. */
export interface Matcher extends IDisposable {
  /**
   * Searches files. The caller must not use the bytes afterwards. Never rejects. `slow`: the
   * pattern takes too long. `failed`: the pattern takes too much memory.
   */
  match(files: FileBytes): Promise<Matched>;
}

export type Matched =
  | { readonly ok: true; readonly found: LineMatches }
  | { readonly ok: false; readonly reason: 'slow' | 'failed' };

/** The matcher for a query. It uses another thread if the query could block this thread. */
export function matcherFor(query: LineQuery, patience = 2000): Matcher {
  return query.pattern.kind === 'text' ? directMatcher(query) : new WorkerMatcher(query, patience);
}

/** A matcher in this thread, for plain text: no text makes this search slow. */
function directMatcher(query: LineQuery): Matcher {
  const search = new LineSearch(query, isUtf8);
  return {
    match: async files => ({ ok: true, found: search.search(files) }),
    dispose: () => {},
  };
}

/** A matcher in another thread. Only the end of its thread stops a slow regular expression. */
class WorkerMatcher implements Matcher {
  private readonly worker: Worker;
  private readonly patience: number;
  private readonly started: Promise<unknown>;
  private readonly failed: Promise<Matched>;
  private fail: () => void = () => {};
  private last: Promise<unknown> = Promise.resolve();

  constructor(query: LineQuery, patience: number) {
    this.patience = patience;
    this.worker = new Worker(workerSource(), { eval: true, workerData: query, ...confined });
    this.started = new Promise(resolve => this.worker.once('online', resolve));
    this.failed = new Promise(resolve => {
      this.fail = () => resolve({ ok: false, reason: 'failed' });
      this.worker.once('error', this.fail).once('exit', this.fail);
    });
  }

  match(files: FileBytes): Promise<Matched> {
    const matched = this.last.then(() => this.run(files));
    this.last = matched;
    return matched;
  }

  /** Settles open calls immediately, because the thread may take a moment to end. */
  dispose(): void {
    this.fail();
    void this.worker.terminate();
  }

  private async run({ bytes, ends }: FileBytes): Promise<Matched> {
    await Promise.race([this.started, this.failed]);
    const answered = new Promise<Matched>(resolve => {
      this.worker.once('message', found => resolve({ ok: true, found }));
    });
    const { buffer } = bytes;
    this.worker.postMessage({ buffer, ends }, buffer instanceof ArrayBuffer ? [buffer] : []);
    const matching = Promise.race([answered, this.failed]);
    return (await isLate(matching, this.patience)) ? { ok: false, reason: 'slow' } : matching;
  }
}

const confined = {
  env: {},
  execArgv: [],
  resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 4 },
};

/** The worker's code, as text. This server is one file, and loading the file would start a server. */
function workerSource(): string {
  return `
    const { isUtf8 } = require('node:buffer');
    const { parentPort, workerData } = require('node:worker_threads');
    const search = new (${LineSearch.toString()})(workerData, isUtf8);
    parentPort.on('message', ({ buffer, ends }) => {
      parentPort.postMessage(search.search({ bytes: Buffer.from(buffer), ends }));
    });
  `;
}
