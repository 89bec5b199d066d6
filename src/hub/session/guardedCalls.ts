import { eitherSignal } from '../../base/abortSignals.ts';
import { MutableDisposable } from '../../base/disposable.ts';
import { within } from '../../base/timeLimit.ts';
import { rulesFor } from '../../domain/guard/guardRules.ts';
import { isJsonObject } from '../../domain/json.ts';
import { printable } from '../../domain/printable.ts';
import { HumanError, isHumanError } from '../../domain/sentence.ts';
import { namesRoots } from '../../domain/settings/expandLaunch.ts';
import type { ForwardedRequest } from '../../mcp/forwarding.ts';
import type { RequestContext } from '../../server/requestContext.ts';
import { areAmong, type RootFolders } from '../../server/roots/rootFolders.ts';
import { type RootsView, whyNoRoots } from '../../server/roots/rootsView.ts';
import type { SessionRoots } from '../../server/sessionRoots.ts';
import type { SessionAudit, VerdictRecord } from '../audit/auditLog.ts';
import { type ConfigFile, unknownServer } from '../config/configFile.ts';
import { type Denied, judge, type Verdict } from '../guard/judge.ts';
import type { RawResult } from '../hubHost.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';
import type { RelayToClient } from './relayToClient.ts';
import {
  answersIn,
  asQuestions,
  namesSuspendedCall,
  progressTo,
  SuspendableCall,
  type SuspendedCalls,
} from './suspendedCalls.ts';

