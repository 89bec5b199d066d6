import { basename } from 'node:path';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { Logger } from '../../base/logger.ts';
import type { HubServer } from '../../domain/hubConfig/hubServer.ts';
import { HumanError, isHumanError } from '../../domain/sentence.ts';
import type { RestartPlan } from '../../domain/servers/restarts.ts';
import type { StartRoot } from '../../domain/servers/rootsChange.ts';
import { expandLaunch } from '../../domain/settings/expandLaunch.ts';
import type { ConnectionState, ServerConnection } from '../../mcp/connection.ts';
import type { ManagedServer } from '../../mcp/managedServer.ts';
import type { Target } from '../../mcp/openWire.ts';
import type { ClientRelay } from '../../mcp/relayedRequests.ts';
import type { ProcessOwner } from '../../mcp/stdio/processOwner.ts';
import type { processStart } from '../../mcp/stdio/processStart.ts';
import type { ProcessStart } from '../../mcp/stdio/serverProcess.ts';
import type { ConnectionTimes } from '../../mcp/times.ts';
import type { RootFolder } from '../../server/roots/rootFolders.ts';
import type { EmptyFolder } from './emptyFolder.ts';
import type { ProcessLimit } from './processLimit.ts';

/** What the lives of all upstreams of a hub share. */
export interface LifeParts {
  readonly loadClient: () => Promise<ClientBundle>;
  /** The owner of all processes, which is part of the client bundle. */
  readonly owner: (bundle: ClientBundle) => ProcessOwner;
  readonly processes: ProcessLimit;
  /** The folder in which processes without a root start. */
  readonly emptyFolder: Pick<EmptyFolder, 'path'>;
  readonly clientInfo: { readonly name: string; readonly title?: string; readonly version: string };
  /** `undefined`: the times for a server that a person waits for. */
  readonly times?: ConnectionTimes | undefined;
  readonly logger: Pick<Logger, 'error'>;
}

/** The upstream whose life it is. */
export interface LifeSubject {
  readonly server: HubServer;
  readonly roots: readonly RootFolder[];
  /** Answers the server's own requests. */
  readonly relay: ClientRelay;
  /** Looks whether the roots are still in place, and calls `setRoots` with others if not. */
  readonly lookAgain: () => void;
  /** Settles when the processes of the upstream that this one replaces are gone. */
  readonly predecessor?: Promise<unknown> | undefined;
}

/**
 * The life of one upstream (a server behind the hub, one instance for one list of roots): a managed
 * server, which the first start makes with the client bundle.
 */
export class UpstreamLife implements IDisposable {
  private readonly subject: LifeSubject;
  private readonly parts: LifeParts;
  private readonly store = new DisposableStore();
  private readonly didChange = this.store.add(new Emitter<void>());
  private readonly didBegin = this.store.add(new Emitter<ManagedServer>());
  private roots: readonly RootFolder[];
  private managed: ManagedServer | undefined;
  /** The state before there is a managed server: its bundle is being loaded, or loading failed. */
  private ahead: ConnectionState | undefined;

  /** The state or the plan may have changed. */
  readonly onDidChange: Event<void> = this.didChange.event;
  /** The managed server is made, once, and not started yet. */
  readonly onDidBegin: Event<ManagedServer> = this.didBegin.event;

  constructor(subject: LifeSubject, parts: LifeParts) {
    this.subject = subject;
    this.parts = parts;
    this.roots = subject.roots;
  }

  /** `undefined` before the first start. */
  get connection(): ServerConnection | undefined {
    return this.managed?.connection;
  }

  get state(): ConnectionState {
    return this.managed?.state ?? this.ahead ?? { kind: 'stopped' };
  }

  get plan(): RestartPlan {
    return this.managed?.plan ?? { kind: 'none' };
  }

  /** Whether the server can be called. */
  get isUp(): boolean {
    return this.state.kind === 'running';
  }

  /** How the process was started last; `undefined` before that, and for a server over HTTP. */
  get process(): Pick<ProcessStart, 'cwd' | 'withheldProxies'> | undefined {
    const target = this.managed?.target;
    return target && 'cwd' in target ? target : undefined;
  }

