import { Debounce } from '../../base/debounce.ts';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Logger } from '../../base/logger.ts';
import { mayHaveRoots, startStep, startsByItself } from '../../domain/consent/startStep.ts';
import { userServerId } from '../../domain/servers/serverDefinition.ts';
import type { CandidateFolders } from '../folders/candidateFolders.ts';
import type { Clients } from '../gateway/clients.ts';
import type { Screen } from '../screen.ts';
import type { Server } from '../servers/server.ts';
import type { Replacement, Servers } from '../servers/servers.ts';
import type { OpenQuestion, QuestionSource } from './openQuestions.ts';
import { changedMessage, type HoldReason, heldQuestion } from './startQuestion.ts';

/** In ms. While somebody types a definition into the settings, the question about it waits. */
const typing = { quiet: 1500, longest: 10_000 };

/**
 * Servers whose start waits for an answer of the user. If the definition of a running server
 * changes, its old processes end, and the new start waits. One message asks about all changed
 * servers. If a client wants a stopped server that needs an answer, the server's row asks.
 */
export class HeldServers implements IDisposable, QuestionSource {
  private readonly servers: Servers;
  private readonly folders: CandidateFolders;
  private readonly screen: Screen;
  private readonly logger: Logger;
  private readonly store = new DisposableStore();
  /** The ids of servers to start again. Their definitions may change again before that. */
  private readonly toRestart = new Set<string>();
  /** By a server's id: resolves when the processes of its earlier definitions have ended. */
  private readonly ending = new Map<string, Promise<void>>();
  /** By a server's id: why its start waits. A start removes the entry. */
  private readonly held = new Map<string, HoldReason>();
  /** The ids of servers that no message has asked about yet. */
  private readonly unasked = new Set<string>();
  private readonly didChange = this.store.add(new Emitter<Server>());
  private readonly askSoon = this.store.add(new Debounce(() => this.ask(), typing));

  /** Fires with a server whose start now waits for an answer. */
  readonly onDidChange = this.didChange.event;

  constructor(
    servers: Servers,
    clients: Pick<Clients, 'onDidWant'>,
    folders: CandidateFolders,
    screen: Screen,
    logger: Logger,
  ) {
    this.servers = servers;
    this.folders = folders;
    this.screen = screen;
    this.logger = logger;
    this.store.add(servers.onDidReplace(replacement => this.note(replacement)));
    this.store.add(clients.onDidWant(server => needsAnswer(server) && this.hold(server, 'wanted')));
    this.store.add(
      servers.onDidChange(server => {
        if (server?.isLive) {
          this.held.delete(server.definition.id);
        } else if (!server) {
          this.forgetRemoved();
        }
      }),
    );
  }

  of(server: Server): readonly OpenQuestion[] {
    const { id } = server.definition;
    const reason = this.held.get(id);
    // If the user has refused every folder, no client can use the server, so nothing is asked.
    const isInVain = reason === 'wanted' && !mayHaveRoots(server.access);
    return reason && !isInVain && this.waitingWith(id).includes(server)
      ? [heldQuestion(server, reason)]
      : [];
  }

  dispose(): void {
    this.store.dispose();
  }

  private note({ server, wasLive, ended }: Replacement): void {
    const { id } = server.definition;
    // A waiting server counts, too: another change may restore the identity that the user allowed.
    if (wasLive || this.toRestart.has(id) || this.held.get(id) === 'changed') {
      this.toRestart.add(id);
      // After two quick changes, the first process may end later than the second.
      const all = Promise.all([this.ending.get(id), ended]).then(() => {});
      this.ending.set(id, all);
      all.then(() => this.goOn(server)).catch(error => this.logger.error(error));
    }
  }

  private async goOn(server: Server): Promise<void> {
    await Promise.all([this.folders.refresh(), this.servers.refresh()]);
    // If the server was replaced meanwhile, `goOn` is called for the new server, too.
    if (!server.isRetired) {
      this.toRestart.delete(server.definition.id);
      if (startsByItself(server.access, server.isLaunchAllowed)) {
        await server.start('by-itself');
      } else if (this.held.get(server.definition.id) !== 'changed') {
        this.hold(server, 'changed');
        this.unasked.add(server.definition.id);
        this.askSoon.request();
      }
    }
  }

  private hold(server: Server, reason: HoldReason): void {
    const { id } = server.definition;
    const before = this.held.get(id);
    if (!server.isLive && before !== 'changed' && before !== reason) {
      this.held.set(id, reason);
      this.didChange.fire(server);
    }
  }

  private forgetRemoved(): void {
    // If only a mistake in the settings leaves the server out, the server comes back after the fix.
    const leftOut = this.servers.leftOut.map(({ name }) => userServerId(name));
    for (const id of this.held.keys()) {
      if (!this.servers.withId(id) && !leftOut.includes(id)) {
        this.held.delete(id);
      }
    }
  }

  private ask(): void {
    const question = () => {
      const waiting = [...this.unasked].flatMap(id => this.waitingWith(id));
      this.unasked.clear();
      const still = () => waiting.flatMap(({ definition }) => this.waitingWith(definition.id));
      const review = async () => {
        for (const server of still()) {
          await heldQuestion(server, 'changed').ask();
        }
      };
      const isOpen = () => still().length > 0;
      return isOpen() ? { ...changedMessage(waiting, review), isOpen } : undefined;
    };
    this.screen.show(question).catch(error => this.logger.error(error));
  }

  /** The server with this id, if it still waits for an answer. */
  private waitingWith(id: string): Server[] {
    const server = this.servers.withId(id);
    return server && !server.isLive && needsAnswer(server) ? [server] : [];
  }
}

/** Whether the server does not start automatically, but an answer could change that. */
function needsAnswer({ access, isLaunchAllowed }: Server): boolean {
  return !startsByItself(access, isLaunchAllowed) && startStep(access, isLaunchAllowed) === 'ask';
}
