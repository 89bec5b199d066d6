import type { PathScope } from '../../domain/paths/pathScope.ts';
import { quotePath } from '../../domain/printable.ts';

/**
 * Why a path is not served.
 *
 * `outside`: it is not in the roots, and nothing is said about whether it exists. `invalid`: it
 * can be no path. `missing`: it is in the roots, and nothing is there. `unusable`: it is in the
 * roots, and what is there can't be used this way.
 */
export interface Refusal {
  readonly ok: false;
  readonly kind: 'outside' | 'invalid' | 'missing' | 'unusable';
  /** Finished sentences that say what was wrong and what to do. */
  readonly message: string;
}

/** A value, or the reason that there is none. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | Refusal;

/** The one answer for everything outside, whether it exists, is a link or is a secret. */
export function outside(input: string, scope: PathScope): Refusal {
  const roots = rootsInWords(scope);
  const hint =
    roots !== ''
      ? `It can reach what is in ${roots}, and links there that stay in them.`
      : 'No folder is shared with it now, or none that can be used: see get-roots.';
  const message = `${quotePath(input)} is outside the folders shared with this server. ${hint}`;
  return { ok: false, kind: 'outside', message };
}

/** The first roots that are in place, and how many come after them; empty when there is none. */
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

export function missing(input: string): Refusal {
  const message = `${quotePath(input)} does not exist. List its folder to see what does.`;
  return { ok: false, kind: 'missing', message };
}

/** The reasons of the system that are about no path, by its codes. */
export const tooManyFiles: Readonly<Record<string, string>> = {
  EMFILE: 'This server has too many files open (EMFILE): try again.',
  ENFILE: 'Too many files are open on this machine (ENFILE): close some, and try again.',
};

export const diskFailed = 'The disk failed (EIO): look at it, or at the connection to it.';

/** The reason that nothing is done with a path on it. */
export const silentDisk = 'The disk that it lies on does not answer. It is asked again.';

export function unusable(input: string, reason: string): Refusal {
  return { ok: false, kind: 'unusable', message: `${quotePath(input)} cannot be used. ${reason}` };
}
