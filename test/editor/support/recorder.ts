import { existsSync, mkdtempSync, readFileSync, realpathSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';

const project = join(import.meta.dirname, '..', '..', '..');
const server = join(project, 'test', 'support', 'rawServer.ts');
const node = join(project, 'node_modules', '.bin', 'node');

/** One message of the client, as it came over the wire. */
export interface Sent {
  readonly method?: string;
  readonly params?: { readonly capabilities?: Readonly<Record<string, unknown>> };
  readonly result?: { readonly roots?: readonly { uri: string; name: string }[] };
}

/** A server of the user's settings that writes down every byte it is sent. */
export class Recorder {
  readonly name: string;
  private readonly file: string;

  constructor(name: string) {
    this.name = name;
    this.file = join(realpathSync(mkdtempSync(join(tmpdir(), 'mcp-roots-record-'))), 'wire.jsonl');
    writeFileSync(this.file, '');
  }

  /** Defines it in the settings of the workspace; `args` come last on its command line. */
  async define(...args: readonly string[]): Promise<void> {
    const definition = { command: node, args: [server, '--record', this.file, ...args] };
    await setServers({ [this.name]: definition });
  }

  /** Everything that was sent to it, in every process it had. */
  get bytes(): string {
    return existsSync(this.file) ? readFileSync(this.file, 'utf8') : '';
  }

  get messages(): Sent[] {
    const lines = this.bytes.split('\n').filter(line => line.startsWith('{'));
    return lines.map(line => JSON.parse(line));
  }

  /** The roots of each answer, by their names. */
  get answers(): string[][] {
    return this.messages.flatMap(({ result }) =>
      result?.roots ? [result.roots.map(({ name }) => name)] : [],
    );
  }

  /** How often it was told that its roots changed. */
  get notices(): number {
    const method = 'notifications/roots/list_changed';
    return this.messages.filter(message => message.method === method).length;
  }

  /** Settles when what was sent fulfils the condition; the test's own time limit bounds it. */
  until(isFulfilled: (recorder: this) => boolean): Promise<void> {
    return new Promise(resolve => {
      const watcher = watch(this.file);
      const look = () => {
        if (isFulfilled(this)) {
          watcher.close();
          resolve();
        }
      };
      watcher.on('change', look);
      look();
    });
  }
}

/** Sets `mcpRoots.servers` in the workspace; `undefined` removes it, and with it every such server. */
export async function setServers(servers: Record<string, unknown> | undefined): Promise<void> {
  const { Workspace } = vscode.ConfigurationTarget;
  await vscode.workspace.getConfiguration('mcpRoots').update('servers', servers, Workspace);
}
