import type { Era } from '../../domain/exposure.ts';
import { cut, printable } from '../../domain/printable.ts';
import type { KnownAnswer } from './cachedAnswer.ts';
import { noRootFolders, type PinnedRoots, type RootFolders } from './rootFolders.ts';
import type { RootSources } from './rootSources.ts';

/**
 * Who named the roots. `client-within-options`: the client did, and the options limit its roots.
 * If nobody named roots, the client reaches everything (`anything`) or nothing (`none`).
 */
type RootsSource = 'client' | 'options' | 'client-within-options' | 'anything' | 'none';

/** The roots of a session while a tool runs. */
export interface RootsView {
  readonly era: Era;
  readonly supportsRoots: boolean;
  readonly rootsListChanged: boolean;
  readonly source: RootsSource;
  /** The roots. Unknown roots and an empty list both mean no access. */
  readonly folders: RootFolders;
  /** The limit for the client's roots, if the options set one. */
  readonly limit: RootFolders | undefined;
  /** Why the roots are unknown or empty, as a finished sentence. `undefined`: there are roots. */
  readonly problem: string | undefined;
}

/** The view for a client that shares roots, even if it has not answered yet. */
export function viewOf(
  known: KnownAnswer<PinnedRoots>,
  sources: RootSources,
  client: Pick<RootsView, 'era' | 'rootsListChanged'>,
): RootsView {
  const { limit, platform } = sources;
  const common = { ...client, supportsRoots: true, limit };
  if (!known.ok) {
    const folders = noRootFolders(platform);
    return { ...common, source: 'none', folders, problem: known.reason };
  }
  const source = limit ? 'client-within-options' : 'client';
  const folders = sources.inForce(known.value);
  const problem = limit && known.value.isEmpty ? limitsOnly : undefined;
  return { ...common, source, folders, problem };
}

/** Explains the reason, because users who name folders with `--root` expect access to them. */
const limitsOnly =
  'The client supports roots, but named none. --root only limits its roots. Open a folder in the client.';

/** The view for a client that shares no roots. The options may name roots instead. */
export function viewWithoutRoots(era: Era, sources: RootSources): RootsView {
  const { limit, platform } = sources;
  const common = { era, supportsRoots: false, rootsListChanged: false, limit };
  const given = sources.withoutClient();
  if (given) {
    return { ...common, ...given, problem: undefined };
  }
  const problem =
    'The client does not share folders, because it has not declared the roots capability. ' +
    'To name folders, start the server with --root PATH.';
  return { ...common, source: 'none', folders: noRootFolders(platform), problem };
}

/**
 * Why no root gives access, in finished sentences with the first skipped root. `undefined`: there
 * is access, or the client named no roots.
 */
export function whyNoRoots({
  problem,
  folders: { scope, skipped },
}: RootsView): string | undefined {
  const [first] = scope.base === undefined ? skipped : [];
  return first
    ? `No root can be used: ${printable(cut(first.uri, 200))} was skipped. ${first.reason} See get-roots.`
    : problem;
}
