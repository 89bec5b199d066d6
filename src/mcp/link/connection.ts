import {
  type CallToolResult,
  type GetPromptResult,
  type Implementation,
  type Prompt,
  ProtocolError,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplateType,
  type ServerCapabilities,
  type Tool,
} from '@modelcontextprotocol/client';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { Era } from '../../domain/exposure.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { LogLevel } from '../../domain/logLevels.ts';
import type { Root } from '../../domain/roots.ts';
import { HumanError, inEnglish, isHumanError } from '../../domain/sentence.ts';
import type { ProtocolChoice } from '../../domain/servers/serverDefinition.ts';
import { type Failure, failureSentence, notStarted } from '../../domain/servers/serverFailure.ts';
import { KnownSecrets, redactedError, withoutSecrets } from '../process/knownSecrets.ts';
import type { Target } from '../process/openWire.ts';
import { refusedStart } from '../process/stdio/startError.ts';
import type { ForwardedRequest } from './forwarding.ts';
import type { ConnectionState, Link } from './link.ts';
import {
  type Listed,
  type OwnMethod,
  type OwnOptions,
  type OwnResult,
  Session,
  type SessionEvents,
  type SessionHost,
  type ToolCall,
} from './session.ts';

/** The SDK's types for what a server offers and answers. */
export type {
  CallToolResult,
  GetPromptResult,
  Listed,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
  ServerCapabilities,
  Tool,
  ToolCall,
};

interface ListEntries {
  readonly tools: Tool;
  readonly resources: Resource;
  readonly resourceTemplates: ResourceTemplateType;
  readonly prompts: Prompt;
}

/** The connection to one server: starts or reaches the server, serves its roots, and ends it. */
export class ServerConnection implements Link {
  private readonly host: SessionHost;
  private readonly didChangeState = new Emitter<ConnectionState>();
  private readonly didBegin = new Emitter<SessionEvents>();
  private current: ConnectionState = { kind: 'stopped' };
  /** The outcome of the latest start. A second call of `start` meanwhile gets the same promise. */
  private outcome: Promise<ConnectionState> = Promise.resolve(this.current);
  private callOff = new AbortController();
  /** The present session, from before its handshake until all of it has ended. */
  private session: Session | undefined;
  /** The era that worked only in a second process. Later starts try it in their first process. */
  private knownEra: Era | undefined;
  private level: LogLevel | undefined;
  /** The secrets of the last start, and secrets that were added since. */
  private secrets = new KnownSecrets();
  private roots: readonly Root[] | undefined;

  readonly onDidChangeState: Event<ConnectionState> = this.didChangeState.event;
  /**
   * Fires when a session has begun, and its process, if any. The handshake follows, and may never
   * end. One start may take two sessions, one after the other.
   */
  readonly onDidBegin: Event<SessionEvents> = this.didBegin.event;

  constructor(host: SessionHost) {
    this.host = host;
  }

  get state(): ConnectionState {
    return this.current;
  }

  /**
   * Starts the server and shakes hands. Resolves to the resulting state, and never rejects. A call during
   * a start joins that start. A call during a stop waits for the stop. A running server stays as it is.
   *
   * @param roots the roots that the server may see, or `undefined` to offer no roots capability.
   */
  async start(
    target: Target,
    roots: readonly Root[] | undefined,
    protocol: ProtocolChoice = 'auto',
  ): Promise<ConnectionState> {
    if (this.current.kind === 'running') {
      return this.current;
    }
    if (this.current.kind === 'starting') {
      return this.outcome;
    }
    this.roots = roots;
    this.callOff = new AbortController();
    const { signal } = this.callOff;
    // `launch` begins with a wait, so nothing happens before the state is `starting`. A listener
    // of the state that calls `start` gets the same promise.
    this.outcome = this.launch(target, protocol, signal).catch(error => {
      // Some command lines can't start a process: an empty name, a NUL, too many bytes.
      const isOfNode = 'command' in target && !isHumanError(error);
      const reason = isOfNode ? Object.assign(refusedStart(error), { cause: error }) : error;
      const failure = notStarted(reason);
      return signal.aborted ? { kind: 'stopped' } : this.fail(failure);
    });
    this.enter({ kind: 'starting' });
    return this.outcome;
  }

  /**
   * Ends the server and all that it started, and cancels a start that is under way. Settles when
   * all of them have ended; never rejects.
   */
  async stop(): Promise<void> {
    const { session } = this;
    this.callOff.abort();
    const closed = session?.close();
    this.enter({ kind: session ? 'stopping' : 'stopped' });
    await closed;
    // During the wait, a new start may have begun, or another stop may have finished.
    if (this.current.kind === 'stopping' && session === this.session) {
      const ending = session?.wire.ending;
      this.session = undefined;
      this.enter({ kind: 'stopped', ...(ending && { ending }) });
    }
  }

  /** Kills the server immediately. Call it only when our own process is about to end. */
  kill(): void {
    this.session?.wire.kill();
    void this.stop();
  }

  /** Sets the roots that the server sees from now on. A server that was offered no roots gets none. */
  setRoots(roots: readonly Root[]): void {
    if (this.roots) {
      // Kept for a start that still waits for an earlier stop: the start must not offer revoked roots.
      this.roots = roots;
      this.session?.answerer.setRoots(roots);
    }
  }

