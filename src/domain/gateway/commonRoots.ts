import { posix, win32 } from 'node:path';
import { fileUri, isFileUri } from '../paths/fileUri.ts';
import { parsePath } from '../paths/pathInput.ts';
import type { PathOutcome, PathPlatform } from '../paths/pathNames.ts';
import { PathScope } from '../paths/pathScope.ts';
import { isAtOrBelow } from '../paths/rootPaths.ts';
import type { Root } from '../roots.ts';

export interface ClientFolder {
  readonly uri: string;
  readonly path: string;
}

/** A root of a client that a server is not told of, and why, in finished sentences. */
export interface LeftOut {
  readonly uri: string;
  readonly reason: string;
}

export interface VisibleRoot extends Root {
  /** Files and folders in it that are never exposed. */
  readonly hidden?: readonly string[];
}

export interface RealRoot {
  readonly root: VisibleRoot;
  readonly path: string;
  readonly real: string;
}

/** A client's folder on disk: its real path, or why there is none. */
export interface FoundFolder extends ClientFolder {
  readonly found: PathOutcome;
}

/** A part of a root that a client has, too. */
export interface CommonRoot extends VisibleRoot {
  /** The URI of the root that it lies in. */
  readonly within: string;
  /** Its real path. */
  readonly real: string;
}

/** Limit of roots of one client: clients have one, or one for each folder of a window. */
export const mostClientRoots = 200;

/**
 * Reads the answer of a client to `roots/list`. A URI that a server's parser might read as another path is
 * left out: one with characters that parsers drop, end a path at, or decode twice.
 * (Model Context Protocol, client/roots.)
 */
export function readClientRoots(
  result: unknown,
  platform: PathPlatform,
): { readonly folders: readonly ClientFolder[]; readonly leftOut: readonly LeftOut[] } {
  const { roots } = Object(result);
  if (!Array.isArray(roots)) {
    return { folders: [], leftOut: [{ uri: '', reason: 'It did not say which roots it has.' }] };
  }
  const all: readonly unknown[] = roots;
  const folders: ClientFolder[] = [];
  const leftOut: LeftOut[] = [];
  for (const uri of all.slice(0, mostClientRoots).map(root => Object(root).uri)) {
    const outcome = pathOf(uri, platform);
    if (outcome.ok) {
      folders.push({ uri, path: outcome.path });
    } else {
      leftOut.push({ uri: typeof uri === 'string' ? uri : '', reason: outcome.reason });
    }
  }
  const more = all.length - mostClientRoots;
  return more > 0
    ? { folders, leftOut: [...leftOut, { uri: '', reason: `${more} more were not looked at.` }] }
    : { folders, leftOut };
}

function pathOf(uri: unknown, platform: PathPlatform): PathOutcome {
  if (typeof uri !== 'string' || !isFileUri(uri)) {
    return { ok: false, reason: 'It is not a file: URI.' };
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: parsers drop some of them.
  if (/[\u0000-\u0020\u007f\\]/.test(uri)) {
    return { ok: false, reason: "It holds a character that a URI can't hold." };
  }
  return parsePath(uri, platform);
}

/**
 * The roots that a client has, too: each root that lies in one of its folders, and of a root that
 * holds one of them, that folder. Both are compared by their real paths, and what a server is told is
 * the root's own URI with the real way on from there, so that nothing of the client's text is in it.
 */
export function commonRoots(
  roots: readonly RealRoot[],
  folders: readonly FoundFolder[],
  platform: PathPlatform,
): { readonly roots: readonly CommonRoot[]; readonly leftOut: readonly LeftOut[] } {
  // Real paths have the letter case of the disk, whatever its volume takes for one name.
  const foldsCase = false;
  const scope = new PathScope(
    roots.map(({ root, path, real }) => ({ root, announced: path, real, foldsCase })),
    platform,
  );
  const found = folders.flatMap(({ uri, found }) => (found.ok ? [{ uri, real: found.path }] : []));
  const ofClient = new PathScope(
    found.map(({ real }) => ({ announced: real, real, foldsCase })),
    platform,
  );
  const whole: CommonRoot[] = [];
  const outerFolders = new Set<string>();
  for (const { root, real } of roots) {
    const outer = ofClient.findAll(real);
    if (outer.length > 0) {
      whole.push({ ...root, within: root.uri, real });
    }
    for (const folder of outer) {
      outerFolders.add(folder.real);
    }
  }
  const leftOut = folders.flatMap(({ uri, found }) =>
    found.ok ? [] : [{ uri, reason: found.reason }],
  );
  const parts = found.flatMap(({ uri, real }): CommonRoot[] => {
    const outer = scope.findReal(real);
    if (!outer) {
      if (!outerFolders.has(real)) {
        leftOut.push({ uri, reason: 'It lies in none of the folders that the server may see.' });
      }
      return [];
    }
    const part = partOf(outer, real, platform);
    if (part === undefined) {
      leftOut.push({ uri, reason: 'It lies in a folder that is never exposed.' });
    }
    return part ? [part] : [];
  });
  // In the order of the roots: the first is where many servers work.
  const byUri = new Map([...whole, ...parts].map(root => [root.uri, root]));
  return { roots: [...byUri.values()], leftOut };
}

function partOf(
  { root, announced, real }: { root: VisibleRoot; announced: string; real: string },
  inner: string,
  platform: PathPlatform,
): CommonRoot | undefined {
  const { join, relative, sep } = platform === 'win32' ? win32 : posix;
  const rest = relative(real, inner);
  const path = join(announced, rest);
  const { hidden = [] } = root;
  // Not as its volume has it, which nobody asked: at worst, more is hidden than was named.
  const part = { announced: path, real: inner, foldsCase: platform !== 'linux' };
  if (hidden.some(one => isAtOrBelow(part, one, platform))) {
    return undefined;
  }
  if (rest === '') {
    return { ...root, within: root.uri, real };
  }
  const { folder: _, ...others } = root;
  return {
    ...others,
    uri: fileUri(path, platform),
    name: `${root.name}/${rest.split(sep).join('/')}`,
    within: root.uri,
    real: inner,
  };
}
