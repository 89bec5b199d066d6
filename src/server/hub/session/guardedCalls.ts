import type { ServerContext } from '@modelcontextprotocol/server';
import { HumanError } from '../../../domain/errors.ts';
import { rulesFor } from '../../../domain/guard/guardRules.ts';
import { printable } from '../../../domain/printable.ts';
import type { RootsView } from '../../roots/rootsView.ts';
import type { AuditLog } from '../audit/auditLog.ts';
import type { Child } from '../children/child.ts';
import type { ChildSet } from '../children/childSet.ts';
import { judge, type Verdict } from '../guard/judge.ts';
import type { HubHost, RawResult } from '../hubHost.ts';
import type { HeldCall } from './heldCall.ts';
import type { HeldCallRounds } from './heldCallRounds.ts';
import { progressTo } from './progressTo.ts';
import { answersIn, answerTo } from './questions.ts';
import { refuseRevoked } from './refusals.ts';
import type { RelayToClient } from './relayToClient.ts';
import type { SessionTenant } from './sessionTenant.ts';
import { VerdictRecord } from './verdictRecord.ts';

/** A request for a child, with what of it is held against the roots. */
export interface GuardedCall {
  readonly serverName: string;
  /** What is called, for the rules and for the audit. */
  readonly toolName: string;
  /** What may hold paths. */
  readonly args: unknown;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** What {@link GuardedCalls} work with. */
export interface GuardedCallsParts {
  readonly host: HubHost;
  /** What the audit calls the session: no secret. */
  readonly session: string;
  readonly tenant: SessionTenant;
  readonly relay: RelayToClient;
  readonly rounds: HeldCallRounds;
  readonly audit: AuditLog | undefined;
}

/** A server that has to be started first. */
interface Unready {
  readonly unready: Child;
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
  async run(call: GuardedCall, context: ServerContext): Promise<RawResult> {
    const record = this.recordOf(call);
    try {
      return await this.untilReady(call, context, record);
    } catch (error) {
      record.noteEnd(error, context.mcpReq.signal);
      throw error;
    }
  }

  /** Takes down a call that names no server or no tool, and so can be passed on to none. */
  noteMistaken(serverName: unknown, toolName: unknown, reason: string): void {
    const call = { serverName: String(serverName), toolName: String(toolName) };
    this.recordOf(call).note({ verdict: 'denied', paths: [], reason });
  }

  private recordOf({
    serverName,
    toolName,
  }: Pick<GuardedCall, 'serverName' | 'toolName'>): VerdictRecord {
    const { session, audit } = this.parts;
    return new VerdictRecord({ session, server: serverName, tool: toolName }, audit);
  }

  private async untilReady(
    call: GuardedCall,
    context: ServerContext,
    record: VerdictRecord,
  ): Promise<RawResult> {
    const { roots } = this.parts.host;
    for (;;) {
      const work = (view: RootsView, revoked?: AbortSignal) =>
        this.turn(call, { view, context, revoked, record });
      const done = await roots.use<RawResult | Unready>(context, work, refuseRevoked);
      if (!isUnready(done)) {
        return done as RawResult;
      }
      await done.unready.prepare(context.mcpReq.signal);
    }
  }

  /** All of it up to the first `await` is one turn, in which the roots do not change. */
  private turn(call: GuardedCall, turn: Turn): Promise<RawResult> | Unready {
    const { view, context } = turn;
    const set = this.parts.tenant.take(view, context);
    const held = this.parts.rounds.take(call, context, view.folders);
    try {
      return this.judged(call, { ...turn, set, held });
    } catch (error) {
      held?.cancel('The call was refused.');
      throw error;
    }
  }

  private judged(call: GuardedCall, turn: SeatedTurn): Promise<RawResult> | Unready {
    const { view, context, record, set, held } = turn;
    const { relay, rounds } = this.parts;
    const child = set.children.get(call.serverName);
    if (!child) {
      throw new HumanError(
        'There is no server "{0}". There are: {1}.',
        printable(call.serverName.slice(0, 100)),
        [...set.children.keys()].map(printable).join(', ') || 'none',
      );
    }
    const verdict = verdictOn(call, child, view);
    if (verdict.kind === 'denied') {
      const { canonical, path, reason, message } = verdict;
      record.note({ verdict: 'denied', paths: [canonical ?? path], reason });
      throw new HumanError('{0}', [message, view.problem ?? ''].join(' ').trim());
    }
    if (!held && !child.isReady) {
      return { unready: child };
    }
    record.note({ verdict: verdict.kind, paths: verdict.paths });
    if (held) {
      return relay.during(context, rounds.goOn(held, context));
    }
    const sent = rounds.canBegin(call)
      ? rounds.begin({ call, child, set, folders: view.folders }, context)
      : this.send(call, child, turn);
    return relay.during(context, sent);
  }

  private async send(
    call: GuardedCall,
    child: Child,
    { context, revoked }: Turn,
  ): Promise<RawResult> {
    const { signal } = context.mcpReq;
    const progress = progressTo(context);
    const answers = answersIn(context);
    try {
      const request = {
        signal: revoked ? AbortSignal.any([signal, revoked]) : signal,
        ...(progress && { onProgress: progress.tell }),
        ...(answers && { answers }),
      };
      return await answerTo(call, { child, caller: this.parts.tenant.held, request });
    } finally {
      progress?.dispose();
    }
  }
}

/** What one turn is taken with. */
interface Turn {
  readonly view: RootsView;
  readonly context: ServerContext;
  readonly revoked: AbortSignal | undefined;
  readonly record: VerdictRecord;
}

/** The same with the children for its roots, and the call that it goes on with. */
interface SeatedTurn extends Turn {
  readonly set: ChildSet;
  readonly held: HeldCall | undefined;
}

function verdictOn({ toolName, args }: GuardedCall, child: Child, { folders }: RootsView): Verdict {
  const { scope } = folders;
  const bases = new Set([scope.base, child.cwd].filter(base => base !== undefined));
  return judge(args, rulesFor(child.server.guard, toolName), scope, [...bases]);
}

function isUnready(done: RawResult | Unready): done is Unready {
  return 'unready' in done;
}
