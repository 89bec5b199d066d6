import type { InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import { isInPlace } from '../../roots/rootFolders.ts';
import type { RootsView } from '../../roots/rootsView.ts';
import type { SessionRoots } from '../../sessionRoots.ts';

/** What is known of the roots from the requests before. */
export interface RootsBefore {
  /** Those by which children were taken last; `undefined`: there were none yet. */
  readonly lastView: RootsView | undefined;
}

/**
 * The roots for a request that can't be answered with a question for them: where there would be
 * one, those that the session had last.
 */
export class LastRoots implements Pick<SessionRoots, 'use'> {
  private readonly roots: Pick<SessionRoots, 'use'>;
  private readonly before: RootsBefore;

  constructor(roots: Pick<SessionRoots, 'use'>, before: RootsBefore) {
    this.roots = roots;
    this.before = before;
  }

  /** The question, too, where no roots were ever known, or one of them is not in place any more. */
  async use<R>(
    context: ServerContext,
    work: (view: RootsView, signal?: AbortSignal) => R | Promise<R>,
    revoked: () => R,
  ): Promise<R | InputRequiredResult> {
    let isAsking = true;
    const working = (view: RootsView, signal?: AbortSignal) => {
      isAsking = false;
      return work(view, signal);
    };
    const done = await this.roots.use(context, working, revoked);
    const { lastView } = this.before;
    return isAsking && lastView?.folders.scope.roots.every(isInPlace) ? work(lastView) : done;
  }
}
