import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { startsByItself } from '../../domain/consent/startStep.ts';
import { isSameJson } from '../../domain/json.ts';
import type { ServerDefinition } from '../../domain/servers/serverDefinition.ts';
import type { IdentityFields } from '../../domain/servers/serverIdentity.ts';
import type { LeftOutServer } from '../../domain/settings/serverSettings.ts';
import { Setting } from '../ids.ts';
import { settings } from '../settings.ts';
import * as vscode from '../vscode.ts';
import { Server, type ServerContext } from './server.ts';

const definingSettings = [Setting.servers, Setting.allowWrite, Setting.bundledSandbox] as const;

/** A server that replaces another server, because its definition changed. */
export interface Replacement {
  readonly server: Server;
  /** True if the replaced server was running or starting. */
  readonly wasLive: boolean;
  /** Settles when all processes of the replaced server are gone. */
  readonly ended: Promise<void>;
}

/** All servers of this window: first the bundled server, then the servers of the settings. */
export class Servers implements IDisposable {
  private readonly bundled: () => ServerDefinition;
  private readonly context: ServerContext;
  private readonly store = new DisposableStore();
  private readonly didChange = this.store.add(new vscode.EventEmitter<Server | undefined>());
  private readonly didReplace = this.store.add(new vscode.EventEmitter<Replacement>());
  /** Replaced or removed servers whose process is still ending. */
  private readonly leaving = new Set<Server>();
  private servers: readonly Server[] = [];
  private mistaken: readonly LeftOutServer[] = [];

  /** Fires with a server whose state or access has changed. `undefined`: the list has changed. */
  readonly onDidChange = this.didChange.event;
  readonly onDidReplace = this.didReplace.event;

  /** @param bundled returns the bundled server's definition for the present settings. */
  constructor(bundled: () => ServerDefinition, context: ServerContext) {
    this.bundled = bundled;
    this.context = context;
    this.store.add(
      vscode.workspace.onDidChangeConfiguration(change => {
        if (definingSettings.some(id => change.affectsConfiguration(id))) {
          this.read();
        }
      }),
    );
    this.store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.read()));
    // Definitions may refer to workspace folders.
    this.store.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.read()));
    this.store.add(context.identities.onDidChange(() => this.read()));
    this.read();
  }

  get all(): readonly Server[] {
    return this.servers;
  }

  /** The servers of the settings that mistakes leave out. One object until the list changes. */
  get leftOut(): readonly LeftOutServer[] {
    return this.mistaken;
  }

  /** Reads the definitions. Unchanged servers stay, and other servers are replaced. */
  private read(): void {
    const before = this.servers;
    const mistakenBefore = this.mistaken;
    const { servers, leftOut } = settings.definitions;
    this.mistaken = isSameJson(leftOut, mistakenBefore) ? mistakenBefore : leftOut;
    const known = new Map(before.map(server => [fingerprint(server), server]));
    this.servers = [this.bundled(), ...servers].map(definition => {
      const fields = this.context.identities.fieldsOf(definition);
      const print = fingerprint({ definition, fields });
      const server = known.get(print) ?? this.add(definition, fields);
      known.delete(print);
      return server;
    });
    for (const gone of known.values()) {
      this.retire(gone);
    }
    // While all rows are redrawn, VS Code passes no row to a command. So only real changes fire.
    if (!(isSameList(this.servers, before) && this.mistaken === mistakenBefore)) {
      this.didChange.fire(undefined);
    }
  }

  /** Reads the environment files again. If a server's file has changed, the server is replaced. */
  async refresh(): Promise<void> {
    await this.context.identities.refresh(this.servers.map(({ definition }) => definition));
  }

  /** The present server with this id; `undefined` if there is none. */
  withId(id: string): Server | undefined {
    return this.servers.find(({ definition }) => definition.id === id);
  }

  /** Starts the servers to which the user has agreed. Asks nothing. */
  startConsented(): void {
    for (const server of this.servers) {
      const { isLive, definition, access, isLaunchAllowed } = server;
      if (!isLive && definition.autoStart && startsByItself(access, isLaunchAllowed)) {
        void server.start('by-itself');
      }
    }
  }

  /** Stops all servers for good. Settles when no process is left. */
  async retireAll(): Promise<void> {
    await Promise.all([...this.servers, ...this.leaving].map(server => server.retire()));
  }

  killAll(): void {
    for (const server of [...this.servers, ...this.leaving]) {
      server.kill();
    }
  }

  dispose(): void {
    this.store.dispose();
  }

  /** Ends a server. If a new server has its id now, fires {@link onDidReplace}. */
  private retire(gone: Server): void {
    const { isLive: wasLive } = gone;
    this.leaving.add(gone);
    const ended = gone.retire().finally(() => this.leaving.delete(gone));
    const server = this.withId(gone.definition.id);
    if (server) {
      this.didReplace.fire({ server, wasLive, ended });
    }
  }

  private add(definition: ServerDefinition, fields: IdentityFields): Server {
    const server = new Server(definition, fields, this.context);
    server.onDidChange(() => this.didChange.fire(server));
    return server;
  }
}

/** True if both lists hold the same objects or equal primitive values, in the same order. */
export function isSameList(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((one, index) => one === others[index]);
}

/** A text that stays the same as long as a server may run on unchanged. */
function fingerprint({ definition, fields }: Pick<Server, 'definition' | 'fields'>): string {
  return JSON.stringify({ definition, fields });
}
