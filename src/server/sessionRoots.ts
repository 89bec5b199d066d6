import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { IDisposable } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import type { PathPlatform } from '../domain/pathNames.ts';
import type { After } from './after.ts';
import { FreshAnswer, type Known } from './freshAnswer.ts';
import { areUnmoved, prepareRootFolders, type RootFolders } from './rootFolders.ts';
import { type Era, type RootsView, viewOf, viewWithoutRoots } from './rootsView.ts';

/** What a session needs besides its connection. */
export interface SessionRootsOptions {
  readonly platform: PathPlatform;
  readonly logger: Logger;
  readonly after: After;
  /** How long the client may take to answer `roots/list`, in milliseconds. */
  readonly limit: number;
}

/**
 * The roots of one session. The only thing on this side that knows how they travel.
 *
 * A client that did not declare the capability is never asked.
 */
export interface SessionRoots extends IDisposable {
  /**
   * Runs `work` with the roots of this moment; what it does before its first `await` no change
   * can come between. Where the roots have to be asked for within the call, it answers with that
   * question instead, and the tool is called again with the answer.
   */
  use<R>(
    context: ServerContext,
    work: (view: RootsView) => R | Promise<R>,
  ): Promise<R | InputRequiredResult>;
}

/** Subscribes to what the session's client says of its roots. Call it before connecting. */
export function createSessionRoots(
  server: McpServer,
  era: Era,
  options: SessionRootsOptions,
): SessionRoots {
  return era === 'legacy' ? new LegacyRoots(server, options) : new ModernRoots(options);
}

/** Asked for after `initialized` and after each notice of a change; kept in between. */
class LegacyRoots implements SessionRoots {
  private readonly server: McpServer['server'];
  private readonly options: SessionRootsOptions;
  private readonly answer: FreshAnswer<RootFolders>;

  constructor({ server }: McpServer, options: SessionRootsOptions) {
    this.server = server;
    this.options = options;
    this.answer = new FreshAnswer({
      ask: signal => this.ask(signal),
      isValid: areUnmoved,
      logger: options.logger,
      after: options.after,
      limit: options.limit,
      patience: Math.min(options.limit, longestWait),
    });
    server.oninitialized = () => this.refresh();
    server.setNotificationHandler('notifications/roots/list_changed', () => this.refresh());
  }

  async use<R>(_context: ServerContext, work: (view: RootsView) => R | Promise<R>): Promise<R> {
    const roots = this.server.getClientCapabilities()?.roots;
    const { platform } = this.options;
    if (!roots) {
      return work(viewWithoutRoots('legacy', platform));
    }
    const client = { era: 'legacy', rootsListChanged: roots.listChanged === true } as const;
    return this.answer.use(known => work(viewOf(known, platform, client)));
  }

  dispose(): void {
    this.answer.dispose();
  }

  private refresh(): void {
    if (this.server.getClientCapabilities()?.roots) {
      this.answer.outdate();
    }
  }

  private async ask(signal: AbortSignal): Promise<Known<RootFolders>> {
    const { limit, platform, logger } = this.options;
    // With a schema of our own, because the SDK's refuses the whole list for one bad root. The
    // limit is kept by whoever asks, on a clock that a test can turn.
    const question = { method: 'roots/list' } as const;
    const options = { signal, timeout: limit + 60_000 };
    const { roots } = await this.server.request(question, rootsAnswer, options);
    const folders = prepareRootFolders(roots, platform);
    logFolders(logger, folders);
    return { ok: true, value: folders };
  }
}

/** Asked for within each call and forgotten after it, because a connection is no session there. */
class ModernRoots implements SessionRoots {
  private readonly options: SessionRootsOptions;

  constructor(options: SessionRootsOptions) {
    this.options = options;
  }

  async use<R>(
    { mcpReq }: ServerContext,
    work: (view: RootsView) => R | Promise<R>,
  ): Promise<R | InputRequiredResult> {
    const { platform } = this.options;
    if (!declaresRoots(mcpReq.envelope)) {
      return work(viewWithoutRoots('modern', platform));
    }
    if (!isAnswered(mcpReq)) {
      return inputRequired({ inputRequests: { [rootsKey]: inputRequired.listRoots() } });
    }
    const answer = inputResponse(mcpReq.inputResponses, rootsKey);
    const known: Known<RootFolders> =
      answer.kind === 'roots'
        ? { ok: true, value: prepareRootFolders(answer.roots, platform) }
        : { ok: false, reason: 'The client answered the question for its roots with no list.' };
    return work(viewOf(known, platform, { era: 'modern', rootsListChanged: false }));
  }

  dispose(): void {}
}

const rootsKey = 'roots';
const rootsAnswer = z.object({ roots: z.array(z.unknown()) });

/** The longest one call waits for a refresh under way, in milliseconds. */
const longestWait = 5000;

function declaresRoots(envelope: Readonly<Record<string, unknown>> = {}): boolean {
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY];
  return typeof capabilities === 'object' && capabilities !== null && 'roots' in capabilities;
}

function isAnswered(request: ServerContext['mcpReq']): boolean {
  const answered = Object.keys(request.inputResponses ?? {});
  return answered.concat(request.droppedInputResponseKeys ?? []).includes(rootsKey);
}

function logFolders(logger: Logger, { scope, skipped }: RootFolders): void {
  logger.info(`${scope.roots.length} roots are in force, ${skipped.length} were skipped.`);
  for (const { reason } of skipped) {
    logger.warn(`A root was skipped. ${reason}`);
  }
}
