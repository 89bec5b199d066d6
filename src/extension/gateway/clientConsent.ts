import { type After, afterReal } from '../../base/clock.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Activity, Decided } from '../../domain/activity.ts';
import { type Sentence, sentence } from '../../domain/sentence.ts';
import type { ActivityLog } from '../activity/activityLog.ts';
import type { Server } from '../servers/server.ts';
import { isAnswer, type RecordScope, type ServerRecords } from '../servers/serverRecords.ts';

/** A client that waits for the user's answer, as far as is known: the name is the client's own. */
export interface AskingClient {
  readonly name: string;
  readonly cwd: string;
  /** The servers that it is connected to without an answer; none when it does not wait any more. */
  readonly servers: () => readonly Server[];
  /** Whether there is no answer on a server yet, and it is still the one in question. */
  readonly isOpen: (server: Server) => boolean;
  /** Keeps the answer on a server, if that is open still. */
  readonly answer: (server: Server, isAllowed: boolean, scope: RecordScope) => Promise<void>;
}

/** A session, as far as its client is asked about. */
export interface AskingSession {
  readonly client: { readonly name: string };
  /** The folder that the client was started in. */
  readonly cwd: string;
  /** Whether the client wants to use the server and the user has not said yet whether it may. */
  isWaiting: boolean;
}

export interface ConsentHost {
  readonly records: ServerRecords;
  /** The name under which the editor's own agents come. */
  readonly editor: string;
  readonly activity: Pick<ActivityLog, 'add'>;
  /**
   * Asks about the clients with a held call, whoever they are by then: there is one question for all.
   * Resolves to whether they answered; not, when they closed the question or nobody waits for it.
   */
  readonly ask: (held: () => readonly AskingClient[]) => Promise<boolean>;
  readonly text: (sentence: Sentence) => string;
}

/** The wait of a call for the user's answer, in milliseconds: clients wait 60 s and more. */
const longestQuestion = 45_000;

/** The user's answers on which client may use which server. */
export class ClientConsent {
  private readonly host: ConsentHost;
  private readonly sessions: () => Iterable<readonly [AskingSession, Server]>;
  private readonly after: After;
  /** The question that is asked now: one for all clients, or many names would keep one off the screen. */
  private question: Promise<void> | undefined;
  private readonly heldCalls = new Set<{ name: string; server: Server; end: () => void }>();
  /** Sessions whose question was left without an answer: they are not asked about again. */
  private readonly unanswered = new WeakSet<AskingSession>();

  /** @param sessions those that there are now, each with its server. */
  constructor(
    host: ConsentHost,
    sessions: () => Iterable<readonly [AskingSession, Server]>,
    after: After = afterReal,
  ) {
    this.host = host;
    this.sessions = sessions;
    this.after = after;
  }

  /** The clients that wait for the user's answer, and have called this server, if one is given. */
  waitingFor(server?: Server): readonly AskingClient[] {
    const isMeant = ([{ isWaiting }, its]: readonly [AskingSession, Server]) =>
      isWaiting && (server === undefined || its === server);
    const names = new Set([...this.sessions()].filter(isMeant).map(([{ client }]) => client.name));
    return [...names].map(name => this.asking(name)).filter(client => client.servers().length > 0);
  }

  verdictOn(name: string, server: Server): boolean | undefined {
    return verdictOn(this.host.records, this.host.editor, name, server);
  }

  refusalOf(name: string, server: Server): Sentence {
    const { editor, records } = this.host;
    const isWithdrawn = name === editor && records.answer('offer', server) === false;
    return isWithdrawn ? notOffered(server) : notAllowed(name, server);
  }

  /**
   * Whether a client may use a server, which the user may have to be asked: why not, in finished
   * sentences.
   */
  admit(
    session: AskingSession,
    server: Server,
    signal: AbortSignal,
  ): Promise<string | undefined> | undefined {
    const { name } = session.client;
    switch (this.verdictOn(name, server)) {
      case true:
        return undefined;
      case false:
        return Promise.resolve(this.host.text(this.refusalOf(name, server)));
      default:
        return this.ask(session, server, signal);
    }
  }

  /**
   * Keeps what the user answers at the row of a client, for this workspace; `undefined`: to be asked again.
   * A call that waits for the answer goes on, and sessions that are refused end.
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

  /** Has the user answer, and waits for that, but not for ever. */
  private async ask(
    session: AskingSession,
    server: Server,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { name } = session.client;
    session.isWaiting = true;
    if (!this.unanswered.has(session)) {
      await this.untilAnswered(session, server, signal);
    }
    const isAllowed = this.verdictOn(name, server);
    if (isAllowed) {
      return undefined;
    }
    const refusal = isAllowed === false ? this.refusalOf(name, server) : waiting(name, server);
    return this.host.text(refusal);
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
    // The answer may come by the row in the tree as well.
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

  /** Asks again after an answer that left out what a client has come to want meanwhile. */
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

  /** The clients with a held call, that with the latest call first: its user looks for the question. */
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
   * The sessions that have no answer yet, where one of them waits for it: clients connect to all of their
   * servers at once and call them one by one, and the user is asked once.
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

/**
 * The user's answer on a client. For the editor's own agents, offering the server is the answer.
 *
 * @param editor the name under which they come.
 */
export function verdictOn(
  records: ServerRecords,
  editor: string,
  name: string,
  server: Server,
): boolean | undefined {
  const isOffered = name === editor ? records.answer('offer', server) : undefined;
  return isOffered ?? records.answer('client', server, name);
}

function notOffered({ definition }: Server): Sentence {
  return sentence('"{0}" is not offered to the agents of the editor any more.', definition.label);
}

function notAllowed(client: string, { definition }: Server): Sentence {
  return sentence('The user does not allow "{0}" to use "{1}".', client, definition.label);
}

function waiting(client: string, { definition }: Server): Sentence {
  return sentence(
    'The user has not said yet whether "{0}" may use "{1}". Ask them to answer in the view of MCP Roots, then try again.',
    client,
    definition.label,
  );
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
