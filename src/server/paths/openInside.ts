import { closeSync, fstatSync, type Stats, statSync } from 'node:fs';
import { codeOf } from '../../base/messageOf.ts';
import type { PathScope } from '../../domain/paths/pathScope.ts';
import type { RootFolder } from '../roots/rootFolders.ts';
import { locate } from './locate.ts';
import { type Pin, type PinnedFolder, pinFor, readingPinFor } from './pins.ts';
import { isInProc, whyNotProc } from './procFiles.ts';
import { missing, type Outcome, outside, type Refusal, tooManyFiles, unusable } from './refusal.ts';

/** A regular file in a root. Read from `fd`, never from `path`; the receiver closes it. */
export interface OpenedFile {
  readonly fd: number;
  readonly path: string;
  readonly stats: Stats;
}

/** A folder in a root. Entries are reached by `at`, never by `path`. */
export interface OpenedFolder extends Pick<PinnedFolder, 'at'> {
  readonly path: string;
  readonly root: RootFolder;
}

/**
 * Opens a regular file for reading, if what is opened lies in a root.
 *
 * Nothing outside is ever read, whatever happens to the path meanwhile: it is checked as written
 * (before any file call), as it resolves, and as what was really opened. Synchronous.
 */
export function openFileInside(
  scope: PathScope<RootFolder>,
  input: string,
  pin: Pin = pinFor(scope.platform),
): Outcome<OpenedFile> {
  const found = locateExisting(scope, input);
  if (!found.ok) {
    return found;
  }
  const opened = attempt(() => pin.openFile(found.value));
  if (!opened) {
    return unusable(input, 'This server may not open it, its disk fails, or it is changing.');
  }
  const { fd, where: path } = opened;
  const root = scope.findReal(path);
  const stats = fstatSync(fd);
  if (root && stats.isFile() && !isInProc(`/proc/self/fd/${fd}`, stats)) {
    return { ok: true, value: { fd, path, stats } };
  }
  closeSync(fd);
  return root ? notAFile(input, stats) : outside(input, scope);
}

/**
 * Runs `work`, which must be synchronous, with an opened folder, if that lies in a root.
 * Nothing outside is ever listed; what the system refuses to `work` is a refusal too.
 */
export function inFolderInside<T>(
  scope: PathScope<RootFolder>,
  input: string,
  work: (folder: OpenedFolder) => T,
  pin: Pin = readingPinFor(scope.platform),
): Outcome<T> {
  const found = locateExisting(scope, input);
  if (!found.ok) {
    return found;
  }
  const run = ({ where: path, at }: PinnedFolder): Outcome<T> => {
    const root = scope.findReal(path);
    if (!root) {
      return outside(input, scope);
    }
    if (!attempt(() => statSync(at('.')).isDirectory())) {
      return notAFolder(input);
    }
    return { ok: true, value: work({ path, root, at }) };
  };
  return attempt(() => pin.inFolder(found.value, run)) ?? notListed(scope, input);
}

/** Some ways to open a folder fail at a file: whether that is the reason, and a file in a root. */
function notListed(scope: PathScope<RootFolder>, input: string): Refusal {
  const file = openFileInside(scope, input);
  if (!file.ok) {
    return unusable(
      input,
      'It is no folder that this server may list, its disk fails, or it is changing.',
    );
  }
  closeSync(file.value.fd);
  return notAFolder(input);
}

function notAFolder(input: string): Refusal {
  return unusable(input, 'It is not a folder: use read-file.');
}

function locateExisting(scope: PathScope<RootFolder>, input: string): Outcome<string> {
  const found = locate(scope, input);
  if (!found.ok) {
    return found;
  }
  return found.value.exists ? { ok: true, value: found.value.real } : missing(input);
}

function notAFile(input: string, stats: Stats): Refusal {
  if (stats.isFile()) {
    return unusable(input, whyNotProc);
  }
  return stats.isDirectory()
    ? unusable(input, 'It is a folder: use list-directory.')
    : unusable(input, 'It is no regular file, but a pipe, a socket or a device.');
}

/**
 * The result of `work`, or `undefined` when the system refuses it. The system's own words are kept
 * back: until it is known what was opened, they may be about something outside.
 * @throws what is about no path: see `runCall`.
 */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    const code = codeOf(error);
    if (code !== undefined && !Object.hasOwn(tooManyFiles, code)) {
      return undefined;
    }
    throw error;
  }
}
