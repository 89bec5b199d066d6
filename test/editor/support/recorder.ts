import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { allGone } from '../../support/processes.ts';
import type { RawServerOptions } from '../../support/recordingServer.ts';
import { eventually } from '../../ui/support/eventually.ts';
import { pathBeside } from './folders.ts';

const project = join(import.meta.dirname, '..', '..', '..');
const support = join(project, 'test', 'support');
const program = join(import.meta.dirname, 'tellingServer.ts');
/** The command that starts servers in TypeScript. */
export const compiled = join(support, 'compiled.mjs');
/** The Node that runs the servers of the tests. */
export const node = join(project, 'node_modules', '.bin', 'node');

/** One message of the client, as it came over the wire. */
export interface Sent {
  readonly method?: string;
  readonly params?: { readonly capabilities?: Readonly<Record<string, unknown>> };
  readonly result?: { readonly roots?: readonly { uri: string; name: string }[] };
}

/** The start of a process of the server. */
export interface Launched {
  readonly args: readonly string[];
  readonly cwd: string;
}

/** Keys of a definition besides the command. */
type MoreOfDefinition = Readonly<Record<string, unknown>> & { readonly args?: readonly string[] };

/** A server of the user's settings that records its start and every byte that it gets. */
export class Recorder {
  readonly name: string;
  /** Where it writes. */
  readonly folder: string;

  constructor(name: string) {
    this.name = name;
    // Beside the folders of the window, so that it goes with them.
    this.folder = mkdtempSync(pathBeside('record-'));
  }

  /** The entry in the settings. Its additional arguments come last. */
  definition(more: MoreOfDefinition = {}, options: RawServerOptions = {}) {
    const start = JSON.stringify({ record: this.folder, ...options });
    return { command: node, ...more, args: [compiled, program, start, ...(more.args ?? [])] };
  }

  /** Defines it, alone, in the settings of the workspace. */
  async define(more: MoreOfDefinition = {}): Promise<this> {
    await setServers({ [this.name]: this.definition(more) });
    return this;
  }

  /** The starts of its processes, the oldest first. */
  get launches(): Launched[] {
    const files = readdirSync(this.folder).filter(name => name.endsWith('.launched'));
    return files.sort().map(name => JSON.parse(readFileSync(join(this.folder, name), 'utf8')));
  }

  /** The ids of its processes, the oldest first. */
  get pids(): number[] {
    return this.files.map(name => Number.parseInt(name, 10));
  }

  /** Everything that was sent to it, in every process it had. */
  get bytes(): string {
    return this.files.map(name => readFileSync(join(this.folder, name), 'utf8')).join('');
  }

  get messages(): Sent[] {
    // The last line may still be on its way.
    return this.bytes
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line));
  }

  /** The roots of each answer, by their names. */
  get answers(): string[][] {
    return this.messages.flatMap(({ result }) =>
      result?.roots ? [result.roots.map(({ name }) => name)] : [],
    );
  }

  /** The number of notices of changed roots that it got. */
  get notices(): number {
    const method = 'notifications/roots/list_changed';
    return this.messages.filter(message => message.method === method).length;
  }

  /**
   * Settles when what was sent fulfils the condition, which is to stay so once it is: much may be
   * sent between two looks.
   */
  until(isFulfilled: (recorder: this) => boolean): Promise<void> {
    return eventually(() => assert.ok(isFulfilled(this), `Sent in all:\n${this.bytes}`));
  }

  /** Settles when none of its processes is left. */
  async ended(): Promise<void> {
    await allGone(this.pids);
  }

  private get files(): string[] {
    const files = readdirSync(this.folder).filter(name => name.endsWith('.received'));
    // A later process may well have the lower id.
    const since = (name: string) => statSync(join(this.folder, name)).birthtimeMs;
    return files.sort((one, other) => since(one) - since(other));
  }
}

/** Defines these, and no others, in the settings of the workspace. */
export function define(recorders: readonly Recorder[]): Promise<void> {
  return setServers(Object.fromEntries(recorders.map(one => [one.name, one.definition()])));
}

/** Sets `mcpRoots.servers` in the workspace; `undefined` removes it, and with it every such server. */
export async function setServers(servers: Record<string, unknown> | undefined): Promise<void> {
  const { Workspace } = vscode.ConfigurationTarget;
  await vscode.workspace.getConfiguration('mcpRoots').update('servers', servers, Workspace);
}
