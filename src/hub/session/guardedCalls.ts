import { within } from '../../base/timeLimit.ts';
import { judge } from '../../domain/gate/gate.ts';
import { HumanError, inEnglish, isHumanError } from '../../domain/sentence.ts';
import { configurationRoutes } from '../../domain/servers/serverDefinition.ts';
import type { RawResult } from '../../server/hubHost.ts';
import type { RequestContext } from '../../server/requestContext.ts';
import { areAmong } from '../../server/roots/rootFolders.ts';
import { type RootsView, whyNoRoots } from '../../server/roots/rootsView.ts';
import type { SessionAudit, VerdictRecord } from '../audit/auditLog.ts';
import { type ConfigFile, unknownServer } from '../config/configFile.ts';
import { thisMachine } from '../guard/thisMachine.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import {
  type Preparation,
  type RootsTurn,
  refuseRevoked,
  type Upstreams,
} from '../upstreams/upstreams.ts';
import type { ClientCall, ClientCalls } from './clientCalls.ts';

/** A tool call to forward. The hub checks the paths in `args` against the roots. */
export interface GuardedCall {
  readonly serverName: string;
  readonly toolName: string;
  readonly args: unknown;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The names of server and tool in a request, for the audit. */
export type CallNames = Pick<GuardedCall, 'serverName' | 'toolName'>;

interface GuardedCallsParts {
  readonly upstreams: Upstreams;
  readonly open: ClientCalls;
  readonly audit: SessionAudit;
  readonly config: Pick<ConfigFile, 'name' | 'whyLeftOut'>;
}

/** One request of the client, while the hub works on it. */
interface GuardedRequest {
  readonly call: GuardedCall;
  readonly context: RequestContext;
  readonly record: VerdictRecord;
  /** Whether this request has waited for the list of its server's tools. */
  isListed: boolean;
}

/**
 * Forwards requests to upstreams, the servers behind the hub. Judges each request by the session's
 * roots of this moment. Judges and sends it in one turn of the event loop, so that nothing changes
 * in between.
 */
export class GuardedCalls {
  private readonly parts: GuardedCallsParts;

  constructor(parts: GuardedCallsParts) {
    this.parts = parts;
  }

  /**
   * Returns the server's result, unchanged, or the server's questions for the client.
   * @throws the server's own error. A {@link HumanError} when the hub refuses the call, or can't
   * reach the server.
   */
  async run(call: GuardedCall, context: RequestContext): Promise<RawResult> {
    const request = { call, context, record: this.recordOf(call, context), isListed: false };
    try {
      return await this.parts.upstreams.inTurns(context, turn => this.turn(request, turn));
    } catch (error) {
      request.record.noteEnd(error, context.mcpReq.signal);
      throw error;
    }
  }

  /** Notes in the audit that a call ended before it could run. A name that is not known is empty. */
  noteUnrun(call: CallNames, error: unknown, context: RequestContext): void {
    this.recordOf(call, context).noteEnd(error, context.mcpReq.signal);
  }

  private recordOf({ serverName, toolName }: CallNames, { mcpReq }: RequestContext): VerdictRecord {
    const isLaterRound = mcpReq.requestState() !== undefined;
    return this.parts.audit.verdictOn({ server: serverName, tool: toolName }, isLaterRound);
  }

  /**
   * Judges a request and sends it, or returns the preparation that comes first. Runs in one turn of
   * the event loop, so that the roots do not change meanwhile.
   */
  private turn(request: GuardedRequest, turn: RootsTurn): Promise<RawResult> | Preparation {
    const { upstreams, open } = this.parts;
    const { call, context, record } = request;
    const { view, revoked } = turn;
    const name = context.mcpReq.requestState();
    if (typeof name === 'string') {
      return this.goOn(open.resume(name, call), request, turn);
    }
    const wait = upstreams.take(turn, context);
    if (wait) {
      return wait;
    }
    const upstream = this.upstreamIn(call);
    if (!request.isListed && isUnlisted(upstream)) {
      return () => prepare(request, upstream);
    }
    const noted = this.judged(request, upstream, view);
    upstream.restoreRoots();
    if (!upstream.isReady) {
      const why =
        configurationRoutes(upstream.server.rootsAs).length > 0 ? whyNoRoots(view) : undefined;
      return () => explained(prepare(request, upstream), why);
    }
    record.note(noted);
    const { folders } = view;
    const canBeAsked = upstreams.canBeAsked(context);
    const begun = { call, upstream: upstream.id, folders, canBeAsked };
    const { params } = call;
    const sent = open.begin(begun, context, means =>
      upstream.forward({ method: 'tools/call', params, ...means }),
    );
    return open.run(sent, context, revoked);
  }

