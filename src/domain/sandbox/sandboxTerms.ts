import { isAtOrBelow } from './systemPlaces.ts';

/** The reach of a sandboxed server besides its folders and what it needs to run. */
export interface SandboxTerms {
  /** Absolute paths of files and folders that it may read. */
  readonly read: readonly string[];
  /** Absolute paths of files and folders that it may read and change. */
  readonly write: readonly string[];
  readonly network: boolean;
  /**
   * Whether it may open unix sockets, as browsers do. They reach what it started itself and sockets that
   * lie in what it sees; no other program's. Left out: it may not.
   */
  readonly unixSockets?: boolean;
}

/** A definition's words on a sandbox. `undefined`: none on that. */
export type SandboxWords =
  | 'off'
  | { readonly [K in keyof SandboxTerms]: SandboxTerms[K] | undefined };

/** The terms by these words alone; `undefined`: no sandbox. */
export function sandboxTerms(words: SandboxWords | undefined): SandboxTerms | undefined {
  if (words === undefined || words === 'off') {
    return undefined;
  }
  const { read = [], write = [], network = true, unixSockets = false } = words;
  const others = read.filter(path => !write.includes(path));
  return { read: others, write, network, ...(unixSockets && { unixSockets }) };
}

/**
 * The user's terms as far as a workspace leaves them standing: it may take paths away, leave them for
 * reading only, and close the network and unix sockets.
 *
 * A path counts when it is, letter by letter, one of the user's. One below a path of the user's may be
 * a link that leads out of it, which a server may have put there.
 */
export function tightened(user: SandboxTerms, words: SandboxWords | undefined): SandboxTerms {
  if (words === undefined || words === 'off') {
    return user;
  }
  const { read, write, network = true, unixSockets = true } = words;
  const left = [...(read ?? user.read), ...(write ?? user.write)];
  const writable = user.write.filter(path =>
    write ? write.includes(path) : !read?.includes(path),
  );
  // Without it, what is for reading only within a writable folder would be writable, too.
  const isExcepted = (path: string) =>
    user.read.includes(path) && writable.some(folder => isAtOrBelow(path, folder));
  return {
    read: [...user.read, ...user.write]
      .filter(path => !writable.includes(path) && (left.includes(path) || isExcepted(path)))
      .sort(),
    write: writable,
    network: user.network && network,
    ...(user.unixSockets && unixSockets && { unixSockets }),
  };
}

/** Whether the words of a workspace ask for more than the user's terms give. */
export function isLooser(words: SandboxWords | undefined, user: SandboxTerms): boolean {
  if (words === undefined || words === 'off') {
    return words === 'off';
  }
  const { read = [], write = [], network = false, unixSockets = false } = words;
  return (
    (network && !user.network) ||
    (unixSockets && !user.unixSockets) ||
    write.some(path => !user.write.includes(path)) ||
    read.some(path => ![...user.read, ...user.write].includes(path))
  );
}
