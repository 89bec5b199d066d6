import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accessTo } from '../../src/domain/consent/folderAccess.ts';
import { decider, type Grant } from '../../src/domain/consent/grants.ts';
import type { FolderRules } from '../../src/domain/folders/folderRules.ts';
import { diskFolder, type Folder } from '../../src/domain/folders/folders.ts';
import type { Root } from '../../src/domain/roots.ts';
import { serverStarts } from '../../src/extension/servers/serverStarts.ts';
import type { ServerConnection } from '../../src/mcp/connection.ts';
import type * as client from '../../src/mcp/main.ts';
import type { ProcessStart } from '../../src/mcp/stdio/serverProcess.ts';
import { type ConnectionEvents, eventsOf } from '../support/recordingConnection.ts';
import { RawClient } from './rawClient.ts';

/** Servers that are started together, and told together of one more folder. */
export interface Fleet {
  /** Settles when every server was handed its roots. */
  start(servers: readonly ProcessStart[]): Promise<void>;
  /** Opens a folder that all of them may see; settles when every server was handed it. */
  openFolder(): Promise<void>;
  /** Settles when no server is left. */
  stop(): Promise<void>;
}

/** So many servers for a fleet, all of which ask for roots. */
export function fleetServers(count: number, env: ProcessStart['env']): readonly ProcessStart[] {
  const program = join(import.meta.dirname, '..', 'support', 'rawServer.ts');
  return Array.from({ length: count }, () => {
    const record = mkdtempSync(join(tmpdir(), 'record-'));
    const args = [program, JSON.stringify({ record })];
    return { command: process.execPath, args, cwd: import.meta.dirname, env };
  });
}

/** What a host measured, in milliseconds. */
export interface FleetFigures {
  /** Until the last server was handed its roots for the first time. */
  readonly start: number;
  /** The longest that the event loop did nothing else meanwhile. */
  readonly blockAtStart: number;
  /** From the change until the last server was handed its new roots. */
  readonly change: number;
  readonly blockAtChange: number;
}

const noRules: FolderRules = {
  rulingOn: () => ({ exclusion: undefined, forbiddenWithin: [], isWide: false }),
};

/** A window's share of folders, and one more of which every server is to be told. */
const folders: readonly Folder[] = Array.from({ length: 21 }, (_, index) =>
  diskFolder(`/proj/folder-${index}`, `folder-${index}`, 'directory', 'linux'),
);

/** Servers by the client that the extension ships, each with an answer on each folder. */
export class OurFleet implements Fleet {
  private readonly bundle: typeof client;
  private readonly starts = serverStarts();
  private members: readonly Member[] = [];
  private grants: readonly Grant[] = [];

  constructor(bundle: typeof client) {
    this.bundle = bundle;
  }

  async start(servers: readonly ProcessStart[]): Promise<void> {
    const { ProcessOwner, ServerConnection } = this.bundle;
    const owner = new ProcessOwner('editor', console);
    const clientInfo = { name: 'bench', version: '1' };
    this.members = servers.map((_, index) => {
      const connection = new ServerConnection({ clientInfo, owner });
      return { identity: `server-${index}`, connection, events: eventsOf(connection) };
    });
    this.grants = this.members.flatMap(({ identity }) =>
      folders.map(each => allowed(identity, each)),
    );
    const served = this.served();
    await Promise.all(
      this.members.map(({ identity, connection }, index) =>
        this.starts.run(async () => {
          const state = await connection.start(servers[index]!, this.rootsOf(identity, -1));
          if (state.kind !== 'running') {
            throw new Error(`A server does not run: ${JSON.stringify(state)}`);
          }
        }),
      ),
    );
    await served;
  }

  async openFolder(): Promise<void> {
    const served = this.served();
    for (const { identity, connection } of this.members) {
      connection.setRoots(this.rootsOf(identity, folders.length));
    }
    await served;
  }

  async stop(): Promise<void> {
    await Promise.all(this.members.map(({ connection }) => connection.stop()));
  }

  /** Settles when each was handed its roots once more. */
  private async served(): Promise<void> {
    await Promise.all(
      this.members.map(
        ({ events }) =>
          new Promise<void>(resolve => {
            const listener = events.onDidServeRoots(() => {
              listener.dispose();
              resolve();
            });
          }),
      ),
    );
  }

  private rootsOf(identity: string, count: number): readonly Root[] {
    return accessTo(folders.slice(0, count), {
      isTrusted: true,
      rules: noRules,
      isOffered: () => true,
      decisionOn: decider(this.grants, { serverId: identity, identity }, 0),
    }).roots;
  }
}

interface Member {
  readonly identity: string;
  readonly connection: ServerConnection;
  readonly events: ConnectionEvents;
}

function allowed(identity: string, { uri }: Folder): Grant {
  const said = { decision: 'allowed', scope: 'workspace', at: 1 } as const;
  return { serverId: identity, identity, fields: {}, folder: uri, ...said };
}

/** The least that a process of Node can do to run servers: what it takes is the machine's. */
export class PlainFleet implements Fleet {
  private clients: readonly RawClient[] = [];

  async start(servers: readonly ProcessStart[]): Promise<void> {
    this.clients = servers.map(server => new RawClient(server, ['file:///proj/folder-0']));
    const served = this.clients.map(client => client.serveRoots());
    await Promise.all(this.clients.map(client => client.initialize()));
    await Promise.all(served);
  }

  async openFolder(): Promise<void> {
    const roots = ['file:///proj/folder-0', 'file:///proj/folder-1'];
    await Promise.all(this.clients.map(client => client.changeRoots(roots)));
  }

  async stop(): Promise<void> {
    await Promise.all(this.clients.map(client => client.close()));
  }
}
