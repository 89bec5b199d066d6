import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { missingPaths, saysNoBrowser } from '../../domain/sandbox/missingPaths.ts';
import { isAtOrBelow, isOfSystem } from '../../domain/sandbox/systemPlaces.ts';
import type { SandboxFacts } from '../stdio/serverProcess.ts';
import type { Traffic, Wire } from '../wire.ts';

/** A path on this machine, and where it leads, every link followed. */
interface MissedPath {
  readonly path: string;
  readonly realPath: string;
}

/**
 * Paths that a sandboxed server asked for in vain: those in its errors that exist on this machine, and not
 * in its sandbox.
 */
export class MissedPaths {
  private readonly onDidChange: () => void;
  private facts: SandboxFacts | undefined;
  private _last: MissedPath | undefined;
  private _lacksBrowser = false;

  constructor(onDidChange: () => void) {
    this.onDidChange = onDidChange;
  }

  /** The last path that it asked for in vain. */
  get last(): MissedPath | undefined {
    return this._last;
  }

  /** Whether it said that it could not start a browser. */
  get lacksBrowser(): boolean {
    return this._lacksBrowser;
  }

  /** @param facts what the process sees that is about to be started; `undefined`: it has no sandbox. */
  begin(facts: SandboxFacts | undefined): void {
    this.facts = facts;
    this._last = undefined;
    this._lacksBrowser = false;
  }

  follow({ onDidPass, onDidWriteStderr }: Pick<Wire, 'onDidPass' | 'onDidWriteStderr'>): void {
    onDidWriteStderr?.(line => this.look(line));
    onDidPass(traffic => {
      const text = this.facts && errorIn(traffic);
      if (text !== undefined) {
        this.look(text);
      }
    });
  }

  private look(text: string): void {
    const { facts } = this;
    if (!facts) {
      return;
    }
    if (!this._lacksBrowser && saysNoBrowser(text)) {
      this._lacksBrowser = true;
      this.onDidChange();
    }
    for (const path of missingPaths(text, homedir())) {
      if (path !== this._last?.path && !isSeen(path, facts)) {
        void this.note(path, facts);
      }
    }
  }

  private async note(path: string, facts: SandboxFacts): Promise<void> {
    // A path that does not exist for us either could not be shown.
    const realPath = await realpath(path).catch(() => undefined);
    if (realPath !== undefined && facts === this.facts) {
      this._last = { path, realPath };
      this.onDidChange();
    }
  }
}

function isSeen(path: string, { roots, alsoSees }: SandboxFacts): boolean {
  const shown = [...roots, ...alsoSees];
  return (
    isOfSystem(path) ||
    ofEverySandbox.some(folder => isAtOrBelow(path, folder)) ||
    shown.some(one => isAtOrBelow(path, one.path) || isAtOrBelow(one.path, path))
  );
}

/** Exist in every sandbox, with other contents than ours. */
const ofEverySandbox = ['/dev', '/proc'];

/** The text of an error that a server answered. */
function errorIn(traffic: Traffic): string | undefined {
  if (traffic.kind !== 'message' || traffic.direction !== 'from-server') {
    return undefined;
  }
  const { message } = traffic;
  if ('error' in message) {
    return message.error.message;
  }
  const { isError, content } = Object('result' in message ? message.result : undefined);
  return isError === true && Array.isArray(content)
    ? content.map(part => String(Object(part).text ?? '')).join('\n')
    : undefined;
}
