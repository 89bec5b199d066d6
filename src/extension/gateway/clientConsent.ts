import { type After, afterReal } from '../../base/clock.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Activity, Decided } from '../../domain/activity.ts';
import type { ClientFacts } from '../../domain/gate/asked.ts';
import type { Asking } from '../../domain/gate/gate.ts';
import type { ActivityLog } from '../activity/activityLog.ts';
import { isAnswer, type RecordScope, type ServerRecords } from '../records/serverRecords.ts';
import type { Server } from '../servers/server.ts';

/** A client that waits for the user's answer. Nobody checks the name that it gives. */
export interface AskingClient {
  readonly name: string;
  readonly cwd: string;
  /** The client's servers without an answer of the user. Empty when the client no longer waits. */
  readonly servers: () => readonly Server[];
  /** True if the user has not answered about the server, and nothing replaced the server. */
  readonly isOpen: (server: Server) => boolean;
  /** Stores the answer on a server, if the question is still open. */
  readonly answer: (server: Server, isAllowed: boolean, scope: RecordScope) => Promise<void>;
}

/** The parts of a session that matter for the question about its client. */
export interface AskingSession {
  readonly client: { readonly name: string };
  /** The folder in which the client was started. */
  readonly cwd: string;
  /** Whether the client wants to use the server and the user has not decided yet. */
  isWaiting: boolean;
}

export interface ConsentHost {
  readonly records: ServerRecords;
  /** The client name of the editor's own agents. */
  readonly editor: string;
  readonly activity: Pick<ActivityLog, 'add'>;
  /**
   * Asks one question about all clients whose calls wait when the question is shown. Resolves to
   * whether the user answered. `false`: the user closed the question, or no call waits any more.
   */
  readonly ask: (held: () => readonly AskingClient[]) => Promise<boolean>;
}

/** How many milliseconds a call waits for the user's answer. Clients wait 60 s or more. */
const longestQuestion = 45_000;

/** The user's answers on which client may use which server. */
export class ClientConsent {
  private readonly host: ConsentHost;
  private readonly sessions: () => Iterable<readonly [AskingSession, Server]>;
  private readonly after: After;
  /** The open question. All clients share it: many clients could otherwise fill the screen. */
  private question: Promise<void> | undefined;
  private readonly heldCalls = new Set<{ name: string; server: Server; end: () => void }>();
  /** Sessions whose question the user closed without an answer. Nobody asks about them again. */
  private readonly unanswered = new WeakSet<AskingSession>();

  /** @param sessions the present sessions, each with its server. */
  constructor(
    host: ConsentHost,
    sessions: () => Iterable<readonly [AskingSession, Server]>,
    after: After = afterReal,
  ) {
    this.host = host;
    this.sessions = sessions;
    this.after = after;
  }

  /** The clients that wait for the user's answer: all, or the clients that wait for `server`. */
  waitingFor(server?: Server): readonly AskingClient[] {
    const isMeant = ([{ isWaiting }, its]: readonly [AskingSession, Server]) =>
      isWaiting && (server === undefined || its === server);
    const names = new Set([...this.sessions()].filter(isMeant).map(([{ client }]) => client.name));
    return [...names].map(name => this.asking(name)).filter(client => client.servers().length > 0);
  }

  /** The user's answer on a client. For the editor's agents, the answer on the offer goes first. */
  verdictOn(name: string, server: Server): boolean | undefined {
    const { editor, records } = this.host;
    const isOffered = name === editor ? records.answer('offer', server) : undefined;
    return isOffered ?? records.answer('client', server, name);
  }

  /** The facts on a client of a server that the gate needs. */
  factsOn(name: string, server: Server): Required<ClientFacts> {
    const { editor, records } = this.host;
    const isWithdrawn = name === editor && records.answer('offer', server) === false;
    const hidden = records.hiddenTools(server);
    const hiddenTools = new Set([...(hidden.get('') ?? []), ...(hidden.get(name) ?? [])]);
    return { name, isAllowed: this.verdictOn(name, server), isWithdrawn, hiddenTools };
  }

  /** For the gate: an unknown client, and each client about which the user has decided anything. */
  askings(server: Server): Asking[] {
    const { editor, records } = this.host;
    const answered = records.answers('client', server).map(({ about }) => about);
    const names = new Set(['', editor, ...answered, ...records.hiddenTools(server).keys()]);
    return [...names].map(name => ({ server, client: this.factsOn(name, server) }));
  }

