import { posix, win32 } from 'node:path';
import { fileUri, isFileUri } from '../paths/fileUri.ts';
import { parsePath } from '../paths/pathInput.ts';
import type { PathOutcome, PathPlatform } from '../paths/pathNames.ts';
import { PathScope } from '../paths/pathScope.ts';
import { isRootWithin } from '../paths/rootPaths.ts';
import type { Root } from '../roots.ts';

export interface ClientFolder {
  readonly uri: string;
  readonly path: string;
}

/** A client's root that the server does not get, with the reason in finished sentences. */
export interface LeftOut {
  readonly uri: string;
  readonly reason: string;
}

export interface VisibleRoot extends Root {
  /** Files and folders in the root that are never exposed. */
  readonly hidden?: readonly string[];
}

export interface RealRoot {
  readonly root: VisibleRoot;
  readonly path: string;
  readonly real: string;
}

/** A client's folder on disk: its real path, or why it has no real path. */
export interface FoundFolder extends ClientFolder {
  readonly found: PathOutcome;
}

/** A part of a server's root that is also in the client's roots. */
export interface CommonRoot extends VisibleRoot {
  /** The URI of the root that contains the part. */
  readonly within: string;
  /** The real path of the part. */
  readonly real: string;
}

/** The most roots of one client. Clients have one root, or one for each folder of a window. */
export const mostClientRoots = 200;

/**
 * Reads a client's answer to `roots/list`. Parsers of URIs drop some characters, end at others or
 * decode twice. If another parser could read a URI as another path, the URI is left out. (Model
 * Context Protocol, client/roots.)
 */
export function readClientRoots(
  result: unknown,
  platform: PathPlatform,
): { readonly folders: readonly ClientFolder[]; readonly leftOut: readonly LeftOut[] } {
  const { roots } = Object(result);
  if (!Array.isArray(roots)) {
    return {
      folders: [],
      leftOut: [{ uri: '', reason: 'The client did not say which roots it has.' }],
    };
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
    ? {
        folders,
        leftOut: [...leftOut, { uri: '', reason: `${more} roots beyond the limit are left out.` }],
      }
    : { folders, leftOut };
}

function pathOf(uri: unknown, platform: PathPlatform): PathOutcome {
  if (typeof uri !== 'string' || !isFileUri(uri)) {
    return { ok: false, reason: 'The URI of the root must begin with file:.' };
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: parsers drop some of them.
  if (/[\u0000-\u0020\u007f\\]/.test(uri)) {
    return { ok: false, reason: 'The URI holds a character that is not allowed in URIs.' };
  }
  return parsePath(uri, platform);
}

/**
 * The parts of the roots that the client has, too: each root inside a client's folder, and each
 * client's folder inside a root, by real paths. The server gets the root's own URI, continued by
 * the real path, so that nothing of the client's text reaches the server.
 */
export function commonRoots(
  roots: readonly RealRoot[],
  folders: readonly FoundFolder[],
  platform: PathPlatform,
): { readonly roots: readonly CommonRoot[]; readonly leftOut: readonly LeftOut[] } {
  // A real path has the disk's letter case, even on a volume that ignores case.
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
        leftOut.push({ uri, reason: 'The root is outside the folders that the server may see.' });
      }
      return [];
    }
    const part = partOf(outer, real, platform);
    if (part === undefined) {
      leftOut.push({ uri, reason: 'The root is in a folder that is never exposed.' });
    }
    return part ? [part] : [];
  });
  // The parts stand in the order of the roots, because many servers work in the first root.
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
  // Ignores letter case without a look at the volume. At worst, too much is hidden.
  const part = { announced: path, real: inner, foldsCase: platform !== 'linux' };
  if (hidden.some(one => isRootWithin(part, one, platform))) {
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
