import type { Era } from '../../domain/exposure.ts';
import { cut, printable } from '../../domain/printable.ts';
import type { KnownAnswer } from './cachedAnswer.ts';
import { noRootFolders, type PinnedRoots, type RootFolders } from './rootFolders.ts';
import type { RootSources } from './rootSources.ts';

/**
 * The one who named the roots: the client; the options of the server; the client, within the limit that
 * the options set; nobody, with everything allowed; nobody.
 */
type RootsSource = 'client' | 'options' | 'client-within-options' | 'anything' | 'none';

/** The roots of a session as they are while a tool runs. */
export interface RootsView {
  readonly era: Era;
  readonly supportsRoots: boolean;
  readonly rootsListChanged: boolean;
  readonly source: RootsSource;
  /** Empty when the roots are not known: that is no access, as an empty list is. */
  readonly folders: RootFolders;
  /** The limit for the client's roots, when the options set one. */
  readonly limit: RootFolders | undefined;
  /** The reason that the roots are not known, or none, in a finished sentence; `undefined`: they are. */
  readonly problem: string | undefined;
}

/** The view of a client that serves roots, whether it has answered or not. */
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

/** A person who names folders on the command line expects them to be there. */
const limitsOnly =
  'The client says that it names its roots, and named none; --root only limits them.';

/** The view of a client that serves no roots: what the options give it, which may be nothing. */
export function viewWithoutRoots(era: Era, sources: RootSources): RootsView {
  const { limit, platform } = sources;
  const common = { era, supportsRoots: false, rootsListChanged: false, limit };
  const given = sources.withoutClient();
  if (given) {
    return { ...common, ...given, problem: undefined };
  }
  const problem =
    'The client does not share folders (it has not declared the roots capability). ' +
    'Start the server with --root PATH to name the folders it may reach.';
  return { ...common, source: 'none', folders: noRootFolders(platform), problem };
}

/**
 * Why there is no access, in finished sentences, of skipped roots with the first of them; `undefined`
 * when there is some, or the client named no roots.
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
