import type { ServerContext } from '@modelcontextprotocol/server';
import { eitherSignal } from '../../base/abortSignals.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { within } from '../../base/timeLimit.ts';
import { rulesFor } from '../../domain/guard/guardRules.ts';
import { HumanError } from '../../domain/sentence.ts';
import { namesRoots } from '../../domain/settings/expandLaunch.ts';
import type { ForwardedRequest } from '../../mcp/forwarding.ts';
import { areAmong, type RootFolders } from '../../server/roots/rootFolders.ts';
import { type RootsView, whyNoRoots } from '../../server/roots/rootsView.ts';
import type { SessionRoots } from '../../server/sessionRoots.ts';
import { type ConfigFile, unknownServer } from '../config/configFile.ts';
import { judge, type Verdict } from '../guard/judge.ts';
import type { RefusalCounts } from '../guard/refusalCounts.ts';
import type { HubHost, RawResult } from '../hubHost.ts';
import type { PoolEntry } from '../upstreams/poolEntry.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import { explained, inWords, isMissingCapability, refuseRevoked } from './callErrors.ts';
import { answersIn, asInputRequired } from './inputRequired.ts';
import type { PassedLogs } from './passedLogs.ts';
import { progressTo } from './progressTo.ts';
import type { RelayToClient } from './relayToClient.ts';
import type { SessionAudit, VerdictRecord } from './sessionAudit.ts';
import type { SessionUpstreams } from './sessionUpstreams.ts';
import { namesSuspendedCall, SuspendableCall, type SuspendedCalls } from './suspendedCalls.ts';

/** A request to forward; the paths in `args` and `meta` are checked against the roots. */
export interface GuardedCall {
  readonly serverName: string;
  /** The name of a tool; of any other request, words for the audit. */
  readonly toolName: string;
  readonly args: unknown;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** May differ from the first time when the request resumes a suspended call; `args` may not. */
  readonly meta?: unknown;
}

/** By what names the audit knows a request. */
export type CallNames = Pick<GuardedCall, 'serverName' | 'toolName'>;

/** What {@link GuardedCalls} work with. */
interface GuardedCallsParts {
  readonly host: HubHost;
  readonly upstreams: SessionUpstreams;
  readonly relay: RelayToClient;
  readonly logs: Pick<PassedLogs, 'heed'>;
  readonly suspended: SuspendedCalls;
  readonly audit: SessionAudit;
  readonly config: Pick<ConfigFile, 'whyLeftOut'>;
  readonly refusals: RefusalCounts;
}

/**
 * Forwards requests to upstreams: servers behind the hub, each one instance for one list of roots.
 * Each request is judged by the roots view (the session's roots of this moment, and who named them)
 * of the turn that it is sent in: between judging and sending nothing else happens.
 */
export class GuardedCalls {
  private readonly parts: GuardedCallsParts;

  constructor(parts: GuardedCallsParts) {
    this.parts = parts;
  }

  /**
   * The server's result, unchanged, or the questions that the server wants answered first.
   * @throws the server's own error; {@link HumanError} when the call is refused, or the server
   * can't be reached.
   */
  async run(
    call: GuardedCall,
    context: ServerContext,
    roots: Pick<SessionRoots, 'use'> = this.parts.host.roots,
  ): Promise<RawResult> {
    const request = { context, record: this.recordOf(call, context), kept: new DisposableStore() };
    let isListed = false;
    const turn = (view: RootsView, revoked?: AbortSignal) =>
      this.turn(call, { ...request, isListed }, view, revoked);
    try {
      for (;;) {
        const done = await roots.use<RawResult | NotReady>(context, turn, refuseRevoked);
        if (!isNotReady(done)) {
          return done as RawResult;
        }
        await explained(done.notReady.prepare(context.mcpReq.signal), done.whyNoRoots);
        await listed(done.notReady);
        isListed = true;
      }
    } catch (error) {
      request.record.noteEnd(error, context.mcpReq.signal);
      throw error;
    } finally {
      request.kept.dispose();
    }
  }

  /** Writes to the audit that a call ended before it could be run; a name not known is empty. */
  noteUnrun(call: CallNames, error: unknown, context: ServerContext): void {
    this.recordOf(call, context).noteEnd(error, context.mcpReq.signal);
  }

