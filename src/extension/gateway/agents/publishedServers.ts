import { DisposableStore, type IDisposable } from '../../../base/disposable.ts';
import { Emitter } from '../../../base/emitter.ts';
import { whyUnpublished } from '../../../domain/gate/serverUsable.ts';
import {
  clientNames,
  editorName,
  type ServerOfClients,
} from '../../../domain/gateway/clientNames.ts';
import { HumanError } from '../../../domain/sentence.ts';
import type { Server } from '../../servers/server.ts';
import type { Servers } from '../../servers/servers.ts';

/** A server that agents can see. */
export type PublishedServer = ServerOfClients<Server>;

/**
 * The servers that this window offers to agents. Create an instance after the folders were first
 * checked on disk. Before, no server may see a folder, so all servers would seem withdrawn.
 */
export class PublishedServers implements IDisposable {
  private readonly servers: Pick<Servers, 'all' | 'onDidChange'>;
  private readonly store = new DisposableStore();
  private readonly didChange = this.store.add(new Emitter<void>());
  private known: string;

  /** Fires when the list changes, or the name or identity of a server in it. */
  readonly onDidChange = this.didChange.event;

  constructor(servers: Pick<Servers, 'all' | 'onDidChange'>) {
    this.servers = servers;
    this.known = this.key;
    this.store.add(servers.onDidChange(() => this.update()));
  }

  /** Names are chosen over all servers, so a name stays when another server is withdrawn. */
  get all(): readonly PublishedServer[] {
    return clientNames(this.servers.all).filter(({ server }) => !whyUnpublished(server));
  }

  /**
   * @param label the server's name in the editor.
   * @throws {HumanError} that says why agents can't see this server.
   */
  assertPublished(label: string): void {
    const all = clientNames(this.servers.all);
    const server = all.find(({ name }) => editorName(name) === label)?.server;
    if (!server) {
      throw new HumanError('This window has no server "{0}" any more.', label);
    }
    const reason = whyUnpublished(server);
    if (reason) {
      throw new HumanError(reason);
    }
  }

  dispose(): void {
    this.store.dispose();
  }

  private update(): void {
    if (this.key !== this.known) {
      this.known = this.key;
      this.didChange.fire();
    }
  }

  /** A text that changes with the names, ids and identities of the published servers. */
  private get key(): string {
    const all = this.all.map(({ name, server }) => [name, server.definition.id, server.identity]);
    return JSON.stringify(all);
  }
}

/** The file of the connector, and the window to which the connector leads. */
export interface ConnectorPlace {
  /** The path of the connector. Updates of the extension do not change this path. */
  readonly file: () => Promise<string>;
  readonly windowId: string;
}

/** The command that connects a client to a server of this window. */
export interface ConnectorStart {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

/**
 * The command for one server. It holds no secret and no variable to fill in, because editors store
 * the command on disk, and agents start it without a question.
 *
 * @param file the path of the connector.
 * @param name the server's name for clients.
 */
export function connectorStart(file: string, name: string, windowId: string): ConnectorStart {
  return {
    command: process.execPath,
    args: [file, '--server', name],
    // On a desktop, this makes the editor's program run as Node. Elsewhere, the program is Node.
    env: { ELECTRON_RUN_AS_NODE: '1', MCP_ROOTS_WINDOW: windowId },
  };
}