/** A request to forward; the paths in `args` are checked against the roots. */
export interface GuardedCall {
  readonly serverName: string;
  /** The name of a tool; of any other request, words for the audit. */
  readonly toolName: string;
  readonly args: unknown;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The names of a request in the audit. */
export type CallNames = Pick<GuardedCall, 'serverName' | 'toolName'>;

interface GuardedCallsParts {
  readonly roots: Pick<SessionRoots, 'use'>;
  readonly upstreams: Upstreams;
  readonly relay: RelayToClient;
  readonly suspended: SuspendedCalls;
  readonly audit: SessionAudit;
  readonly config: Pick<ConfigFile, 'whyLeftOut'>;
}

/** One request of the client, while it is worked on. */
interface GuardedRequest {
  readonly call: GuardedCall;
  readonly context: RequestContext;
  /** The client's answers to a server's questions; `undefined` in the first round of a call. */
  readonly answers: RoundAnswers;
  readonly record: VerdictRecord;
  /** Keeps the roots of the request until it has its answer. */
  readonly held: MutableDisposable;
  /** Whether the tools of its server were asked for. */
  isListed: boolean;
}

type RoundAnswers = ReturnType<typeof answersIn>;

/** Work that has to be done before a request can be judged again and sent. */
type Preparation = () => Promise<void>;

function isPreparation(done: object): done is Preparation {
  return typeof done === 'function';
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
  async run(call: GuardedCall, context: RequestContext): Promise<RawResult> {
    const { roots } = this.parts;
    const answers = answersIn(context);
    const record = this.recordOf(call, answers);
    const held = new MutableDisposable();
    const request: GuardedRequest = { call, context, answers, record, held, isListed: false };
    const turn = (view: RootsView, revoked?: AbortSignal) => this.turn(request, view, revoked);
    try {
      for (;;) {
        const done = await roots.use<RawResult | Preparation>(context, turn, refuseRevoked);
        if (!isPreparation(done)) {
          return done as RawResult;
        }
        await done();
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
   * Judges a request and sends it, or returns what has to come before. All of that happens in one
   * turn of the event loop, in which the roots do not change.
   */
  private turn(
    request: GuardedRequest,
    view: RootsView,
    revoked: AbortSignal | undefined,
  ): Promise<RawResult> | Preparation {
    const { upstreams, relay, suspended } = this.parts;
    const { call, context, record, held } = request;
    held.value = undefined;
    const resumed = this.resumed(request, view.folders);
    if (resumed) {
      return this.goOn(resumed, request, view);
    }
    const hold = upstreams.take(view, context);
    if (!hold) {
      return () => upstreams.turn(context.mcpReq.signal);
    }
    held.value = hold;
    const upstream = this.upstreamIn(call);
    if (!request.isListed && isUnlisted(call, upstream)) {
      return () => prepare(request, upstream);
    }
    const { kind, paths } = judged(request, upstream, view);
    upstream.restoreRoots();
    if (!upstream.isReady) {
      const why = namesRoots(upstream.server.launch) ? whyNoRoots(view) : undefined;
      return () => explained(prepare(request, upstream), why);
    }
    record.note({ verdict: kind, paths });
    if (!upstreams.canBeAsked(context)) {
      return this.sent(request, upstream, revoked);
    }
    const begun = { call, upstream: upstream.id, folders: view.folders };
    const suspendable = new SuspendableCall(begun, context, means =>
      send(request, upstream, means),
    );
    relay.add(suspendable);
    return suspended.run(suspendable, context);
  }

  /** The next round of a call that was suspended. */
  private goOn(
    call: SuspendableCall,
    request: GuardedRequest,
    view: RootsView,
  ): Promise<RawResult> {
    const { upstreams, suspended } = this.parts;
    const { context, answers, record, held } = request;
    try {
      upstreams.note(view, context);
      held.value = upstreams.hold();
      const { kind, paths } = judged(request, this.upstreamIn(request.call), view);
      record.note({ verdict: kind, paths });
      call.answer(answers?.responses ?? {});
      return suspended.run(call, context);
    } catch (error) {
      call.cancel('The call was refused.');
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
      return await this.parts.relay.during(upstream.id, context, send(request, upstream, means));
    } finally {
      progress?.dispose();
      either?.dispose();
    }
  }
}

/**
 * Sends the call in this very turn. The answer is the server's result, or the server's questions.
 * @throws the server's own error; {@link HumanError} when the server needs a capability that the
 * client does not have.
 */
async function send(
  { call: { serverName, method, params }, answers }: GuardedRequest,
  upstream: Upstream,
  means: Pick<ForwardedRequest, 'signal' | 'onProgress'>,
): Promise<RawResult> {
  const sent = { method, params, ...means, ...(answers && { answers }) };
  try {
    const forwarded = await upstream.forward(sent);
    return forwarded.kind === 'result'
      ? forwarded.result
      : asQuestions(forwarded.requests, forwarded.continuation);
  } catch (error) {
    throw inWords(error, serverName);
  }
}

/** Has the server run, and its tools read for their schemas: for that a call waits no longer than a second. */
async function prepare(request: GuardedRequest, upstream: Upstream): Promise<void> {
  await upstream.comeUp(request.context.mcpReq.signal);
  await within(
    upstream.offerings.tools().catch(() => {}),
    longestListing,
    undefined,
  );
  request.isListed = true;
}

/** In milliseconds. */
const longestListing = 1000;

/** @throws {HumanError} when the guard refuses the call; the audit then has the refusal. */
function judged({ call, record }: GuardedRequest, upstream: Upstream, view: RootsView): Allowed {
  const verdict = verdictOn(call, upstream, view);
  if (verdict.kind !== 'denied') {
    return verdict;
  }
  record.refuse(verdict);
  const isWithout = view.folders.scope.base === undefined;
  const why = whyNoRoots(view) ?? (isWithout ? 'Share a folder in the client first.' : '');
  throw new HumanError('{0}', `${verdict.message} ${why}`.trim());
}

type Allowed = Exclude<Verdict, Denied>;

function verdictOn(
  { serverName, method, toolName, args }: GuardedCall,
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
  return judge({ server: serverName, tool: toolName, args, schema }, judging);
}

/** Whether a tool of a running upstream is called, and the tools' schemas were not read yet. */
function isUnlisted({ method }: GuardedCall, { isUp, offerings }: Upstream): boolean {
  return method === 'tools/call' && isUp && offerings.known('tools') === undefined;
}

/** Adds `why`, in finished sentences, to an error that a person can act on. */
async function explained(result: Promise<void>, why: string | undefined): Promise<void> {
  try {
    await result;
  } catch (error) {
    throw why !== undefined && isHumanError(error)
      ? new HumanError('{0}', `${error.message} ${why}`)
      : error;
  }
}

/** @throws {HumanError} always: a root was revoked under a call that began with it. */
function refuseRevoked(): never {
  throw new HumanError(
    'The folders shared with the hub changed while the call ran, and one that was shared when it ' +
      'began is no longer. See get-roots for those that are.',
  );
}

/**
 * The error of a server that refuses a call for want of a capability that its client, the hub, did not
 * declare, as a sentence: the client knows only the hub. Any other error as it is.
 */
function inWords(error: unknown, serverName: string): unknown {
  const { code, data } = Object(error);
  if (code !== missingCapability) {
    return error;
  }
  const needed = isJsonObject(data) ? data['requiredCapabilities'] : undefined;
  const names = isJsonObject(needed) ? Object.keys(needed).map(printable).join(', ') : '';
  return new HumanError(
    'The server "{0}" needs a client that offers {1}, and this one does not.',
    printable(serverName),
    names || 'more',
  );
}

/** `MissingRequiredClientCapability`. (Model Context Protocol 2026-07-28.) */
const missingCapability = -32021;
