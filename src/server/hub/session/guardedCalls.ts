import type { ServerContext } from '@modelcontextprotocol/server';
import { eitherSignal } from '../../../base/eitherSignal.ts';
import { HumanError } from '../../../domain/errors.ts';
import { rulesFor } from '../../../domain/guard/guardRules.ts';
import { namesRoots } from '../../../domain/variables/variables.ts';
import { type RootsView, whyNoRoots } from '../../roots/rootsView.ts';
import type { SessionRoots } from '../../sessionRoots.ts';
import type { AuditLog } from '../audit/auditLog.ts';
import type { Child } from '../children/child.ts';
import type { ChildSet } from '../children/childSet.ts';
import type { ConfigFile } from '../config/configFile.ts';
import { judge, type Verdict } from '../guard/judge.ts';
import type { HubHost, RawResult } from '../hubHost.ts';
import { unknownServer } from '../tools/unknownServer.ts';
import type { HeldCall } from './heldCall.ts';
import type { HeldCallRounds } from './heldCallRounds.ts';
import type { PassedLogs } from './passedLogs.ts';
import { progressTo } from './progressTo.ts';
import { answersIn, answerTo } from './questions.ts';
import { explained, refuseRevoked } from './refusals.ts';
import type { RelayToClient } from './relayToClient.ts';
import type { SessionTenant } from './sessionTenant.ts';
import type { SetLease } from './setLease.ts';
import { VerdictRecord } from './verdictRecord.ts';

/** A request for a child, with what of it is held against the roots. */
export interface GuardedCall {
  readonly serverName: string;
  /** What is called: a tool by its name, anything else by words for the audit. */
  readonly toolName: string;
  /** What may hold paths. */
  readonly args: unknown;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** What else may hold paths, and need not be the same when a held call is gone on with. */
  readonly meta?: unknown;
}

/** What the audit calls a request for a child. */
export type CallNames = Pick<GuardedCall, 'serverName' | 'toolName'>;

/** What {@link GuardedCalls} work with. */
export interface GuardedCallsParts {
  readonly host: HubHost;
  /** What the audit calls the session: no secret. */
  readonly session: string;
  readonly tenant: SessionTenant;
  readonly relay: RelayToClient;
  readonly logs: Pick<PassedLogs, 'heed'>;
  readonly rounds: HeldCallRounds;
  readonly audit: AuditLog | undefined;
  readonly config: Pick<ConfigFile, 'whyLeftOut'>;
}

/** A server that has to be started first. */
interface Unready {
  readonly unready: Child;
  /** Set where it can't be started for want of roots. */
  readonly whyNoRoots: string | undefined;
}

/**
 * Passes requests on to children, each of them judged by the roots of the moment in which it is
 * sent: between that judgement and the sending nothing else happens.
 */
export class GuardedCalls {
  private readonly parts: GuardedCallsParts;

  constructor(parts: GuardedCallsParts) {
    this.parts = parts;
  }

  /**
   * What the server answers, as it came, or what it wants to know first.
   * @throws the server's own error; {@link HumanError} when the call is refused, or the server
   * can't be reached.
   */
  async run(
    call: GuardedCall,
    context: ServerContext,
    roots: Pick<SessionRoots, 'use'> = this.parts.host.roots,
  ): Promise<RawResult> {
    const record = this.recordOf(call, context);
    const lease = this.parts.tenant.lease();
    try {
      return await this.untilReady(call, { context, record, lease }, roots);
    } catch (error) {
      record.noteEnd(error, context.mcpReq.signal);
      throw error;
    } finally {
      lease.dispose();
    }
  }

  /** Takes down a call that ended before it could be run; a name of it that is not known is empty. */
  noteUnrun(call: CallNames, error: unknown, context: ServerContext): void {
    this.recordOf(call, context).noteEnd(error, context.mcpReq.signal);
  }

  private recordOf({ serverName, toolName }: CallNames, context: ServerContext): VerdictRecord {
    const { session, audit, rounds } = this.parts;
    const called = { session, server: serverName, tool: toolName };
    return new VerdictRecord({ call: called, isLaterRound: rounds.isLater(context) }, audit);
  }