  /**
   * Stores the user's answer on a client, for this workspace. `undefined`: the user is asked again.
   * A call that waits for the answer goes on. If the answer is a no, the client's sessions end.
   */
  async answer(name: string, server: Server, isAllowed: boolean | undefined): Promise<void> {
    const { editor, records, activity } = this.host;
    const wasAllowed = this.verdictOn(name, server);
    const isWithdrawn = records.answer('offer', server) === false;
    const isByOffer = name === editor && (isAllowed === false || isWithdrawn);
    if (isByOffer) {
      await records.setAnswer('offer', server, isAllowed === true);
    }
    await records.setAnswer('client', server, isByOffer ? undefined : isAllowed, name);
    if (isAllowed !== undefined || wasAllowed) {
      const refusal = wasAllowed ? 'withdrawn' : 'denied';
      activity.add(answerOn(name, server, isAllowed ? 'allowed' : refusal, 'workspace'));
    }
  }

  /**
   * Asks the user whether a client may use a server. Waits up to {@link longestQuestion} for the
   * answer. If the user has already closed this session's question, nothing is asked.
   */
  async ask(session: AskingSession, server: Server, signal: AbortSignal): Promise<void> {
    session.isWaiting = true;
    if (!this.unanswered.has(session)) {
      await this.untilAnswered(session, server, signal);
    }
  }

  private async untilAnswered(
    session: AskingSession,
    server: Server,
    signal: AbortSignal,
  ): Promise<void> {
    const { name } = session.client;
    const store = new DisposableStore();
    let end = () => {};
    const over = new Promise<void>(resolve => (end = resolve));
    const call = { name, server, end };
    this.heldCalls.add(call);
    store.add(this.after(longestQuestion, end));
    // The user may also answer in the client's row.
    const look = () => this.verdictOn(name, server) !== undefined && end();
    store.add(this.host.records.onDidChange(kind => isAnswer(kind) && look()));
    signal.addEventListener('abort', end);
    this.question ??= this.askWhileHeld().finally(() => {
      this.question = undefined;
    });
    try {
      await Promise.race([this.question, over]);
    } finally {
      this.heldCalls.delete(call);
      store.dispose();
    }
  }

  /** Asks the user until no call waits: clients may call further servers before the answer. */
  private async askWhileHeld(): Promise<void> {
    let asked: readonly AskingClient[];
    do {
      asked = [];
      const isAnswered = await this.host.ask(() => {
        asked = this.held();
        return asked;
      });
      const isLeft = ({ name }: { name: string }) => asked.some(one => one.name === name);
      for (const call of isAnswered ? [] : [...this.heldCalls].filter(isLeft)) {
        for (const [session] of this.undecided(call.name)) {
          this.unanswered.add(session);
        }
        this.heldCalls.delete(call);
        call.end();
      }
    } while (asked.length > 0 && this.held().length > 0);
  }

  /** The clients with waiting calls. The latest is first: a person expects its question now. */
  private held(): readonly AskingClient[] {
    const open = [...this.heldCalls].filter(({ name, server }) => this.isOpen(name, server));
    const names = new Set(open.reverse().map(({ name }) => name));
    return [...names].map(name => this.asking(name)).filter(client => client.servers().length > 0);
  }

  private asking(name: string): AskingClient {
    return {
      name,
      cwd: this.undecided(name).find(([{ isWaiting }]) => isWaiting)?.[0].cwd ?? '',
      servers: () => [...new Set(this.undecided(name).map(([, server]) => server))],
      isOpen: server => this.isOpen(name, server),
      answer: (...answer) => this.keep(name, ...answer),
    };
  }

  private isOpen(name: string, server: Server): boolean {
    return !server.isRetired && this.verdictOn(name, server) === undefined;
  }

  /**
   * The client's sessions without an answer; empty if none of them waits. Clients connect to all
   * their servers before they call one, so one question covers all.
   */
  private undecided(name: string): readonly (readonly [AskingSession, Server])[] {
    const all = [...this.sessions()].filter(
      ([{ client }, server]) => client.name === name && this.isOpen(name, server),
    );
    return all.some(([{ isWaiting }]) => isWaiting) ? all : [];
  }

  private async keep(
    name: string,
    server: Server,
    isAllowed: boolean,
    scope: RecordScope,
  ): Promise<void> {
    if (this.isOpen(name, server)) {
      await this.host.records.setAnswer('client', server, isAllowed, name, scope);
      this.host.activity.add(answerOn(name, server, isAllowed ? 'allowed' : 'denied', scope));
    }
  }
}

function answerOn(
  client: string,
  { definition }: Server,
  decision: Decided['decision'],
  scope: RecordScope,
): Activity {
  const { id: serverId, label: serverLabel } = definition;
  const happening = { at: Date.now(), serverId, serverLabel, client };
  return { kind: 'answered', ...happening, decision, scope, folders: [] };
}
