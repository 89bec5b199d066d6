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

/** What went well, or why it did not. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | Refusal;

/** The one answer for everything outside, whether it exists, is a link or is a secret. */
export function outside(input: string, scope: PathScope): Refusal {
  const roots = scope.roots.slice(0, 5).map(root => quotePath(root.announced));
  const more = scope.roots.length > 5 ? ` and ${scope.roots.length - 5} more (see get-roots)` : '';
  const hint =
    roots.length > 0
      ? `It can reach what is in ${roots.join(', ')}${more}, and links there that stay in them.`
      : 'No folder is shared with it now, or none that can be used: see get-roots.';
  const message = `${quotePath(input)} is outside the folders shared with this server. ${hint}`;
  return { ok: false, kind: 'outside', message };
}

export function invalid(input: unknown, reason: string): Refusal {
  const shown = quotePath(typeof input === 'string' ? input : (JSON.stringify(input) ?? ''));
  return { ok: false, kind: 'invalid', message: `${shown} cannot be used as a path. ${reason}` };
}

export function missing(input: string): Refusal {
  const message = `${quotePath(input)} does not exist. List its folder to see what does.`;
  return { ok: false, kind: 'missing', message };
}

export function unusable(input: string, reason: string): Refusal {
  return { ok: false, kind: 'unusable', message: `${quotePath(input)} cannot be used. ${reason}` };
}