  private recordOf({ serverName, toolName }: CallNames, context: ServerContext): VerdictRecord {
    const isLaterRound = namesSuspendedCall(answersIn(context)?.continuation ?? '');
    return this.parts.audit.verdictOn({ server: serverName, tool: toolName }, isLaterRound);
  }

  /**
   * Judges a request and sends it, or returns an upstream that has to be prepared before. All of
   * that happens in one turn of the event loop, in which the roots do not change.
   */
  private turn(
    call: GuardedCall,
    request: GuardedRequest & { readonly isListed: boolean },
    view: RootsView,
    revoked: AbortSignal | undefined,
  ): Promise<RawResult> | NotReady {
    const { upstreams } = this.parts;
    const { context, kept } = request;
    const resumed = this.resumed(call, context, view.folders);
    try {
      if (resumed) {
        upstreams.note(view, context);
      }
      const entry = resumed?.begun.entry ?? upstreams.take(view, context, call.serverName);
      kept.add(upstreams.keepDuring(entry));
      const upstream = this.upstreamIn(entry, call);
      if (!resumed && !request.isListed && isUnlisted(call, upstream)) {
        return { notReady: upstream, whyNoRoots: undefined };
      }
      const allowed = this.judged(call, request, upstream, view);
      if (resumed) {
        this.beforeSending(request, allowed);
        resumed.answer(answersIn(context)?.responses ?? {});
        return this.inRounds(resumed, context);
      }
      upstream.restoreRoots();
      if (!upstream.isReady) {
        const isWithRoots = namesRoots(upstream.server.launch);
        return { notReady: upstream, whyNoRoots: isWithRoots ? whyNoRoots(view) : undefined };
      }
      this.beforeSending(request, allowed);
      return this.mayAskInRounds(call, context)
        ? this.inRounds(this.begin(call, upstream, entry, view, context), context)
        : this.sent(call, upstream, context, revoked);
    } catch (error) {
      resumed?.cancel('The call was refused.');
      throw error;
    }
  }

  /**
   * The suspended call that this request resumes; `undefined` when the request begins a call.
   * @throws {HumanError} when the suspended call has ended, or is not the call of this request;
   * when a root was revoked under which the suspended call began: then that call is cancelled.
   */
  private resumed(
    call: GuardedCall,
    context: ServerContext,
    now: RootFolders,
  ): SuspendableCall | undefined {
    const { continuation = '' } = answersIn(context) ?? {};
    const resumed = this.parts.suspended.resume(continuation, call);
    if (resumed && !areAmong(resumed.begun.folders, now)) {
      resumed.cancel('A root was revoked.');
      refuseRevoked();
    }
    return resumed;
  }

  private upstreamIn({ upstreams }: PoolEntry, { serverName }: GuardedCall): Upstream {
    const upstream = upstreams.get(serverName);
    if (!upstream) {
      throw new HumanError('{0}', unknownServer(serverName, upstreams.keys(), this.parts.config));
    }
    return upstream;
  }

  /** @throws {HumanError} when the guard refuses the call; the audit then has the refusal. */
  private judged(
    call: GuardedCall,
    { record }: GuardedRequest,
    upstream: Upstream,
    view: RootsView,
  ): Allowed {
    const verdict = verdictOn(call, upstream, view);
    if (verdict.kind !== 'denied') {
      return verdict;
    }
    const { canonical, path, reason, message } = verdict;
    this.parts.refusals.note({ server: call.serverName, tool: call.toolName }, verdict);
    record.note({ verdict: 'denied', paths: [canonical ?? path], reason });
    throw new HumanError('{0}', [message, whyNoRoots(view) ?? ''].join(' ').trim());
  }

  private beforeSending({ record, context }: GuardedRequest, { kind, paths }: Allowed): void {
    record.note({ verdict: kind, paths });
    this.parts.logs.heed(context);
  }

  /** Whether the server may ask something, and this request can be answered with its questions. */
  private mayAskInRounds({ method }: GuardedCall, context: ServerContext): boolean {
    const { host, upstreams } = this.parts;
    return (
      host.era === 'modern' &&
      Object.keys(upstreams.capabilities(context)).length > 0 &&
      // By the protocol, a completion is the one forwarded request answered by its result only.
      method !== 'completion/complete'
    );
  }

