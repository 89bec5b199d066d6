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

/** The file of a window, by which connectors find it. */
export interface WindowDescription {
  /** The path of its socket, or the name of its pipe. */
  readonly socket: string;
  /** Shows its gateway that a connector could read this. */
  readonly nonce: string;
  /** The real paths of its workspace folders. */
  readonly folders: readonly string[];
  /** When it was last in front, in milliseconds since 1970. */
  readonly focusedAt: number;
  readonly name: string;
  /** The clients, by the names that they give themselves, that were allowed something in it. */
  readonly grants?: readonly string[];
}

/** A window that is open. */
export interface WindowEntry extends WindowDescription {
  /** Names its file, and is what `MCP_ROOTS_WINDOW` holds in its terminals. */
  readonly id: string;
  /** The error with which the system keeps this program from connecting to it. */
  readonly barredBy?: string;
}

/** Why the files of windows can't be read, though they may be there. */
export interface Unseen {
  readonly kind: 'hidden' | 'forbidden';
  /** The system's error. */
  readonly code?: string;
}

/** The folder with the files of a user's windows. */
export function windowsFolder(home: string): string {
  return join(home, '.mcp-roots', 'windows');
}

/**
 * The windows that are open, in the order of their ids. Read is only what the user alone can have
 * written: everything else is passed over, and nothing is removed.
 */
export async function readWindows(folder: string): Promise<WindowEntry[]> {
  if (!isPrivateFolder(folder)) {
    return [];
  }
  // Not by `node:fs/promises`, which takes 1 MB of each connector.
  const names = namesIn(folder)
    .filter(name => name.endsWith('.json'))
    .sort();
  const windows = await Promise.all(names.map(name => readWindow(join(folder, name))));
  return windows.filter(window => window !== undefined);
}

/**
 * Why this program would not see a window that is open. A sandbox hides what it keeps its program from,
 * or answers with an error; `undefined`: neither is so.
 *
 * @param isNamed whether the program was told of a window, which has left its folder in the home.
 * @param shown paths that such a sandbox has in it.
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
  // A home that was hidden has nothing but the way to what is shown in it. An empty one may be new.
  const isShown = (path: string) => shown.some(one => `${one}${sep}`.startsWith(`${path}${sep}`));
  const names = namesIn(home);
  const isBare = names.length > 0 && names.every(name => isShown(join(home, name)));
  return isNamed || isBare ? { kind: 'hidden' } : undefined;
}

/** None, where there is no such folder or it can't be read. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * The real path of a folder that is given as a path or as a `file:` URI. One that is not there stays
 * as it is written; `undefined`: the URI names no file.
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

/** Whether nobody but our own user can put a file there. Windows keeps others out of the profile. */
function isPrivateFolder(folder: string): boolean {
  try {
    const found = lstatSync(folder);
    return found.isDirectory() && isPrivate(found);
  } catch {
    return false; // It is not there.
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
  const isBarred = error !== undefined && forbidding.has(error);
  return error === undefined || isBarred
    ? { ...described, id: basename(path, '.json'), ...(isBarred && { barredBy: error }) }
    : undefined;
}

/** The text of a file of our own; none for a pipe. @throws for a link. */
function readPrivate(path: string): string {
  // Opening a pipe must not wait for its other end, nor a link lead out of the folder.
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
 * Whether only our own user can listen at a socket. The file of a window that died may name one that
 * another user has made since.
 */
function isOurs(socket: string): boolean {
  if (process.platform === 'win32') {
    return socket.startsWith('\\\\.\\pipe\\');
  }
  return isAbsolute(socket) && isPrivateFolder(dirname(socket));
}

/**
 * Long for a connection that never leaves the machine, in milliseconds. Where nobody listens, the system says
 * so at once; it only waits for a pipe of Windows whose window is busy with others.
 */
const connectTime = 500;

/** Errors by which a sandbox forbids files and sockets. Missing ones give others. */
const forbidding: ReadonlySet<string> = new Set([
  'EACCES',
  'EPERM',
  'ENOSYS',
  'EAFNOSUPPORT',
  'EPROTONOSUPPORT',
]);

/** Settles with `undefined` when somebody listens there, else with the code of the error. */
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
