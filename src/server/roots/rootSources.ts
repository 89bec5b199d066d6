import { fileUri, isFileUri } from '../../domain/paths/fileUri.ts';
import { parsePath } from '../../domain/paths/pathInput.ts';
import type { PathPlatform } from '../../domain/paths/pathNames.ts';
import { PathScope } from '../../domain/paths/pathScope.ts';
import { quotePath } from '../../domain/printable.ts';
import { Disks } from './disks.ts';
import { PinnedRoots, type RootEntry, type RootFolder, type RootFolders } from './rootFolders.ts';

/** The roots options of the server. */
interface GivenRoots {
  /** `--root`: all there is for a client without roots, a limit for one with them. */
  readonly roots?: PinnedRoots | undefined;
  /** The access of a client that names no roots when the options name none either. */
  readonly withoutRoots: 'deny' | 'allow';
}

/**
 * Of how many characters the lists of modern clients are remembered, of all together and of one client:
 * of 1,000 roots with long paths a dozen of lists.
 */
const mostRemembered = { all: 8_000_000, ofOne: 2_000_000 };
/** A list that was used within so many milliseconds is never forgotten for another one. */
const keptFor = 60 * 60_000;

/**
 * The sources of roots: the client, the command line, or both, which then have to agree.
 *
 * The roots of a client are pinned when they are sent, and looked at on the disk when they are used.
 */
export class RootSources {
  readonly platform: PathPlatform;
  private readonly given: GivenRoots;
  private readonly disks: Disks;
  /** The lists of modern clients, the one used last at the end. */
  private readonly lists = new Map<string, RememberedList>();
  private readonly now: () => number;
  private readonly commons = new WeakMap<RootFolders, Common>();
  private everything: PinnedRoots | undefined;

  /** @param now in milliseconds. */
  constructor(
    given: GivenRoots,
    platform: PathPlatform,
    disks = new Disks(),
    now: () => number = Date.now,
  ) {
    this.disks = disks;
    this.now = now;
    this.given = given;
    this.platform = platform;
  }

  /** The folders that no client gets beyond; `undefined` when nothing but the client decides. */
  get limit(): RootFolders | undefined {
    return this.given.roots?.folders;
  }

  /** Pins the roots that a client has just named. */
  pin(entries: readonly RootEntry[]): Promise<PinnedRoots> {
    return PinnedRoots.taken(entries, this.platform, this.disks);
  }

  /**
   * Asks the disks of these roots, and of the given ones, that may not answer: to be waited for before
   * they are looked at. `undefined`: there is nothing to wait for.
   */
  ask(pinned?: PinnedRoots): Promise<unknown> | undefined {
    const asked = [pinned ?? this.all, this.given.roots].flatMap(roots => roots?.ask() ?? []);
    return asked.length === 0 ? undefined : Promise.all(asked);
  }

  /**
   * The same for clients that name their roots with each call: a list that was sent before keeps its
   * pins, whoever sends it. Several of them are remembered: clients take turns, and a root that a client
   * leaves out for a moment must not be pinned anew by that. `undefined`: there is no room, because none
   * that is in use is forgotten: its roots would be pinned to what is there by then.
   *
   * @param client by what its share of the room is known; `undefined`: there is one client.
   */
  async pinOnce(entries: readonly RootEntry[], client?: string): Promise<PinnedRoots | undefined> {
    const key = JSON.stringify(entries);
    const at = this.now();
    const known = this.lists.get(key);
    if (known === undefined && !this.hasRoomFor(key, at, client)) {
      return undefined;
    }
    const roots = known?.roots ?? this.pin(entries);
    this.lists.delete(key);
    this.lists.set(key, { roots, at, client });
    const pinned = await roots;
    if (known) {
      await pinned.ask();
    }
    return pinned;
  }

  private hasRoomFor({ length }: string, at: number, client: string | undefined): boolean {
    if (length > mostRemembered.ofOne) {
      return false; // For a list that can't be taken none is forgotten.
    }
    let all = length;
    let own = length;
    const count = (key: string, by: 1 | -1, whose: string | undefined) => {
      all += by * key.length;
      own += whose === client ? by * key.length : 0;
    };
    const fits = () => all <= mostRemembered.all && own <= mostRemembered.ofOne;
    for (const [key, list] of this.lists) {
      count(key, 1, list.client);
    }
    for (const [oldest, list] of this.lists) {
      if (fits() || at - list.at < keptFor) {
        break;
      }
      if (all > mostRemembered.all || list.client === client) {
        this.lists.delete(oldest);
        count(oldest, -1, list.client);
      }
    }
    return fits();
  }

  /**
   * The folders in force for a client that named these roots. With a limit, they are what both
   * have in common: its roots within the limit, and of a wider root what the limit leaves of it.
   */
  inForce(pinned: PinnedRoots): RootFolders {
    const { limit, platform } = this;
    const { folders: sent } = pinned;
    if (!limit) {
      return sent;
    }
    const known = this.commons.get(sent);
    if (known?.limit === limit) {
      return known.folders;
    }
    const folders = common(sent, limit, platform);
    this.commons.set(sent, { limit, folders });
    return folders;
  }

  /** The folders in force for a client that names no roots; `undefined` when it gets none. */
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
   * All that there is, where a client that names no roots may reach it. Letters that name no drive are no
   * mistake of anybody.
   */
  private get all(): PinnedRoots | undefined {
    const { given, platform, disks } = this;
    if (given.withoutRoots === 'allow' && !given.roots) {
      this.everything ??= new PinnedRoots(everything(platform), platform, disks);
    }
    return this.everything;
  }
}

interface RememberedList {
  readonly roots: Promise<PinnedRoots>;
  /** When it was last used, in milliseconds. */
  readonly at: number;
  /** The last one to use it. */
  readonly client: string | undefined;
}

interface Common {
  readonly limit: RootFolders;
  readonly folders: RootFolders;
}

/** Found by the paths alone; each root is looked at when it is used, with those that it lies in. */
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

const beyondLimit =
  'It has nothing in common with the folders that the server was started with (--root).';

function everything(platform: PathPlatform): readonly RootEntry[] {
  if (platform !== 'win32') {
    return [{ uri: 'file:///' }];
  }
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
  return letters.map(letter => ({ uri: `file:///${letter}:/` }));
}

/** Given roots, or a finished sentence on the first that is no folder. */
type PinnedGivenRoots =
  | { readonly ok: true; readonly roots: PinnedRoots | undefined }
  | { readonly ok: false; readonly message: string };

/**
 * Pins what `--root` gives: paths, relative to the working folder, or `file:` URIs. `undefined`: it
 * gives nothing.
 *
 * A folder that can't be used is an error at the start rather than a limit that nobody notices.
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
