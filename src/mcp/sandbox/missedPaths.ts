import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { lackedPaths, lackIn, type SandboxLack } from '../../domain/sandbox/lacks.ts';
import { isAtOrBelow, isInOne, isOfSystem } from '../../domain/sandbox/systemPlaces.ts';
import type { SandboxFacts } from '../process/stdio/serverProcess.ts';
import type { Traffic, Wire } from '../process/wire.ts';

/** A path on this machine, and where it leads, with every link followed. */
interface MissedPath {
  readonly path: string;
  readonly realPath: string;
}

/** Finds the paths in a server's errors that exist on this machine but not in its sandbox. */
export class MissedPaths {
  private readonly onDidChange: () => void;
  private facts: SandboxFacts | undefined;
  private found: { last?: MissedPath; lack?: SandboxLack } = {};

  constructor(onDidChange: () => void) {
    this.onDidChange = onDidChange;
  }

  /** @param facts what the next process sees in its sandbox. `undefined`: it has no sandbox. */
  begin(facts: SandboxFacts | undefined): void {
    this.facts = facts;
    this.found = {};
  }

  /** The last path that the server did not find. `undefined`: none. */
  get last(): MissedPath | undefined {
    return this.found.last;
  }

  /** What the server lacks, as its errors show: a browser or unix sockets. `undefined`: neither. */
  get lack(): SandboxLack | undefined {
    return this.found.lack;
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
    const lack = lackIn(text, facts.hasUnixSockets === true);
    // A browser that fails may also report sockets. So no other lack replaces `browser`.
    if (lack && lack !== this.lack && this.lack !== 'browser') {
      this.found.lack = lack;
      this.onDidChange();
    }
    for (const said of lackedPaths(text, homedir())) {
      const { home } = facts;
      // The server looked in its own home. A person has the file in the user's home.
      const path =
        home && isAtOrBelow(said, home) ? `${homedir()}${said.slice(home.length)}` : said;
      if (path !== this.last?.path && !isSeen(path, facts)) {
        void this.note(path, facts);
      }
    }
  }

  private async note(path: string, facts: SandboxFacts): Promise<void> {
    // If the path does not exist outside either, the sandbox hides nothing.
    const realPath = await realpath(path).catch(() => undefined);
    if (realPath !== undefined && facts === this.facts) {
      this.found.last = { path, realPath };
      this.onDidChange();
    }
  }
}

function isSeen(path: string, { roots, alsoSees }: SandboxFacts): boolean {
  const shown = [...roots, ...alsoSees];
  return (
    isOfSystem(path) ||
    isInOne(path, ofEverySandbox) ||
    shown.some(one => isAtOrBelow(path, one.path) || isAtOrBelow(one.path, path))
  );
}

/** Folders that every sandbox has, with other contents than ours. */
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
