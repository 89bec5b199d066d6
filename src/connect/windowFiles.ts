import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpath,
} from 'node:fs';
import { connect } from 'node:net';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The contents of a window's file, which leads connectors to the window. */
export interface WindowDescription {
  /** The path of the window's socket, or the name of its pipe. */
  readonly socket: string;
  /** Proves to the gateway that the connector could read this file, as only the user can. */
  readonly nonce: string;
  /** The real paths of the window's folders. Clients in or below a folder use this window. */
  readonly folders: readonly string[];
  /** The time when the window was last in front, in milliseconds since 1970. */
  readonly focusedAt: number;
  readonly name: string;
  /** The names of the clients that a person has allowed something here. Nobody checks names. */
  readonly grants?: readonly string[];
}

/** A window that is open. */
export interface WindowEntry extends WindowDescription {
  /** The name of the window's file. In the window's terminals, `MCP_ROOTS_WINDOW` holds this id. */
  readonly id: string;
  /** The system's code, such as `EACCES`, if this program may not connect to the window. */
  readonly barredBy?: string;
}

/** Why the files of windows can't be read: a sandbox hides them, or forbids to read them. */
export interface Unseen {
  readonly kind: 'hidden' | 'forbidden';
  /** The code of the system's error. */
  readonly code?: string;
}

/** The folder with the files of a user's windows. */
export function windowsFolder(home: string): string {
  return join(home, '.mcp-roots', 'windows');
}

/**
 * Returns the open windows, in the order of their ids. Reads only files that nobody but the user
 * can have written. Ignores all other files, and removes nothing.
 */
export async function readWindows(folder: string): Promise<WindowEntry[]> {
  if (!isPrivateFolder(folder)) {
    return [];
  }
  // Loading `node:fs/promises` would take 1 MB of memory in each connector.
  const names = namesIn(folder)
    .filter(name => name.endsWith('.json'))
    .sort();
  const windows = await Promise.all(names.map(name => readWindow(join(folder, name))));
  return windows.filter(window => window !== undefined);
}

/**
 * Why this program could not see an open window. A sandbox either hides files from its program, or
 * answers with an error. `undefined`: no sign of a sandbox.
 *
 * @param isNamed whether the environment names a window, so that the folder of windows must exist.
 * @param shown paths that a sandbox does not hide, such as the path of this program.
 */
export function whyUnseen(
  home: string,
  isNamed: boolean,
  shown: readonly string[],
): Unseen | undefined {
  try {
    readdirSync(windowsFolder(home));
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== undefined && forbidding.has(code)) {
      return { kind: 'forbidden', code };
    }
  }
  // A hidden home contains only folders on the way to shown paths. A new home may be empty.
  const isShown = (path: string) => shown.some(one => `${one}${sep}`.startsWith(`${path}${sep}`));
  const names = namesIn(home);
  const isBare = names.length > 0 && names.every(name => isShown(join(home, name)));
  return isNamed || isBare ? { kind: 'hidden' } : undefined;
}

/** The names in a folder. Empty if the folder is missing or can't be read. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * Returns the real path of a folder, which is given as a path or a `file:` URI. The path of a
 * missing folder stays as written. `undefined`: the URI does not name a file.
 */
export async function realFolder(folder: string): Promise<string | undefined> {
  let path: string;
  try {
    path = /^file:/i.test(folder) ? fileURLToPath(folder) : resolve(folder);
  } catch {
    return undefined;
  }
  return new Promise(resolve => realpath.native(path, (_error, real) => resolve(real ?? path)));
}

/** Whether only our own user can add files to a folder. Windows itself keeps other users out. */
function isPrivateFolder(folder: string): boolean {
  try {
    const found = lstatSync(folder);
    return found.isDirectory() && isPrivate(found);
  } catch {
    return false; // The folder is missing.
  }
}

function isPrivate({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean {
  const user = process.getuid?.();
  return user === undefined || (uid === user && (mode & 0o077) === 0);
}

async function readWindow(path: string): Promise<WindowEntry | undefined> {
  const described = descriptionIn(path);
  if (!described || !isOurs(described.socket)) {
    return undefined;
  }
  const error = await connecting(described.socket);
  const isBarred = forbidding.has(error);
  return error === undefined || isBarred
    ? { ...described, id: basename(path, '.json'), ...(isBarred && { barredBy: error }) }
    : undefined;
}

/** Reads a file that only our user can write. Empty for any other file. @throws for a link. */
function readPrivate(path: string): string {
  // Opening a named pipe must not wait for its other end. A link must not lead out of the folder.
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const found = fstatSync(file);
    return found.isFile() && isPrivate(found) ? readFileSync(file, 'utf8') : '';
  } finally {
    closeSync(file);
  }
}

function descriptionIn(path: string): WindowDescription | undefined {
  let read: unknown;
  try {
    read = JSON.parse(readPrivate(path));
  } catch {
    return undefined;
  }
  const described = Object(read);
  const { socket, nonce, folders, focusedAt, name, grants } = described;
  const isComplete =
    [socket, nonce, name].every(isText) &&
    areTexts(folders) &&
    folders.every(isAbsolute) &&
    typeof focusedAt === 'number' &&
    (grants === undefined || areTexts(grants));
  return isComplete ? described : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function areTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
}

/**
 * Whether only our own user can listen at a socket. The file of a dead window may name a path at
 * which another user listens now.
 */
function isOurs(socket: string): boolean {
  if (process.platform === 'win32') {
    return socket.startsWith('\\\\.\\pipe\\');
  }
  return isAbsolute(socket) && isPrivateFolder(dirname(socket));
}

/**
 * The longest time to connect, in milliseconds. If nobody listens, the call fails at once. Only a
 * named pipe of Windows makes callers wait, while its window is busy with other clients.
 */
const connectTime = 500;

/** Errors of a sandbox that forbids files and sockets. A missing file or socket gives others. */
const forbidding: ReadonlySet<string | undefined> = new Set([
  'EACCES',
  'EPERM',
  'ENOSYS',
  'EAFNOSUPPORT',
  'EPROTONOSUPPORT',
]);

/** Connects to a socket. Resolves with the error's code, or `undefined` if somebody listens. */
function connecting(path: string): Promise<string | undefined> {
  const socket = connect(path);
  return new Promise(resolve => {
    const settle = (code?: string) => {
      socket.destroy();
      resolve(code);
    };
    socket
      .on('connect', () => settle())
      .on('error', (error: NodeJS.ErrnoException) => settle(error.code ?? 'EIO'))
      .setTimeout(connectTime, () => settle());
  });
}
