import { lstat, realpath } from 'node:fs';
import { DiskLooks } from '../../base/diskLooks.ts';
import { placeOf } from '../../base/fileIdentity.ts';
import { Limiter } from '../../base/limiter.ts';
import { isLate, within } from '../../base/timeLimit.ts';
import {
  type ClientFolder,
  type CommonRoot,
  commonRoots,
  type LeftOut,
  readClientRoots,
  type VisibleRoot,
} from '../../domain/gateway/commonRoots.ts';
import { parsePath } from '../../domain/paths/pathInput.ts';
import type { PathOutcome, PathPlatform } from '../../domain/paths/pathNames.ts';

/** Time limit for finding a folder's real path, in milliseconds. Its disk may not answer. */
const longestLook = 1000;
/** Time limit for a client to name its roots, in milliseconds: agents take up to 2 s at their start. */
const longestAnswer = 10_000;

const platform = process.platform as PathPlatform;

/** Looks up the real paths of folders, for all clients of a window. */
export class FolderLooks extends DiskLooks<PathOutcome> {
  constructor() {
    super(
      path =>
        new Promise(resolve =>
          realpath.native(path, (error, real) =>
            resolve(
              error
                ? { ok: false, reason: `The root can't be reached (${error.code}).` }
                : { ok: true, path: real },
            ),
          ),
        ),
    );
  }
}

/** A client's roots, which narrow its server's roots. Until the client names them, the server has none. */
export class RootsOfClient {
  private folders: readonly ClientFolder[] = [];
  private unread: readonly LeftOut[] = [];
  private unseen: readonly LeftOut[] = [];
  private common: readonly CommonRoot[] = [];
  private readonly looks: FolderLooks;
  /** Finds real paths of the client's roots, two at a time. That leaves threads for other work. */
  private readonly namedLooks: DiskLooks<PathOutcome>;
  private readonly onAnswer: () => void;
  /** Paths on disks that did not answer in time. When a disk answers, the roots are looked up again. */
  private readonly awaited = new Set<string>();
  private settle: () => void = () => {};
  private isNamed = false;

  /** Settles when the client has named its roots, or its time for that is over. */
  readonly known: Promise<void>;

  /** @param onAnswer called when a late disk answers. The caller should then call `look` again. */
  constructor(looks = new FolderLooks(), onAnswer: () => void = () => {}) {
    this.looks = looks;
    const threads = new Limiter({ running: 2 });
    const look = (path: string) => threads.run(() => looks.at(path)) as Promise<PathOutcome>;
    this.namedLooks = new DiskLooks(look);
    this.onAnswer = onAnswer;
    const naming = new Promise<void>(resolve => (this.settle = resolve));
    this.known = within(naming, longestAnswer, undefined);
  }

  /** The client's roots that the server does not learn, and why. */
  get leftOut(): readonly LeftOut[] {
    return [...this.unread, ...this.unseen];
  }

  take(result: unknown): void {
    const { folders, leftOut } = readClientRoots(result, platform);
    this.folders = folders;
    this.unread = leftOut;
    this.isNamed = true;
    this.settle();
  }

  /** Settles like `known`. A client that is late counts as without roots until it names them. */
  async named(): Promise<void> {
    await this.known;
    if (!this.isNamed) {
      this.take(undefined);
    }
  }

  /** The roots that both the window and the client have, as the last `look` found. */
  among(roots: readonly VisibleRoot[]): readonly VisibleRoot[] {
    const uris = new Set(roots.map(({ uri }) => uri));
    return this.common.filter(({ within }) => uris.has(within));
  }

  /** Finds the real paths of these roots and of the client's, for `among`. Never rejects. */
  async look(roots: readonly VisibleRoot[]): Promise<void> {
    const { folders, looks } = this;
    const [real, found] = await Promise.all([
      Promise.all(
        roots.map(async root => {
          const path = parsePath(root.uri, platform);
          const found = path.ok ? await this.find(path.path, looks.at(path.path)) : path;
          const hidden = await this.everyName(root.hidden ?? []);
          return path.ok && found.ok
            ? [{ root: { ...root, hidden }, path: path.path, real: found.path }]
            : [];
        }),
      ),
      Promise.all(
        folders.map(async folder => ({
          ...folder,
          found: await this.find(folder.path, this.namedLooks.at(folder.path)),
        })),
      ),
    ]);
    const { roots: common, leftOut } = commonRoots(real.flat(), found, platform);
    const pinned = await Promise.all(common.map(pinnedAs(roots)));
    if (folders === this.folders) {
      this.common = pinned;
      this.unseen = leftOut;
    }
  }

  private async find(path: string, looking: Promise<PathOutcome>): Promise<PathOutcome> {
    if (!(await isLate(looking, longestLook))) {
      return looking;
    }
    if (!this.awaited.has(path)) {
      this.awaited.add(path);
      void looking.then(() => {
        this.awaited.delete(path);
        this.onAnswer();
      });
    }
    return { ok: false, reason: 'The disk of the root does not answer.' };
  }

  /** The never-exposed paths, as written and as real paths, because a client may name either form. */
  private async everyName(hidden: readonly string[]): Promise<readonly string[]> {
    const found = await Promise.all(hidden.map(path => this.find(path, this.looks.at(path))));
    return [...hidden, ...found.flatMap(one => (one.ok ? one.path : []))];
  }
}

/** Returns a function that adds device and inode to a client's folder, if its root has them. */
function pinnedAs(roots: readonly VisibleRoot[]) {
  const pinned = new Set(roots.flatMap(({ uri, folder }) => (folder === undefined ? [] : [uri])));
  return async (root: CommonRoot): Promise<CommonRoot> => {
    if (root.folder !== undefined || !pinned.has(root.within)) {
      return root;
    }
    const place = new Promise<string>(resolve =>
      lstat(root.real, { bigint: true }, (error, stats) =>
        resolve(error ? 'gone' : placeOf(stats)),
      ),
    );
    return { ...root, folder: (await isLate(place, longestLook)) ? 'gone' : await place };
  };
}