  /** Sends a call that may be suspended. */
  private begin(
    call: GuardedCall,
    upstream: Upstream,
    entry: PoolEntry,
    { folders }: RootsView,
    context: ServerContext,
  ): SuspendableCall {
    const { relay, upstreams } = this.parts;
    const begun = { call, entry, upstream: upstream.id, folders };
    const suspendable = new SuspendableCall(begun, context, request =>
      this.send(call, upstream, context, request),
    );
    suspendable.own(upstreams.keepDuring(entry));
    relay.add(suspendable);
    return suspendable;
  }

  private inRounds(call: SuspendableCall, context: ServerContext): Promise<RawResult> {
    const { relay, suspended } = this.parts;
    return relay.during(call.begun.upstream, context, suspended.run(call, context));
  }

  /** Sends a call whose result is the answer to this request. */
  private async sent(
    call: GuardedCall,
    upstream: Upstream,
    context: ServerContext,
    revoked: AbortSignal | undefined,
  ): Promise<RawResult> {
    const { signal } = context.mcpReq;
    const either = revoked && eitherSignal(signal, revoked);
    const progress = progressTo(context);
    try {
      const request = {
        signal: either?.signal ?? signal,
        ...(progress && { onProgress: progress.tell }),
      };
      const answer = this.send(call, upstream, context, request);
      return await this.parts.relay.during(upstream.id, context, answer);
    } finally {
      progress?.dispose();
      either?.dispose();
    }
  }

  /**
   * Sends the call in this very turn. The answer is the server's result, or the server's questions.
   * @throws the server's own error; {@link HumanError} when the server needs a capability that the
   * client does not have.
   */
  private async send(
    { serverName, method, params }: GuardedCall,
    upstream: Upstream,
    context: ServerContext,
    request: Pick<ForwardedRequest, 'signal' | 'onProgress'>,
  ): Promise<RawResult> {
    const answers = answersIn(context);
    const sent = { method, params, ...request, ...(answers && { answers }) };
    try {
      const forwarded = await upstream.forward(sent, this.parts.relay);
      return forwarded.kind === 'result'
        ? forwarded.result
        : asInputRequired(forwarded.requests, forwarded.continuation);
    } catch (error) {
      throw isMissingCapability(error) ? inWords(error, serverName) : error;
    }
  }
}

/** One request of the client, while it is worked on. */
interface GuardedRequest {
  readonly context: ServerContext;
  readonly record: VerdictRecord;
  /** References to pool entries, released when the request has its answer. */
  readonly kept: DisposableStore;
}

type Allowed = Exclude<Verdict, { readonly kind: 'denied' }>;

/** An upstream that has to be prepared before the request can be judged again and sent. */
interface NotReady {
  readonly notReady: Upstream;
  /**
   * Set when the server's launch names roots and there are none: why not, in finished sentences.
   */
  readonly whyNoRoots: string | undefined;
}

function isNotReady(done: RawResult | NotReady): done is NotReady {
  return 'notReady' in done;
}

function verdictOn(
  { serverName, method, toolName, args, meta }: GuardedCall,
  { server, cwd, offerings }: Upstream,
  { folders }: RootsView,
): Verdict {
  const { scope } = folders;
  // The working directory of the process comes first: the audit resolves a relative path from it.
  const bases = new Set([cwd, scope.base].filter(base => base !== undefined));
  // For a prompt or a resource, `toolName` holds words that may equal the name of a tool.
  const tool = method === 'tools/call' ? toolName : undefined;
  const schema = offerings.known('tools')?.find(({ name }) => name === tool)?.['inputSchema'];
  const judging = { rules: rulesFor(server.guard, tool), scope, bases: [...bases] };
  const called = { server: serverName, tool: toolName };
  const verdict = judge({ ...called, args, schema }, judging);
  const beside = meta === undefined ? verdict : judge({ ...called, args: meta }, judging);
  return beside.kind === 'denied' && verdict.kind !== 'denied' ? beside : verdict;
}

/** Whether a tool of a running upstream is called, and the tools' schemas were not read yet. */
function isUnlisted({ method }: GuardedCall, { isUp, offerings }: Upstream): boolean {
  return method === 'tools/call' && isUp && offerings.known('tools') === undefined;
}

/** Reads an upstream's tools for their schemas, and waits for that no longer than a second. */
async function listed({ offerings }: Upstream): Promise<void> {
  const tools = offerings.tools().catch(() => undefined);
  await within(tools, longestListing, undefined);
}

/** In milliseconds. */
const longestListing = 1000;