  /** Starts the server unless it runs, without waiting for the outcome. */
  begin(): void {
    void this.start();
  }

  /** Ends the server and its restart plan. Settles when its processes are gone; never rejects. */
  async stop(): Promise<void> {
    this.enter(undefined);
    await this.managed?.stop();
  }

  /** Brings the server other roots: it is told of them, and restarted or ended if need be. */
  setRoots(roots: readonly RootFolder[]): void {
    const { state } = this;
    this.roots = roots;
    this.managed?.setRoots(roots.map(startRoot));
    if (state.kind === 'failed' && state.failure.kind === 'not-started') {
      void this.stop(); // The reason why it could not start may be gone with the old roots.
    }
  }

  /** From now on nothing is started, and no event fires. */
  dispose(): void {
    this.store.dispose();
  }

  private async start(): Promise<void> {
    if (!this.managed) {
      this.enter({ kind: 'starting' });
      try {
        const bundle = await this.parts.loadClient();
        // A stop clears `ahead`, and another start may have made the managed server first.
        if (this.ahead) {
          this.managed ??= this.newManaged(bundle);
        }
      } catch (error) {
        const failure = { kind: 'not-started', message: this.reasonOf(error) } as const;
        this.enter({ kind: 'failed', failure });
      }
    }
    await this.managed?.start('by-itself');
  }

  private newManaged(bundle: ClientBundle): ManagedServer {
    const { server, relay, lookAgain, predecessor } = this.subject;
    const { owner, processes, emptyFolder, clientInfo, times } = this.parts;
    const definition = { ...server, id: server.name, label: server.name };
    const managed = new bundle.ManagedServer(definition, this.roots.map(startRoot), {
      clientInfo,
      owner: owner(bundle),
      times,
      relay,
      restarts: { policy: 'on-change' },
      ready: async () => predecessor,
      target: ({ roots }) => targetFor(server, roots, bundle, emptyFolder),
      admit: start => (server.launch.type === 'stdio' ? processes.starting(this, start) : start()),
      lookAgain: () => void lookAgain(),
      reasonOf: error => this.reasonOf(error),
    });
    this.store.add(managed);
    this.store.add(managed.onDidChange(() => this.didChange.fire()));
    managed.connection.onDidBegin(({ process }) => process && processes.note(this, process));
    this.didBegin.fire(managed);
    return managed;
  }

  private reasonOf(error: unknown): string {
    if (!isHumanError(error)) {
      this.parts.logger.error(error instanceof Error ? error : String(error));
    }
    return error instanceof Error ? error.message : String(error);
  }

  private enter(ahead: ConnectionState | undefined): void {
    this.ahead = ahead;
    this.didChange.fire();
  }
}

/** A root as a server is told of it, and as it stands in a launch. */
export function startRoot({ uri, name, announced }: RootFolder): StartRoot {
  return { uri, name: name ?? basename(announced), path: announced };
}

/**
 * How to start or reach a server for these roots, with all variables of its launch expanded. There
 * is nobody who could enter inputs or sign in.
 */
async function targetFor(
  { launch }: HubServer,
  startRoots: readonly StartRoot[],
  { processStart }: ClientBundle,
  emptyFolder: LifeParts['emptyFolder'],
): Promise<Target> {
  const roots = startRoots.map(({ path }) => path);
  const expanded = expandLaunch(launch, { env: process.env, inputs: new Map(), roots });
  if (!expanded.ok) {
    throw new HumanError(expanded.problem.template, ...expanded.problem.values);
  }
  const { launch: filled, secrets } = expanded;
  if (filled.type === 'stdio') {
    return processStart({ launch: filled, secrets, folder: roots[0] ?? emptyFolder.path() });
  }
  const { url, headers, transport } = filled;
  return { url, headers, secrets, ...(transport && { transport }) };
}

/** What the hub uses of the client bundle. */
interface ClientBundle {
  readonly ManagedServer: typeof ManagedServer;
  readonly ProcessOwner: typeof ProcessOwner;
  readonly processStart: typeof processStart;
}

/** Loads the client bundle, and with it the SDK, on the first call. */
export function loadClient(): Promise<ClientBundle> {
  return import('../../mcp/main.ts');
}
