import { closeSync, fstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { codeOf } from '../../base/messageOf.ts';
import type { PathScope } from '../../domain/paths/pathScope.ts';
import type { RootFolder } from '../roots/rootFolders.ts';
import { type Located, locate } from './locate.ts';
import { type Pin, type PinnedFolder, pinFor, readingPinFor } from './pins.ts';
import { isInProc, whyNotProc } from './procFiles.ts';
import {
  missing,
  notRegular,
  type Outcome,
  outside,
  type Refusal,
  tooManyFiles,
  unusable,
} from './refusal.ts';

/** A regular file in a root. The receiver reads from `fd`, never from `path`, and closes `fd`. */
export interface OpenedFile {
  readonly fd: number;
  readonly path: string;
  readonly stats: Stats;
}

/** A folder in a root. Reach its entries by `at`, never by `path`. */
export interface OpenedFolder extends Pick<PinnedFolder, 'at'> {
  readonly path: string;
  readonly root: RootFolder;
}

/**
 * Opens a regular file for reading, if the opened file lies in a root.
 *
 * Opens nothing outside, even if the path changes meanwhile. Three checks ensure this: of the path
 * as written (before any file call), of the resolved path, and of the opened file. Synchronous.
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
    return unusable(input, 'The file cannot be opened. Check its permissions, or try again.');
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
 * Runs `work`, which must be synchronous, with an open folder, if that folder lies in a root.
 * A system error in `work` becomes a refusal.
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

/** The refusal of a folder that did not open. If the path leads to a file, the refusal says so. */
function notListed(scope: PathScope<RootFolder>, input: string): Refusal {
  const file = openFileInside(scope, input);
  if (!file.ok) {
    return unusable(input, 'The folder cannot be listed. Check its permissions, or try again.');
  }
  closeSync(file.value.fd);
  return notAFolder(input);
}

function notAFolder(input: string): Refusal {
  return unusable(input, 'The path is not a folder: use read-file.');
}

function locateExisting(scope: PathScope<RootFolder>, input: string): Outcome<string> {
  const found = locate(scope, input);
  if (!found.ok) {
    return found;
  }
  const { exists, real } = found.value;
  return exists ? { ok: true, value: real } : notThere(scope, input, found.value);
}

/** Refuses a missing path. Suggests a name in other letter case or Unicode form. */
export function notThere(
  scope: PathScope<RootFolder>,
  input: string,
  { there, real }: Pick<Located, 'there' | 'real'>,
): Refusal {
  const folded = (name?: string) => name?.normalize('NFKC').toLowerCase();
  const wanted = folded(relative(there, real).split(sep)[0]);
  const names = inFolderInside(scope, there, ({ at }) => readdirSync(at('.')));
  return missing(input, names.ok ? names.value.find(name => folded(name) === wanted) : undefined);
}

function notAFile(input: string, stats: Stats): Refusal {
  if (stats.isFile()) {
    return unusable(input, whyNotProc);
  }
  return stats.isDirectory()
    ? unusable(input, 'The path is a folder: use list-directory.')
    : unusable(input, notRegular);
}

/**
 * Returns the result of `work`, or `undefined` if the system refuses. Drops the system's message,
 * because nobody knows yet whether it describes a file outside.
 * @throws bugs, and the errors in {@link tooManyFiles}, which concern no path.
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
