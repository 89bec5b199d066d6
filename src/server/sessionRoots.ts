import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  isInputRequiredResult,
  type McpServer,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { After } from '../base/clock.ts';
import { type IDisposable, toDisposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import type { Logger } from '../base/logger.ts';
import type { Era } from '../domain/exposure.ts';
import { folderKey } from '../domain/roots.ts';
import type { RequestContext } from './requestContext.ts';
import { CachedAnswer, type KnownAnswer } from './roots/cachedAnswer.ts';
import {
  areAmong,
  type PinnedRoots,
  type RootEntry,
  type RootFolders,
} from './roots/rootFolders.ts';
import type { RootSources } from './roots/rootSources.ts';
import { type RootsView, viewOf, viewWithoutRoots } from './roots/rootsView.ts';

/** The parts of a session besides its connection. */
export interface SessionRootsOptions {
  readonly sources: RootSources;
  readonly logger: Logger;
  readonly after: After;
  /** The longest wait for an answer to `roots/list`, in milliseconds. */
  readonly limit: number;
}

/**
 * The roots of one session. Only this file knows how roots travel from the client.
 *
 * A client that did not declare the `roots` capability is never asked.
 */
export interface SessionRoots extends IDisposable {
  /** Fires when the roots of a legacy session have changed. Never fires in a modern session. */
  readonly onDidChange: Event<RootsView>;

  /**
   * Runs `work` with the current roots, which cannot change before the first `await` of `work`. If
   * the server must ask for roots within the call, returns this question instead. The client then
   * calls the tool again with the answer.
   *
   * If a root is revoked before `work` ends, aborts the signal and returns the result of `revoked`.
   *
   * @throws {HumanError} when the session ends while its roots are being asked for.
   */
  use<R>(
    context: RequestContext,
    work: (view: RootsView, signal?: AbortSignal) => R | Promise<R>,
    revoked: () => R,
  ): Promise<R | InputRequiredResult>;
}

/** Creates the roots of one session. Call this before `server` connects, to miss no notice. */
export function createSessionRoots(
  server: McpServer['server'],
  era: Era,
  options: SessionRootsOptions,
): SessionRoots {
  return era === 'legacy' ? new LegacyRoots(server, options) : modernRoots(options);
}

/** Asks for roots after `initialized`, and after each notice of a change. Keeps the roots in between. */
class LegacyRoots implements SessionRoots {
  private readonly server: McpServer['server'];
  private readonly options: SessionRootsOptions;
  private readonly answer: CachedAnswer<PinnedRoots>;
  private readonly didChange = new Emitter<RootsView>();
  /** The last roots from the client. */
  private pinned: PinnedRoots | undefined;

  readonly onDidChange = this.didChange.event;

  constructor(server: McpServer['server'], options: SessionRootsOptions) {
    this.server = server;
    this.options = options;
    this.answer = new CachedAnswer({
      ask: signal => this.ask(signal),
      isCovered: (roots, next) => areAmong(roots.folders, next.folders),
      onAnswer: known => this.didChange.fire(this.viewOf(known)),
      logger: options.logger,
      after: options.after,
      limit: options.limit,
      patience: Math.min(options.limit, longestWait),
    });
    server.oninitialized = () => this.renew();
    server.setNotificationHandler('notifications/roots/list_changed', () => this.renew());
  }

  async use<R>(
    _context: RequestContext,
    work: (view: RootsView, signal?: AbortSignal) => R | Promise<R>,
    revoked: () => R,
  ): Promise<R> {
    await this.options.sources.ask(this.pinned);
    return this.isServed
      ? this.answer.use((known, signal) => work(this.viewOf(known), signal), revoked)
      : work(viewWithoutRoots('legacy', this.options.sources));
  }

  dispose(): void {
    this.answer.dispose();
    this.didChange.dispose();
  }

  private get isServed(): boolean {
    return this.server.getClientCapabilities()?.roots !== undefined;
  }

  private viewOf(known: KnownAnswer<PinnedRoots>): RootsView {
    const rootsListChanged = this.server.getClientCapabilities()?.roots?.listChanged === true;
    return viewOf(known, this.options.sources, { era: 'legacy', rootsListChanged });
  }

  private renew(): void {
    if (this.isServed) {
      this.answer.outdate();
    } else {
      this.didChange.fire(viewWithoutRoots('legacy', this.options.sources));
    }
  }

  private async ask(signal: AbortSignal): Promise<KnownAnswer<PinnedRoots>> {
    const { limit, sources, logger } = this.options;
    // The SDK's schema would refuse the whole list for one bad root. The SDK's timeout exceeds
    // `limit`, because `CachedAnswer` ends the wait, by a clock that tests can turn.
    const question = { method: 'roots/list' } as const;
    const options = { signal, timeout: limit + 60_000 };
    const { roots } = await this.server.request(question, rootsAnswer, options);
    const pinned = await sources.pin(roots.map(entryOf));
    this.pinned = pinned;
    logFolders(logger, sources.inForce(pinned));
    return { ok: true, value: pinned };
  }
}

/** Asks for roots within each call, because a modern connection is not a session. */
function modernRoots({ sources }: SessionRootsOptions): SessionRoots {
  return {
    onDidChange: () => toDisposable(() => {}),
    dispose: () => {},
    async use({ mcpReq }, work) {
      await sources.ask();
      if (!declaresRoots(mcpReq.envelope)) {
        return work(viewWithoutRoots('modern', sources));
      }
      if (!isAnswered(mcpReq)) {
        const requestState = mcpReq.requestState();
        return inputRequired({
          inputRequests: { [rootsKey]: inputRequired.listRoots() },
          // Sends the state back. Without it, a call that asked other questions would end.
          ...(typeof requestState === 'string' && { requestState }),
        });
      }
      const answer = inputResponse(mcpReq.inputResponses, rootsKey);
      const named = answer.kind === 'roots' ? answer.roots : undefined;
      const known = await knownBy(sources, named);
      const done = await work(viewOf(known, sources, { era: 'modern', rootsListChanged: false }));
      // The next request answers only the questions in this result, so this result also asks for roots.
      return isInputRequiredResult(done) ? alsoAsking(done) : done;
    },
  };
}

async function knownBy(
  sources: RootSources,
  roots: readonly unknown[] | undefined,
): Promise<KnownAnswer<PinnedRoots>> {
  if (!roots) {
    return { ok: false, reason: 'The client answered without a list of roots.' };
  }
  return { ok: true, value: await sources.pinOnce(roots.map(entryOf)) };
}

const rootsKey = 'roots';

function alsoAsking(result: InputRequiredResult): InputRequiredResult {
  const inputRequests = { ...result.inputRequests, [rootsKey]: inputRequired.listRoots() };
  return { ...result, inputRequests };
}

const rootsAnswer = z.object({ roots: z.array(z.unknown()) });

/** Reads a root as sent by a client: each field may hold any value. */
function entryOf(root: unknown): RootEntry {
  const { uri, name, _meta } = Object(root);
  const folder: unknown = Object(_meta)[folderKey];
  // A place is a text. Any other value becomes the empty text, which matches no folder.
  return { uri, name, folder: folder === undefined || typeof folder === 'string' ? folder : '' };
}

/** The longest time that a call waits for the client's answer to `roots/list`, in milliseconds. */
const longestWait = 5000;

function declaresRoots(envelope: Readonly<Record<string, unknown>> = {}): boolean {
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY];
  return typeof capabilities === 'object' && capabilities !== null && 'roots' in capabilities;
}

function isAnswered(request: RequestContext['mcpReq']): boolean {
  const answered = Object.keys(request.inputResponses ?? {});
  return answered.concat(request.droppedInputResponseKeys ?? []).includes(rootsKey);
}

function logFolders(logger: Logger, { scope, skipped }: RootFolders): void {
  logger.info(`Roots in force: ${scope.inPlace().length}; skipped: ${skipped.length}.`);
  for (const { reason } of skipped) {
    logger.warn(`A root was skipped. ${reason}`);
  }
}
