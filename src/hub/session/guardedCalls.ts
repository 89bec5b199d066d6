import { eitherSignal } from '../../base/abortSignals.ts';
import { MutableDisposable } from '../../base/disposable.ts';
import { within } from '../../base/timeLimit.ts';
import { rulesFor } from '../../domain/guard/guardRules.ts';
import { HumanError } from '../../domain/sentence.ts';
import { namesRoots } from '../../domain/settings/expandLaunch.ts';
import type { ForwardedRequest } from '../../mcp/forwarding.ts';
import type { RequestContext } from '../../server/requestContext.ts';
import { areAmong, type RootFolders } from '../../server/roots/rootFolders.ts';
import { type RootsView, whyNoRoots } from '../../server/roots/rootsView.ts';
import type { SessionRoots } from '../../server/sessionRoots.ts';
import { type ConfigFile, unknownServer } from '../config/configFile.ts';
import { type Denied, judge, type Verdict } from '../guard/judge.ts';
import type { RawResult } from '../hubHost.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import { explained, inWords, isMissingCapability, refuseRevoked } from './callErrors.ts';
import type { PassedLogs } from './passedLogs.ts';
import { progressTo } from './progressTo.ts';
import type { RelayToClient } from './relayToClient.ts';
import type { SessionAudit, VerdictRecord } from './sessionAudit.ts';
import type { SessionUpstreams } from './sessionUpstreams.ts';
import {
  answersIn,
  asInputRequired,
  namesSuspendedCall,
  SuspendableCall,
  type SuspendedCalls,
} from './suspendedCalls.ts';

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
  readonly upstreams: SessionUpstreams;
  readonly relay: RelayToClient;
  readonly logs: Pick<PassedLogs, 'heed'>;
  readonly suspended: SuspendedCalls;
  readonly audit: SessionAudit;
  readonly config: Pick<ConfigFile, 'whyLeftOut'>;
}

