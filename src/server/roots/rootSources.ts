import type { PathPlatform } from '../../domain/paths/pathNames.ts';
import { PathScope } from '../../domain/paths/pathScope.ts';
import { LatestRoots } from './latestRoots.ts';
import {
  areUnmoved,
  noRootFolders,
  prepareRootFolders,
  type RootFolder,
  type RootFolders,
} from './rootFolders.ts';

/** What the one who started the server says of roots. */
export interface GivenRoots {
  /** `--root`, as `file:` URIs: all there is for a client without roots, a limit for one with them. */
  readonly uris: readonly string[];
  /** What a client gets that names no roots when none are given either. */
  readonly withoutRoots: 'deny' | 'allow';
}

/**
 * Where roots come from: the client, the command line, or both, which then have to agree.
 *
 * Folders are looked at on the disk when they are asked for.
 */
export class RootSources {
  readonly platform: PathPlatform;
  private readonly given: GivenRoots;
  private readonly sent: LatestRoots;
  private limits: RootFolders | undefined;

  constructor(given: GivenRoots, platform: PathPlatform) {
    this.given = given;
    this.platform = platform;
    this.sent = new LatestRoots(platform);
  }

  /** The folders that no client gets beyond; `undefined` when nothing but the client decides. */
  get limit(): RootFolders | undefined {
    if (this.given.uris.length === 0) {
      return undefined;
    }
    if (!this.limits || this.limits.skipped.length > 0 || !areUnmoved(this.limits)) {
      this.limits = prepareUris(this.given.uris, this.platform);
    }
    return this.limits;
  }

  /**
   * The folders in force for a client that sent these roots. With a limit, they are what both
   * have in common: its roots within the limit, and of a wider root what the limit leaves of it.
   */
  fromClient(entries: readonly unknown[]): RootFolders {
    const sent = this.sent.prepare(entries);
    const { limit } = this;
    return limit ? common(sent, limit, this.platform) : sent;
  }

  /** The folders in force for a client that names no roots; `undefined` when it gets none. */
  withoutClient():
    | { readonly folders: RootFolders; readonly source: 'options' | 'anything' }
    | undefined {
    const { limit } = this;
    if (limit) {
      return { folders: limit, source: 'options' };
    }
    return this.given.withoutRoots === 'allow'
      ? { folders: everything(this.platform), source: 'anything' }
      : undefined;
  }
}

function common(sent: RootFolders, limit: RootFolders, platform: PathPlatform): RootFolders {
  const roots = new Map<string, RootFolder>();
  const skipped = [...sent.skipped];
  for (const root of sent.scope.roots) {
    const isWithin = limit.scope.findReal(root.real) !== undefined;
    const left = isWithin ? [root] : limit.scope.roots.filter(other => isIn(other, root, platform));
    for (const folder of left) {
      roots.set(folder.real, folder);
    }
    if (left.length === 0) {
      skipped.push({ uri: root.uri, reason: beyondLimit });
    }
  }
  return { scope: new PathScope([...roots.values()], platform), skipped };
}

function isIn(folder: RootFolder, root: RootFolder, platform: PathPlatform): boolean {
  return new PathScope([root], platform).findReal(folder.real) !== undefined;
}

const beyondLimit =
  'It has nothing in common with the folders that the server was started with (--root).';

function everything(platform: PathPlatform): RootFolders {
  if (platform !== 'win32') {
    return prepareUris(['file:///'], platform);
  }
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
  const { scope } = prepareUris(
    letters.map(letter => `file:///${letter}:/`),
    platform,
  );
  // Most letters name no drive, which is no mistake of anybody.
  return { ...noRootFolders(platform), scope };
}

function prepareUris(uris: readonly string[], platform: PathPlatform): RootFolders {
  return prepareRootFolders(
    uris.map(uri => ({ uri })),
    platform,
  );
}
