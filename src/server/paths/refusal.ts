import type { PathScope } from '../../domain/paths/pathScope.ts';
import { quotePath } from '../../domain/printable.ts';

/**
 * Why a path is not served.
 *
 * `outside`: the path is not in the roots. The message does not reveal whether the path exists.
 * `invalid`: the input is not a valid path. `missing`: the path is in the roots, and nothing is
 * there. `unusable`: the path is in the roots, and the entry there can't be used this way.
 */
export interface Refusal {
  readonly ok: false;
  readonly kind: 'outside' | 'invalid' | 'missing' | 'unusable';
  /** Finished sentences that say what was wrong and what to do. */
  readonly message: string;
}

/** A value, or a refusal. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | Refusal;

/** The refusal of a path outside. All such paths get this answer, whether they exist or not. */
export function outside(input: string, scope: PathScope): Refusal {
  const roots = rootsInWords(scope);
  const hint =
    roots !== ''
      ? `The server can reach everything in ${roots}, and follows links that stay inside.`
      : noneShared;
  const message = `${quotePath(input)} is outside the folders shared with this server. ${hint}`;
  return { ok: false, kind: 'outside', message };
}

const noneShared = 'No usable folder is shared with this server now: see get-roots.';

/** The first roots that give access, and how many more there are. Empty: no root gives access. */
function rootsInWords(scope: PathScope): string {
  const first = scope.inPlace(5);
  const [last] = first.slice(4);
  const more = last ? scope.roots.length - 1 - scope.roots.indexOf(last) : 0;
  const shown = first.map(root => quotePath(root.announced)).join(', ');
  return more > 0 ? `${shown} and ${more} more (see get-roots)` : shown;
}

export function invalid(input: unknown, reason: string): Refusal {
  const shown = quotePath(typeof input === 'string' ? input : (JSON.stringify(input) ?? ''));
  return { ok: false, kind: 'invalid', message: `${shown} cannot be used as a path. ${reason}` };
}

/** @param alike a similar name in the same folder. */
export function missing(input: string, alike?: string): Refusal {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const shown = alike && JSON.stringify(alike).replace(/[^ -~]/g, escaped);
  const hint = shown
    ? `A similar name exists: ${shown} (written in JSON). Use this name.`
    : seeFolder;
  return { ok: false, kind: 'missing', message: `${quotePath(input)} does not exist. ${hint}` };
}

const seeFolder = 'List its folder to see what exists.';

/** The messages for system errors that concern no path, by code. */
export const tooManyFiles: Readonly<Record<string, string>> = {
  EMFILE: 'This server has too many files open (EMFILE): try again.',
  ENFILE: 'Too many files are open on this machine (ENFILE): close some programs, and try again.',
};

export const diskFailed = 'The disk failed (EIO): check the disk or its connection.';

/** The reason for refusing paths on a silent disk: see `Disks`. */
export const silentDisk = 'The disk does not answer. The server asks the disk again.';

export const isFolder = 'The path is a folder, not a file.';

export const notRegular = 'The path is a pipe, a socket or a device, not a regular file.';

export const notText = 'The file is not UTF-8 text (binary, or another encoding).';

export function unusable(input: string, reason: string): Refusal {
  return { ok: false, kind: 'unusable', message: `${quotePath(input)} cannot be used. ${reason}` };
}