/**
 * Forwards requests to upstreams: servers behind the hub.
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
    context: RequestContext,
    roots: Pick<SessionRoots, 'use'>,
  ): Promise<RawResult> {
    const answers = answersIn(context);
    const record = this.recordOf(call, answers);
    const held = new MutableDisposable();
    const request: GuardedRequest = { call, context, answers, record, held };
    let isListed = false;
    const turn = (view: RootsView, revoked?: AbortSignal) =>
      this.turn(request, isListed, view, revoked);
    try {
      for (;;) {
        const done = await roots.use<RawResult | NotReady>(context, turn, refuseRevoked);
        if (!isNotReady(done)) {
          return done as RawResult;
        }
        if (done.notReady === undefined) {
          await this.parts.upstreams.turn(context.mcpReq.signal);
          continue;
        }
        await explained(done.notReady.comeUp(context.mcpReq.signal), done.whyNoRoots);
        await listed(done.notReady);
        isListed = true;
      }
    } catch (error) {
      record.noteEnd(error, context.mcpReq.signal);
      throw error;
    } finally {
      held.value = undefined;
    }
  }

  /** Writes to the audit that a call ended before it could be run; a name not known is empty. */
  noteUnrun(call: CallNames, error: unknown, context: RequestContext): void {
    this.recordOf(call, answersIn(context)).noteEnd(error, context.mcpReq.signal);
  }

  private recordOf({ serverName, toolName }: CallNames, answers: RoundAnswers): VerdictRecord {
    const isLaterRound = namesSuspendedCall(answers?.continuation ?? '');
    return this.parts.audit.verdictOn({ server: serverName, tool: toolName }, isLaterRound);
  }

  /**
   * Judges a request and sends it, or returns an upstream that has to be prepared before. All of
   * that happens in one turn of the event loop, in which the roots do not change.
   */
  private turn(
    request: GuardedRequest,
    isListed: boolean,
    view: RootsView,
    revoked: AbortSignal | undefined,
  ): Promise<RawResult> | NotReady {
    const { upstreams, logs } = this.parts;
    const { call, context, answers, record, held } = request;
    held.value = undefined;
    const resumed = this.resumed(request, view.folders);
    try {
      if (resumed) {
        upstreams.note(view, context);
      }
      const hold = resumed ? upstreams.hold() : upstreams.take(view, context);
      if (!hold) {
        return { notReady: undefined, whyNoRoots: undefined };
      }
      held.value = hold;
      const upstream = this.upstreamIn(call);
      if (!resumed && !isListed && isUnlisted(call, upstream)) {
        return { notReady: upstream, whyNoRoots: undefined };
      }
      const { kind, paths } = judged(request, upstream, view);
      if (!resumed) {
        upstream.restoreRoots();
        if (!upstream.isReady) {
          const isWithRoots = namesRoots(upstream.server.launch);
          return { notReady: upstream, whyNoRoots: isWithRoots ? whyNoRoots(view) : undefined };
        }
      }
      record.note({ verdict: kind, paths });
      logs.heed(context);
      if (resumed) {
        resumed.answer(answers?.responses ?? {});
        return this.inRounds(resumed, context);
      }
      // By the protocol, a completion is the one forwarded request answered by its result only.
      return upstreams.canBeAsked(context) && call.method !== 'completion/complete'
        ? this.inRounds(this.begin(request, upstream, view.folders), context)
        : this.sent(request, upstream, revoked);
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
    { call, answers }: GuardedRequest,
    now: RootFolders,
  ): SuspendableCall | undefined {
    const resumed = this.parts.suspended.resume(answers?.continuation ?? '', call);
    if (resumed && !areAmong(resumed.begun.folders, now)) {
      resumed.cancel('A root was revoked.');
      refuseRevoked();
    }
    return resumed;
  }

  private upstreamIn({ serverName }: GuardedCall): Upstream {
    const { byName } = this.parts.upstreams;
    const upstream = byName.get(serverName);
    if (!upstream) {
      throw new HumanError('{0}', unknownServer(serverName, byName.keys(), this.parts.config));
    }
    return upstream;
  }

  /** Sends a call that may be suspended. */
  private begin(
    request: GuardedRequest,
    upstream: Upstream,
    folders: RootFolders,
  ): SuspendableCall {
    const { relay } = this.parts;
    const { call, context } = request;
    const begun = { call, upstream: upstream.id, folders };
    const suspendable = new SuspendableCall(begun, context, means =>
      this.send(request, upstream, means),
    );
    relay.add(suspendable);
    return suspendable;
  }

  private inRounds(call: SuspendableCall, context: RequestContext): Promise<RawResult> {
    const { relay, suspended } = this.parts;
    return relay.during(call.begun.upstream, context, suspended.run(call, context));
  }

  /** Sends a call whose result is the answer to this request. */
  private async sent(
    request: GuardedRequest,
    upstream: Upstream,
    revoked: AbortSignal | undefined,
  ): Promise<RawResult> {
    const { context } = request;
    const { signal } = context.mcpReq;
    const either = revoked && eitherSignal(signal, revoked);
    const progress = progressTo(context);
    try {
      const means = {
        signal: either?.signal ?? signal,
        ...(progress && { onProgress: progress.tell }),
      };
      const answer = this.send(request, upstream, means);
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
    { call: { serverName, method, params }, answers }: GuardedRequest,
    upstream: Upstream,
    means: Pick<ForwardedRequest, 'signal' | 'onProgress'>,
  ): Promise<RawResult> {
    const sent = { method, params, ...means, ...(answers && { answers }) };
    try {
      const forwarded = await upstream.forward(sent);
      return forwarded.kind === 'result'
        ? forwarded.result
        : asInputRequired(forwarded.requests, forwarded.continuation);
    } catch (error) {
      throw isMissingCapability(error) ? inWords(error, serverName) : error;
    }
  }
}

/** The client's answers to a server's questions; `undefined` in the first round of a call. */
type RoundAnswers = ReturnType<typeof answersIn>;

/** One request of the client, while it is worked on. */
interface GuardedRequest {
  readonly call: GuardedCall;
  readonly context: RequestContext;
  readonly answers: RoundAnswers;
  readonly record: VerdictRecord;
  /** Keeps the roots of the request until it has its answer. */
  readonly held: MutableDisposable;
}

/** What has to come before the request can be judged again and sent. */
interface NotReady {
  /** An upstream that has to be prepared; `undefined`: requests with other roots have to end. */
  readonly notReady: Upstream | undefined;
  /**
   * Set when the server's launch names roots and there are none: why not, in finished sentences.
   */
  readonly whyNoRoots: string | undefined;
}

function isNotReady(done: RawResult | NotReady): done is NotReady {
  return 'notReady' in done;
}

/** @throws {HumanError} when the guard refuses the call; the audit then has the refusal. */
function judged({ call, record }: GuardedRequest, upstream: Upstream, view: RootsView): Allowed {
  const verdict = verdictOn(call, upstream, view);
  if (verdict.kind !== 'denied') {
    return verdict;
  }
  record.refuse(verdict);
  throw new HumanError('{0}', [verdict.message, whyNoRoots(view) ?? ''].join(' ').trim());
}

type Allowed = Exclude<Verdict, Denied>;

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
  const known = offerings.known('tools')?.find(({ name }) => name === tool);
  const schema = known?.['inputSchema'];
  const isReadOnly = Object(known?.['annotations']).readOnlyHint === true;
  const judging = { rules: rulesFor(server.guard, tool), scope, bases: [...bases], isReadOnly };
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
