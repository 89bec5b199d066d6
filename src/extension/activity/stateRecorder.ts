import type { IDisposable } from '../../base/disposable.ts';
import type { Event } from '../../base/emitter.ts';
import type { StopReason } from '../../domain/activity.ts';
import { inEnglish } from '../../domain/sentence.ts';
import { failureRow, failureSentence } from '../../domain/servers/serverFailure.ts';
import type { ConnectionState } from '../../mcp/link/link.ts';
import type { Server } from '../servers/server.ts';
import type { ActivityLog } from './activityLog.ts';

type Recorded = Pick<
  Server,
  | 'definition'
  | 'state'
  | 'plan'
  | 'startMode'
  | 'isRetired'
  | 'access'
  | 'isStoppedForLackOfRoots'
  | 'isIdle'
>;

/** The servers of a window whose states are recorded. */
interface RecordedServers {
  readonly all: readonly Recorded[];
  /** Fires with a server that has changed. `undefined`: the list of servers has changed. */
  readonly onDidChange: Event<Recorded | undefined>;
}

/** Adds starts, stops and failures of servers to the activity log. */
export class StateRecorder implements IDisposable {
  private readonly servers: RecordedServers;
  private readonly log: Pick<ActivityLog, 'add'>;
  private readonly listening: IDisposable;
  /** The recorded state of each server that is not stopped, and its last failure since it ran. */
  private readonly known = new Map<Recorded, Pick<ConnectionState, 'kind'> & { reason: string }>();

  constructor(servers: RecordedServers, log: Pick<ActivityLog, 'add'>) {
    this.servers = servers;
    this.log = log;
    this.listening = servers.onDidChange(server =>
      server ? this.record(server) : this.recordAll(),
    );
  }

  /** Records all servers, also replaced and removed servers, because their end fires no event. */
  recordAll(): void {
    for (const server of new Set([...this.known.keys(), ...this.servers.all])) {
      this.record(server);
    }
  }

  dispose(): void {
    this.listening.dispose();
  }

  private whyStopped(server: Recorded): StopReason {
    const { isRetired, access, isStoppedForLackOfRoots, definition, state, startMode } = server;
    if (isRetired) {
      const successor = this.servers.all.find(one => one.definition.id === definition.id);
      const why = successor ? 'changed' : 'removed';
      return successor === server ? 'window' : why;
    }
    if (access.rule) {
      return access.rule === 'no-page' ? 'no-page' : 'rule';
    }
    // A running server starts again only for a person, or because its folders changed.
    if (state.kind === 'starting' && startMode === 'by-itself') {
      return 'folders-changed';
    }
    if (server.isIdle) {
      return 'idle';
    }
    return isStoppedForLackOfRoots ? 'no-folder' : 'by-hand';
  }

  private record(server: Recorded): void {
    const { state, plan, definition, startMode: mode } = server;
    const before = this.known.get(server);
    if (state.kind === (before?.kind ?? 'stopped')) {
      return;
    }
    const about = { at: Date.now(), serverId: definition.id, serverLabel: definition.label };
    let text = before?.reason ?? '';
    if (state.kind === 'running') {
      text = '';
      this.log.add({ ...about, kind: 'started', mode, protocolVersion: state.protocolVersion });
    } else if (state.kind === 'failed') {
      const reason = failureSentence(state.failure);
      const isGivenUp = plan.kind === 'given-up';
      const isAway = failureRow(state.failure.kind).isAway && !isGivenUp;
      if (mode === 'by-hand' || !isAway || inEnglish(reason) !== text) {
        this.log.add({ ...about, kind: 'failed', reason, ...(isGivenUp && { isGivenUp }) });
      }
      text = inEnglish(reason);
    } else if (before?.kind === 'running') {
      this.log.add({ ...about, kind: 'stopped', why: this.whyStopped(server) });
    }
    if (state.kind === 'stopped') {
      this.known.delete(server);
    } else {
      this.known.set(server, { kind: state.kind, reason: text });
    }
  }
}