  /** Sets the least level of log messages to ask the server for. Without a level, none are asked for. */
  setLogLevel(level: LogLevel): void {
    this.level = level;
    this.session?.news.setLevel(level);
  }

  /** The text without the keys and tokens of the server. */
  redacted(text: string): string {
    return this.secrets.redacted(text);
  }

  /** All pages of a list; empty if there is none. @throws {HumanError} unless the server runs. */
  async list<K extends keyof ListEntries>(kind: K): Promise<readonly ListEntries[K][]> {
    return (await this.ask(session => session.list(kind))) as readonly ListEntries[K][];
  }

  /** The server's tools. @throws as {@link list}. */
  listTools(): Promise<readonly Tool[]> {
    return this.list('tools');
  }

  /** @throws {HumanError} when the server is not running, or asks for something it was not offered. */
  callTool({ name, arguments: args, ...options }: ToolCall): Promise<CallToolResult> {
    return this.request('tools/call', { name, arguments: args }, options);
  }

  /** @throws {HumanError} as {@link callTool}. */
  request<M extends OwnMethod>(
    method: M,
    params: Readonly<Record<string, unknown>>,
    options?: OwnOptions,
  ): Promise<OwnResult<M>> {
    return this.ask(session => session.request(method, params, options));
  }

  /**
   * Sends a request of another client, in the same turn of the event loop. No time limit applies.
   *
   * @throws {ProtocolError} the server's own error, without secrets.
   * @throws {HumanError} as {@link callTool}, and when an answer to the server holds roots.
   */
  forward(request: ForwardedRequest): Promise<JsonObject> {
    return this.ask(session => session.forward(request));
  }

  /** The declared capabilities; `undefined` unless the server is running. */
  get serverCapabilities(): ServerCapabilities | undefined {
    return this.runningSession?.client.getServerCapabilities();
  }

  /** The name and version of the server; `undefined` when it does not say, or is not running. */
  get serverInfo(): Implementation | undefined {
    return this.runningSession?.client.getServerVersion();
  }

  /** The server's instructions for its use; `undefined` when it has none, or is not running. */
  get instructions(): string | undefined {
    return this.runningSession?.client.getInstructions();
  }

  /** Opens a session, or after a failure one in another era. Rejects if it can't create one. */
  private async launch(
    target: Target,
    protocol: ProtocolChoice,
    calledOff: AbortSignal,
  ): Promise<ConnectionState> {
    // An earlier stop may still be under way.
    await this.session?.close();
    this.secrets = new KnownSecrets(target.secrets);
    let era = protocol === 'auto' ? this.firstEra(target) : undefined;
    while (!calledOff.aborted) {
      const { host, roots, level, secrets } = this;
      const negotiation = era ?? protocol;
      const session = new Session(host, { target, roots, negotiation, level, secrets });
      this.session = session;
      this.didBegin.fire(session);
      const failure = await session.open();
      if (failure) {
        await session.close();
      }
      if (calledOff.aborted) {
        break;
      }
      if (!failure) {
        this.knownEra = era;
        return this.enterRunning(session);
      }
      era = session.handshake.eraToTry(failure);
      if (!era) {
        this.knownEra = undefined;
        return this.fail(failure);
      }
    }
    return { kind: 'stopped' };
  }

  /** The era to begin with. `undefined`: the handshake has to find it. */
  private firstEra(target: Target): Era | undefined {
    // SSE is the older HTTP. The newest revision can't use it, and a probe may get no answer.
    return 'transport' in target && target.transport === 'sse' ? 'legacy' : this.knownEra;
  }

  private enterRunning(session: Session): ConnectionState {
    const { client, process, wire } = session;
    void wire.ended.then(failure => this.runningSession === session && this.fail(failure));
    return this.enter({
      kind: 'running',
      era: client.getProtocolEra() ?? 'legacy',
      protocolVersion: client.getNegotiatedProtocolVersion() ?? '',
      pid: process?.pid,
    });
  }

  private fail(failure: Failure): ConnectionState {
    this.session = undefined;
    return this.enter({ kind: 'failed', failure: withoutSecrets(failure, this.secrets) });
  }

  private enter(state: ConnectionState): ConnectionState {
    if (state.kind !== this.current.kind) {
      this.current = state;
      this.didChangeState.fire(state);
    }
    return state;
  }

  private async ask<T>(send: (session: Session) => Promise<T>): Promise<T> {
    const { runningSession: session, secrets } = this;
    if (!session) {
      throw new HumanError('The server is not running. Start it first.');
    }
    try {
      return await send(session);
    } catch (error) {
      throw redactedError(await whyFailed(session.wire, error), secrets);
    }
  }

  private get runningSession(): Session | undefined {
    return this.current.kind === 'running' ? this.session : undefined;
  }
}

/** Returns the error of a request, or if the process's end caused it, how the process ended. */
async function whyFailed(wire: Pick<Session['wire'], 'explain'>, error: unknown): Promise<unknown> {
  if (error instanceof ProtocolError || isHumanError(error)) {
    return error;
  }
  const failure = await wire.explain(error);
  return 'end' in failure
    ? new HumanError('The server {0}.', inEnglish(failureSentence(failure)).replace(/\.$/, ''))
    : error;
}
