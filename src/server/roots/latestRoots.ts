import type { PathPlatform } from '../../domain/paths/pathNames.ts';
import { OnceInTurn } from './onceInTurn.ts';
import { areAsPrepared, prepareRootFolders, type RootFolders } from './rootFolders.ts';

/**
 * Prepares roots, of which modern clients send the same ones with each call: those that were
 * prepared last are given again as long as the disk has them as they were.
 */
export class LatestRoots {
  private readonly platform: PathPlatform;
  private readonly asPrepared = new OnceInTurn(areAsPrepared);
  private latest: { readonly entries: string; readonly folders: RootFolders } | undefined;

  constructor(platform: PathPlatform) {
    this.platform = platform;
  }

  /** As {@link prepareRootFolders}. */
  prepare(entries: readonly unknown[]): RootFolders {
    const key = JSON.stringify(entries);
    if (this.latest?.entries === key && this.asPrepared.isTrueOf(this.latest.folders)) {
      return this.latest.folders;
    }
    const folders = prepareRootFolders(entries, this.platform);
    this.latest = { entries: key, folders };
    return folders;
  }
}
