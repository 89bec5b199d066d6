import { isAtOrBelow } from './systemPlaces.ts';

/** The reach of a sandboxed server besides its folders and its own needs. */
export interface SandboxTerms {
  /** Absolute paths of files and folders that it may read. */
  readonly read: readonly string[];
  /** Absolute paths of files and folders that it may read and change. */
  readonly write: readonly string[];
  readonly network: boolean;
  /**
   * Whether the server may open unix sockets, as browsers do. It then reaches its own sockets and
   * socket files that the sandbox shows. Left out: it may not.
   */
  readonly unixSockets?: boolean;
}

/** What a definition says about a sandbox; `undefined` where it says nothing. */
export type SandboxWords =
  | 'off'
  | { readonly [K in keyof SandboxTerms]: SandboxTerms[K] | undefined };

/** Returns the terms of a definition alone, without the user's; `undefined`: no sandbox. */
export function sandboxTerms(words: SandboxWords | undefined): SandboxTerms | undefined {
  if (words === undefined || words === 'off') {
    return undefined;
  }
  const { read = [], write = [], network = true, unixSockets = false } = words;
  const others = read.filter(path => !write.includes(path));
  return { read: others, write, network, ...(unixSockets && { unixSockets }) };
}

/**
 * The user's terms, tightened by a workspace: it may remove paths, make them read-only, and close
 * the network and unix sockets.
 *
 * A path counts only if it equals a path of the user, letter by letter. A path below it may be a
 * link that leads out, put there by a server.
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
  // A read-only path in a writable folder stays. If it were removed, it would become writable.
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

/** Whether a workspace's words ask for more than the user's terms allow. */
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
