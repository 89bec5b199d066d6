import { lstatSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { climbs } from '../../../domain/guard/pathStart.ts';
import { variantsOfText } from '../../../domain/guard/variants.ts';
import { isRuledOut } from './globRuling.ts';
import { type Judgement, type Judging, leadsOut, rewritable } from './judgement.ts';
import { kernelPath } from './kernelPath.ts';
import { hasWildcards, refusedMatch, type Wildcards } from './wildcards.ts';

/** Judges what may be a relative path or something else altogether: refused only when it leads out. */
export function judgeMaybe(judging: Judging, text: string, opensLast: boolean): Judgement {
  const written = judgeWritten(judging, text);
  if (!written.ok) {
    return written;
  }
  for (const base of judging.bases) {
    const path = leavesFrom(judging, { base, text, opensLast });
    if (path !== undefined) {
      return { ok: false, canonical: path, reason: '' };
    }
  }
  return written;
}

/** Where a relative path leads to that must not be used, by a link or by rule, if it starts in `base`. */
export function leavesFrom(judging: Judging, one: Wildcards): string | undefined {
  const { base, text } = one;
  if (text.length > longestPath) {
    return undefined;
  }
  for (const form of text.includes('\\') ? [text, text.replaceAll('\\', '/')] : [text]) {
    const path = resolveFrom(judging, base, form);
    if (judging.scope.find(path) && !staysOnDisk(judging, base, form, path)) {
      return path;
    }
  }
  return hasWildcards(text) && !/\s/.test(text) && !climbs(text)
    ? refusedMatch(judging, one)
    : undefined;
}

/** Judges a single name: it leads out only as a link, and may be ruled out. */
export function judgeName(judging: Judging, name: string): Judgement {
  for (const base of judging.bases) {
    const path = nameLeavesFrom(judging, base, name);
    if (path !== undefined) {
      return { ok: false, canonical: path, reason: '' };
    }
  }
  return { ok: true, real: undefined };
}

/** The same for a single name, which only a link can make lead out. */
export function nameLeavesFrom(judging: Judging, base: string, name: string): string | undefined {
  const path = `${base}${base.endsWith('/') ? '' : '/'}${name}`;
  const isRefused =
    (judging.links.has(base, name) && linkLeaves(judging, path, name)) ||
    (judging.rules.deny.length > 0 && isRuledOut(judging, resolveFrom(judging, base, name)));
  return isRefused ? path : undefined;
}

function linkLeaves(judging: Judging, path: string, name: string): boolean {
  const { scope, locate } = judging;
  const native = resolveFrom(judging, path, '.');
  const located = scope.find(native) ? locate(scope, native, name) : undefined;
  return located?.ok
    ? isRuledOut(judging, located.value.real)
    : located !== undefined && located.kind === 'outside';
}

/** Judges a text that is a relative path only for a program that takes everything for one. */
export function judgeWritten(judging: Judging, text: string): Judgement {
  // A relative path leads out as it is written only by climbing.
  if (text.indexOf('.') === text.lastIndexOf('.') && !text.includes('%')) {
    return { ok: true, real: undefined };
  }
  const { scope } = judging;
  const variants = text.length <= longestPath ? variantsOfText(text, scope.platform) : [];
  for (const form of [text, ...(variants ?? [])].filter(climbs)) {
    const outside = outsideFor(judging, form);
    if (outside !== undefined) {
      return { ok: false, canonical: outside, reason: form === text ? '' : rewritable };
    }
  }
  return { ok: true, real: undefined };
}

/** What is longer than any system can open may still be shortened by a program before. */
const longestPath = 4095;

function outsideFor(judging: Judging, text: string): string | undefined {
  const bases = judging.bases.length > 0 ? judging.bases : ['/'];
  return bases
    .map(base => resolveFrom(judging, base, text))
    .find(path => judging.scope.find(path) === undefined);
}

/** The dot makes it relative, whatever it begins with. */
function resolveFrom({ scope }: Judging, base: string, text: string): string {
  return (scope.platform === 'win32' ? win32 : posix).resolve(base, `./${text}`);
}

function staysOnDisk(judging: Judging, base: string, text: string, path: string): boolean {
  // In prose a file may be named that may not be used.
  if (!/\s/.test(text) && isRuledOut(judging, path)) {
    return false;
  }
  if (!climbs(text)) {
    return (
      !exists(judging, resolveFrom(judging, base, firstName(text))) ||
      !leadsOut(judging, path, text)
    );
  }
  const isWindows = judging.scope.platform === 'win32';
  const kernel = isWindows ? path : kernelPath(`${base}/${text}`, judging.budget);
  return [path, kernel].every(one => one !== undefined && !leadsOut(judging, one, text));
}

/** Where this is missing, no link can lead the path anywhere else. */
function firstName(text: string): string {
  return text.split(/[\\/]/, 50).find(name => name !== '' && name !== '.') ?? '';
}

function exists({ budget }: Judging, path: string): boolean {
  if (!budget.spend(1)) {
    return true;
  }
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // It can be no path at all, or lies where nothing can be looked at.
    return false;
  }
}
