import { fileUri, isFileUri } from '../../domain/paths/fileUri.ts';
import { parsePath } from '../../domain/paths/pathInput.ts';
import type { PathPlatform } from '../../domain/paths/pathNames.ts';
import { PathScope } from '../../domain/paths/pathScope.ts';
import { quotePath } from '../../domain/printable.ts';
import { Disks } from './disks.ts';
import { PinnedRoots, type RootEntry, type RootFolder, type RootFolders } from './rootFolders.ts';

/** The server's options about roots. */
interface GivenRoots {
  /** The folders of `--root`: the roots of a client without roots, and a limit for other clients. */
  readonly roots?: PinnedRoots | undefined;
  /** The access of a client that names no roots, if the options name none either. */
  readonly withoutRoots: 'deny' | 'allow';
}

/** The most lists of modern clients that are kept: one or two for each agent that runs. */
const mostLists = 16;

/**
 * The sources of roots: the client, the command line, or what both have in common.
 *
 * A client's roots are pinned when they arrive, and looked up on the disk when they are used.
 */
export class RootSources {
  readonly platform: PathPlatform;
  private readonly given: GivenRoots;
  private readonly disks: Disks;
  /** The roots of modern clients, by the JSON of each list. The list that was used last is last. */
  private readonly lists = new Map<string, Promise<PinnedRoots>>();
  private everything: PinnedRoots | undefined;

  constructor(given: GivenRoots, platform: PathPlatform, disks = new Disks()) {
    this.disks = disks;
    this.given = given;
    this.platform = platform;
  }

  /** The folders that limit every client; `undefined`: the client alone decides. */
  get limit(): RootFolders | undefined {
    return this.given.roots?.folders;
  }

  /** Pins the roots that a client has just named. */
  pin(entries: readonly RootEntry[]): Promise<PinnedRoots> {
    return PinnedRoots.taken(entries, this.platform, this.disks);
  }

  /**
   * Asks the disks of these roots, and of the roots in the options, that can stop answering. Wait
   * for the result before looking at the roots. `undefined`: there is nothing to wait for.
   */
  ask(pinned?: PinnedRoots): Promise<unknown> | undefined {
    const asked = [pinned ?? this.all, this.given.roots].flatMap(roots => roots?.ask() ?? []);
    return asked.length === 0 ? undefined : Promise.all(asked);
  }

  /**
   * Pins the roots of a client that sends them with each call. Equal lists share their pins, even
   * of several clients. Keeps the last lists, so that a list keeps its pins between two calls.
   */
  async pinOnce(entries: readonly RootEntry[]): Promise<PinnedRoots> {
    const { lists } = this;
    const key = JSON.stringify(entries);
    const known = lists.get(key);
    const roots = known ?? this.pin(entries);
    lists.delete(key);
    lists.set(key, roots);
    for (const oldest of [...lists.keys()].slice(0, -mostLists)) {
      lists.delete(oldest);
    }
    const pinned = await roots;
    if (known) {
      await pinned.ask();
    }
    return pinned;
  }

  /**
   * The folders in force for a client with these roots. With a limit, these are the roots within
   * the limit, and the parts of wider roots that the limit allows.
   */
  inForce(pinned: PinnedRoots): RootFolders {
    const { limit, platform } = this;
    return limit ? common(pinned.folders, limit, platform) : pinned.folders;
  }

  /** The folders in force for a client that names no roots. `undefined`: the client has no access. */
  withoutClient():
    | { readonly folders: RootFolders; readonly source: 'options' | 'anything' }
    | undefined {
    const { limit } = this;
    if (limit) {
      return { folders: limit, source: 'options' };
    }
    return this.all && { folders: { ...this.all.folders, skipped: [] }, source: 'anything' };
  }

  /**
   * The whole disk, if the options give it to clients that name no roots. On Windows, these are all
   * drive letters, even those without a drive.
   */
  private get all(): PinnedRoots | undefined {
    const { given, platform, disks } = this;
    if (given.withoutRoots === 'allow' && !given.roots) {
      this.everything ??= new PinnedRoots(everything(platform), platform, disks);
    }
    return this.everything;
  }
}

/** The roots within the limit. Compares paths only: a root is looked up on the disk when it is used. */
function common(sent: RootFolders, limit: RootFolders, platform: PathPlatform): RootFolders {
  const limits = new PathScope(limit.scope.roots, platform);
  const left = new Map(
    sent.scope.roots.map(root => {
      const within = new PathScope([root], platform);
      return [
        root,
        limits.findReal(root.real)
          ? [root]
          : limit.scope.roots.filter(other => within.findReal(other.real)),
      ];
    }),
  );
  const roots = new Map([...left.values()].flat().map(root => [root.real, root]));
  const isInPlace = (root: RootFolder) =>
    root.whyNot() === undefined && [sent, limit].every(({ scope }) => scope.findReal(root.real));
  return {
    scope: new PathScope([...roots.values()], platform, isInPlace),
    get skipped() {
      const beyond = sent.scope.inPlace().filter(root => !left.get(root)?.some(isInPlace));
      return [
        ...limit.skipped,
        ...sent.skipped,
        ...beyond.map(({ uri }) => ({ uri, reason: beyondLimit })),
      ];
    },
  };
}

const beyondLimit = 'The root is outside the folders that the server was started with (--root).';

function everything(platform: PathPlatform): readonly RootEntry[] {
  if (platform !== 'win32') {
    return [{ uri: 'file:///' }];
  }
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
  return letters.map(letter => ({ uri: `file:///${letter}:/` }));
}

/** The roots of `--root`, or a finished sentence about the first root that cannot be used. */
type PinnedGivenRoots =
  | { readonly ok: true; readonly roots: PinnedRoots | undefined }
  | { readonly ok: false; readonly message: string };

/**
 * Pins the folders of `--root`: absolute paths, paths from the working folder, or `file:` URIs.
 * Without `--root`, `roots` is `undefined`.
 *
 * A folder that can't be used fails the start. Otherwise, nobody would notice the wrong limit.
 */
export async function pinGivenRoots(
  inputs: readonly string[],
  platform: PathPlatform,
  workingFolder: string,
  disks: Disks,
): Promise<PinnedGivenRoots> {
  const uris: string[] = [];
  for (const input of inputs) {
    const parsed = parsePath(input, platform, workingFolder);
    if (!parsed.ok) {
      return refuse(input, parsed.reason);
    }
    uris.push(isFileUri(input) ? input : fileUri(parsed.path, platform));
  }
  const entries = uris.map(uri => ({ uri }));
  const roots = await PinnedRoots.taken(entries, platform, disks);
  const [skipped] = roots.folders.skipped;
  if (skipped) {
    return refuse(inputs[uris.indexOf(skipped.uri)] ?? skipped.uri, skipped.reason);
  }
  return { ok: true, roots: inputs.length > 0 ? roots : undefined };
}

function refuse(input: string, reason: string): PinnedGivenRoots {
  return { ok: false, message: `${quotePath(input)} cannot be a root. ${reason}` };
}
