import type { PathPlatform } from '../domain/pathNames.ts';
import type { Known } from './freshAnswer.ts';
import { noRootFolders, type RootFolders } from './rootFolders.ts';

/** `legacy`: revisions up to 2025-11-25. `modern`: 2026-07-28. */
export type Era = 'legacy' | 'modern';

/** The roots of a session as they are while a tool runs. */
export interface RootsView {
  readonly era: Era;
  readonly supportsRoots: boolean;
  readonly rootsListChanged: boolean;
  /** Empty when the roots are not known: that is no access, as an empty list is. */
  readonly folders: RootFolders;
  /** Why the roots are not known, in a finished sentence; `undefined` when they are. */
  readonly problem: string | undefined;
}

/** The view of a client that serves roots, whether it has answered or not. */
export function viewOf(
  known: Known<RootFolders>,
  platform: PathPlatform,
  client: Pick<RootsView, 'era' | 'rootsListChanged'>,
): RootsView {
  return {
    ...client,
    supportsRoots: true,
    folders: known.ok ? known.value : noRootFolders(platform),
    problem: known.ok ? undefined : known.reason,
  };
}

/** The view of a client that does not serve roots: no access. */
export function viewWithoutRoots(era: Era, platform: PathPlatform): RootsView {
  return {
    era,
    supportsRoots: false,
    rootsListChanged: false,
    folders: noRootFolders(platform),
    problem: 'The client does not share folders (it has not declared the roots capability).',
  };
}
