import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RawServerOptions } from '../../support/recordingServer.ts';
import { compiled, node, Recorder, setServers } from './recorder.ts';

const program = join(import.meta.dirname, 'tellingServer.ts');

/** What a process of the server was started with. */
export interface Launched {
  readonly args: readonly string[];
  /** The variable `SERVER_FOLDERS`. */
  readonly folders: string | undefined;
  readonly cwd: string;
}

/** Keys of a definition besides the command. */
export type MoreOfDefinition = Readonly<Record<string, unknown>> & {
  readonly args?: readonly string[];
};

/** A server of the user's settings that writes down what it is sent, and what it is started with. */
export class OwnServer extends Recorder {
  /** Defines it, alone, in the settings of the workspace. */
  async defineAs(more: MoreOfDefinition = {}, options: RawServerOptions = {}): Promise<void> {
    const start = JSON.stringify({ record: this.folder, ...options });
    const args = [compiled, program, start, ...(more.args ?? [])];
    await setServers({ [this.name]: { command: node, ...more, args } });
  }

  /** What its processes were started with, the oldest first. */
  get launches(): Launched[] {
    const { folder } = this;
    const files = readdirSync(folder).filter(name => name.endsWith('.launched'));
    return files.sort().map(name => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  }
}
