import { mkdirSync, rmdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { quotePath } from '../../domain/printable.ts';
import type { Located } from '../paths/locate.ts';
import type { Outcome } from '../paths/refusal.ts';
import { refuseChange, refuseWhileChanging } from './reasons.ts';
import { findTarget } from './targets.ts';
import {
  type FileChange,
  inWritableFolder,
  lookAt,
  type WritableFolder,
} from './writableFolder.ts';

/** A folder that exists now. */
export interface MadeFolder {
  readonly path: string;
  /** The folders that were made, including this folder, outermost first. */
  readonly created: readonly string[];
}

/**
 * Makes the folder that a change names, and its missing parents, for `create-directory`. Succeeds
 * if the folder exists. Makes nothing outside the roots, and nothing named `.git` or `.vscode`.
 */
export function makeFolder(change: FileChange): Outcome<MadeFolder> {
  const target = findTarget(change);
  if (!target.ok) {
    return target;
  }
  const { root, real } = target.value;
  return real === root.real
    ? { ok: true, value: { path: real, created: [] } }
    : makeAt(change, target.value);
}

/** The most new folders of a call. Each check reads all folders above, while other calls wait. */
const mostNew = 100;

/**
 * Makes the folder at a located path, and its missing parents. Makes the folders from the top down, each
 * while its parent is open. So an attacker gains nothing by putting a link in a parent's place.
 */
export function makeAt(
  change: FileChange,
  { real, exists, there }: Omit<Located, 'root'>,
): Outcome<MadeFolder> {
  let path = exists ? dirname(real) : there;
  const missing = relative(path, real).split(sep);
  if (missing.length > mostNew) {
    const reason = `The path needs more than ${mostNew} new folders. Create some of the folders first.`;
    return refuseChange(change.input, reason);
  }
  const created: string[] = [];
  for (const name of missing) {
    const entry = { folder: path, name };
    const made = inWritableFolder(change, entry, folder => makeOne(change, folder, name));
    if (!made.ok) {
      return made;
    }
    path = made.value.path;
    created.push(...(made.value.isNew ? [path] : []));
  }
  return { ok: true, value: { path, created } };
}

function makeOne(
  change: FileChange,
  folder: WritableFolder,
  name: string,
): Outcome<{ readonly path: string; readonly isNew: boolean }> {
  const path = join(folder.path, name);
  const there = lookAt(folder.at(name));
  const value = { path, isNew: !there };
  if (!there) {
    const reason = folder.add(mkdirSync, rmdirSync);
    return reason === undefined ? { ok: true, value } : refuseChange(change.input, reason);
  }
  if (there.isSymbolicLink()) {
    return refuseWhileChanging(change.input);
  }
  return there.isDirectory()
    ? { ok: true, value }
    : refuseChange(change.input, `${quotePath(path)} exists already, and is not a folder.`);
}