  private async untilReady(
    call: GuardedCall,
    request: GuardedRequest,
    roots: Pick<SessionRoots, 'use'>,
  ): Promise<RawResult> {
    const { context } = request;
    for (;;) {
      const work = (view: RootsView, revoked?: AbortSignal) =>
        this.turn(call, { ...request, view, revoked });
      const done = await roots.use<RawResult | Unready>(context, work, refuseRevoked);
      if (!isUnready(done)) {
        return done as RawResult;
      }
      await explained(done.unready.prepare(context.mcpReq.signal), done.whyNoRoots);
    }
  }

  /** All of it up to the first `await` is one turn, in which the roots do not change. */
  private turn(call: GuardedCall, turn: Turn): Promise<RawResult> | Unready {
    const { view, context, lease } = turn;
    const { rounds, tenant } = this.parts;
    const held = rounds.take(call, context, view.folders);
    try {
      tenant.note(view, context);
      const set = held?.set ?? tenant.take(view, context, call.serverName);
      lease.hold(set);
      return this.judged(call, { ...turn, set, held });
    } catch (error) {
      held?.cancel('The call was refused.');
      throw error;
    }
  }

  private judged(call: GuardedCall, turn: SeatedTurn): Promise<RawResult> | Unready {
    const { view, context, record, set, held } = turn;
    const { relay, rounds, logs, tenant } = this.parts;
    const child = set.children.get(call.serverName);
    if (!child) {
      const there = set.children.keys();
      throw new HumanError('{0}', unknownServer(call.serverName, there, this.parts.config));
    }
    const verdict = verdictOn(call, child, view);
    if (verdict.kind === 'denied') {
      const { canonical, path, reason, message } = verdict;
      record.note({ verdict: 'denied', paths: [canonical ?? path], reason });
      throw new HumanError('{0}', [message, whyNoRoots(view) ?? ''].join(' ').trim());
    }
    if (!held) {
      child.restoreRoots();
    }
    if (!held && !child.isReady) {
      const isWithRoots = namesRoots(child.server.launch);
      return { unready: child, whyNoRoots: isWithRoots ? whyNoRoots(view) : undefined };
    }
    record.note({ verdict: verdict.kind, paths: verdict.paths });
    logs.heed(context, tenant.held);
    if (held) {
      return relay.during(call.serverName, context, rounds.goOn(held, context));
    }
    const sent = rounds.canBegin(call)
      ? rounds.begin({ call, child, set, folders: view.folders }, context)
      : this.send(call, child, turn);
    return relay.during(call.serverName, context, sent);
  }

  private async send(
    call: GuardedCall,
    child: Child,
    { context, revoked }: Turn,
  ): Promise<RawResult> {
    const { signal } = context.mcpReq;
    const either = revoked && eitherSignal(signal, revoked);
    const progress = progressTo(context);
    const answers = answersIn(context);
    try {
      const request = {
        signal: either?.signal ?? signal,
        ...(progress && { onProgress: progress.tell }),
        ...(answers && { answers }),
      };
      const { rounds, tenant } = this.parts;
      const caller = rounds.callerOf(child) ?? tenant.held;
      return await answerTo(call, { child, caller, request });
    } finally {
      progress?.dispose();
      either?.dispose();
    }
  }
}

/** What belongs to one request of the client. */
interface GuardedRequest {
  readonly context: ServerContext;
  readonly record: VerdictRecord;
  readonly lease: SetLease;
}

/** What one turn is taken with. */
interface Turn extends GuardedRequest {
  readonly view: RootsView;
  readonly revoked: AbortSignal | undefined;
}

/** The same with the children for its roots, and the call that it goes on with. */
interface SeatedTurn extends Turn {
  readonly set: ChildSet;
  readonly held: HeldCall | undefined;
}

function verdictOn(
  { method, toolName, args, meta }: GuardedCall,
  child: Child,
  { folders }: RootsView,
): Verdict {
  const { scope } = folders;
  // First where a process really starts from: it is what the audit tells of a relative path.
  const bases = new Set([child.cwd, scope.base].filter(base => base !== undefined));
  const all = meta === undefined ? args : [args, meta];
  // The words for a prompt or a resource may be the name of a tool, whose rules are not for them.
  const tool = method === 'tools/call' ? toolName : undefined;
  return judge(all, rulesFor(child.server.guard, tool), scope, [...bases]);
}

function isUnready(done: RawResult | Unready): done is Unready {
  return 'unready' in done;
}
