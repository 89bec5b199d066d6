import { DisposableStore, type IDisposable } from '../../../base/disposable.ts';
import { Emitter } from '../../../base/emitter.ts';
import {
  clientNames,
  editorName,
  type ServerOfClients,
} from '../../../domain/gateway/clientNames.ts';
import { whyUnpublished } from '../../../domain/gateway/usable.ts';
import { HumanError } from '../../../domain/sentence.ts';
import type { Server } from '../../servers/server.ts';
import type { Servers } from '../../servers/servers.ts';

/** A server that agents are told of. */
export type PublishedServer = ServerOfClients<Server>;

/**
 * The servers that the agents of this window are told of. To be made once the folders were looked at:
 * before, no server may see any, and all would seem to be withdrawn.
 */
export class PublishedServers implements IDisposable {
  private readonly servers: Pick<Servers, 'all' | 'onDidChange'>;
  private readonly store = new DisposableStore();
  private readonly didChange = this.store.add(new Emitter<void>());
  private known: string;

  /** There are others now, or one goes by another name. */
  readonly onDidChange = this.didChange.event;

  constructor(servers: Pick<Servers, 'all' | 'onDidChange'>) {
    this.servers = servers;
    this.known = this.key;
    this.store.add(servers.onDidChange(() => this.update()));
  }

  /** Named as one of all, so that a name stays when another server is withdrawn. */
  get all(): readonly PublishedServer[] {
    return clientNames(this.servers.all).filter(({ server }) => !whyUnpublished(server));
  }

  /**
   * @param label the name by which the editor knows it.
   * @throws {HumanError} that says why there is no such server for agents, when there is none.
   */
  assertPublished(label: string): void {
    const all = clientNames(this.servers.all);
    const server = all.find(({ name }) => editorName(name) === label)?.server;
    if (!server) {
      throw new HumanError('There is no server "{0}" in this window any more.', label);
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

  /** Equal as long as all is true that agents know: a changed server is another one. */
  private get key(): string {
    const all = this.all.map(({ name, server }) => [name, server.definition.id, server.identity]);
    return JSON.stringify(all);
  }
}

/** The file of the connector, and the window that it is to lead to. */
export interface ConnectorPlace {
  /** The path of the connector, which stays over updates. */
  readonly file: () => Promise<string>;
  readonly windowId: string;
}

/** The command by which a client starts the connector to a server of this window. */
export interface ConnectorStart {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

/**
 * Editors keep this on disk and hand it to agents as it is, which start it unasked: it holds nothing
 * secret, and no variable to be filled in.
 *
 * @param file the path of the connector.
 * @param name by which clients know the server.
 */
export function connectorStart(file: string, name: string, windowId: string): ConnectorStart {
  return {
    command: process.execPath,
    args: [file, '--server', name],
    // The program is the editor itself on a desktop, and Node elsewhere.
    env: { ELECTRON_RUN_AS_NODE: '1', MCP_ROOTS_WINDOW: windowId },
  };
}
