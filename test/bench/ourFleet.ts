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
import type { Fleet } from './fleet.ts';

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
