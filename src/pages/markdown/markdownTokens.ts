import type { Token } from 'marked';
import { text } from './main.ts?worker';

/** What the worker says of each text: that it is at it, and what it has read. */
export type FromLexer = 'begun' | readonly Token[];

/** How long a text may take, in milliseconds. */
const patience = 1000;

/** The browser's guard over what becomes a script. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string };
}

declare const trustedTypes: TrustedTypes;

/**
 * Reads texts as Markdown, one after the other, in a worker. One that takes it too long ends the
 * worker, and the next text gets a new one.
 */
export class MarkdownReader {
  private readonly policy = trustedTypes.createPolicy('markdown-worker', {
    createScriptURL: url => url,
  });
  private readonly url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  private worker: Worker | undefined;
  /** Settles when all texts so far are read. */
  private last: Promise<unknown> = Promise.resolve();
  private clearing = new AbortController();

  /** `undefined`: it takes too long, can't be read, or was cleared. */
  read(markdown: string): Promise<readonly Token[] | undefined> {
    const { signal } = this.clearing;
    const read = this.last.then(() => (signal.aborted ? undefined : this.lex(markdown, signal)));
    this.last = read;
    return read;
  }

  /** Gives up what is not read yet: a text to come must not wait for it. */
  clear(): void {
    this.clearing.abort();
    this.clearing = new AbortController();
  }

  private async lex(markdown: string, signal: AbortSignal): Promise<readonly Token[] | undefined> {
    const worker = this.worker ?? new Worker(this.policy.createScriptURL(this.url));
    this.worker = worker;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tokens = await new Promise<readonly Token[] | undefined>(resolve => {
      const giveUp = () => resolve(undefined);
      signal.onabort = giveUp;
      worker.onerror = giveUp;
      worker.onmessage = ({ data }: MessageEvent<FromLexer>) => {
        if (data === 'begun') {
          // Loading the worker is none of the text's time.
          timer = setTimeout(giveUp, patience);
        } else {
          resolve(data);
        }
      };
      worker.postMessage(markdown);
    });
    clearTimeout(timer);
    if (!tokens) {
      worker.terminate();
      this.worker = undefined;
    }
    return tokens;
  }
}