  /** Goes on with a suspended call, when the client has repeated it with answers. */
  private goOn(sent: ClientCall, request: GuardedRequest, turn: RootsTurn): Promise<RawResult> {
    const { upstreams, open } = this.parts;
    const { call, context, record } = request;
    const { view } = turn;
    try {
      if (!areAmong(sent.begun.folders, view.folders)) {
        refuseRevoked();
      }
      upstreams.keep(turn, context);
      record.note(this.judged(request, this.upstreamIn(call), view));
      sent.answer(context.mcpReq.inputResponses ?? {});
      return open.run(sent, context);
    } catch (error) {
      sent.cancel('The hub refused the call.');
      throw error;
    }
  }

  private upstreamIn({ serverName }: GuardedCall): Upstream {
    const { byName } = this.parts.upstreams;
    const upstream = byName.get(serverName);
    if (!upstream) {
      throw new HumanError('{0}', unknownServer(serverName, byName.keys(), this.parts.config));
    }
    return upstream;
  }

  /** @throws {HumanError} when the gate refuses the call. The audit then has the refusal. */
  private judged({ call, record }: GuardedRequest, upstream: Upstream, view: RootsView): Passed {
    const { serverName, toolName, args } = call;
    const { server, cwd, offerings } = upstream;
    const { scope } = view.folders;
    // The process's working directory comes first, because the audit resolves a relative path from there.
    const bases = [...new Set([cwd, scope.base])].filter(base => base !== undefined);
    const { name: file } = this.parts.config;
    const tool = offerings.knownTools?.find(({ name }) => name === toolName);
    const verdict = judge({
      method: 'tools/call',
      params: { name: toolName, arguments: args },
      tool,
      server: upstream.atGate,
      guard: { file, server: serverName, rules: server.guard, scope, bases, machine: thisMachine },
    });
    if (verdict.kind !== 'refused') {
      const paths = verdict.kind === 'passes' ? verdict.paths : undefined;
      return { verdict: paths ? 'allowed' : 'unchecked', paths: paths ?? [] };
    }
    const { why: refusal, path, reason = inEnglish(refusal) } = verdict;
    record.note({ verdict: 'denied', paths: path === undefined ? [] : [path], reason });
    const isWithout = scope.base === undefined;
    const unshared = whyNoRoots(view) ?? (isWithout ? 'Share a folder in the client first.' : '');
    const why = path === undefined ? '' : unshared;
    throw new HumanError('{0}', `${inEnglish(refusal)} ${why}`.trim());
  }
}

/** Starts the server and reads its tools for their schemas. A call waits for the list a second at most. */
async function prepare(request: GuardedRequest, upstream: Upstream): Promise<void> {
  await upstream.comeUp(request.context.mcpReq.signal);
  await within(
    upstream.offerings.tools().catch(() => {}),
    longestListing,
    undefined,
  );
  request.isListed = true;
}

/** The longest wait of a call for a list of tools, in milliseconds. */
const longestListing = 1000;

/** The facts in the audit about a call that passes. */
type Passed = Pick<Parameters<VerdictRecord['note']>[0], 'verdict' | 'paths'>;

/** Whether an upstream runs, but the schemas of its tools were not read yet. */
function isUnlisted({ isUp, offerings }: Upstream): boolean {
  return isUp && offerings.knownTools === undefined;
}

/** Rejects as `result` does. Adds `why`, in finished sentences, to a {@link HumanError}. */
async function explained(result: Promise<void>, why: string | undefined): Promise<void> {
  try {
    await result;
  } catch (error) {
    throw why !== undefined && isHumanError(error)
      ? new HumanError('{0}', `${error.message} ${why}`)
      : error;
  }
}
