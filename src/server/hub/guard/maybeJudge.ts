import { lstatSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { climbs } from '../../../domain/guard/pathStart.ts';
import { variantsOf } from '../../../domain/guard/variants.ts';
import { globRuling } from './globRuling.ts';
import { type Judgement, type JudgeParts, rewritable } from './judgement.ts';
import { kernelPath } from './kernelPath.ts';

/** Judges what may be a relative path or something else altogether: refused only when it leads out. */
export function judgeMaybe(parts: JudgeParts, text: string): Judgement {
  const written = judgeWritten(parts, text);
  if (!written.ok || text.length > longestPath) {
    return written;
  }
  for (const form of new Set([text, text.replaceAll('\\', '/')])) {
    for (const base of parts.bases) {
      const path = resolveFrom(parts, base, form);
      if (parts.scope.find(path) && !staysOnDisk(parts, base, form, path)) {
        return { ok: false, canonical: path, reason: '' };
      }
    }
  }
  return written;
}

/** Judges a text that is a relative path only for a program that takes everything for one. */
export function judgeWritten(parts: JudgeParts, text: string): Judgement {
  // A relative path leads out as it is written only by climbing.
  if (text.indexOf('.') === text.lastIndexOf('.') && !text.includes('%')) {
    return { ok: true, real: undefined };
  }
  const { scope } = parts;
  const variants = text.length <= longestPath ? variantsOf(text, scope.platform) : [];
  for (const form of [text, ...(variants ?? [])].filter(climbs)) {
    const outside = outsideFor(parts, form);
    if (outside !== undefined) {
      return { ok: false, canonical: outside, reason: form === text ? '' : rewritable };
    }
  }
  return { ok: true, real: undefined };
}

/** What is longer than any system can open may still be shortened by a program before. */
const longestPath = 4095;

function outsideFor(parts: JudgeParts, text: string): string | undefined {
  const bases = parts.bases.length > 0 ? parts.bases : ['/'];
  return bases
    .map(base => resolveFrom(parts, base, text))
    .find(path => parts.scope.find(path) === undefined);
}

/** The dot makes it relative, whatever it begins with. */
function resolveFrom({ scope }: JudgeParts, base: string, text: string): string {
  return (scope.platform === 'win32' ? win32 : posix).resolve(base, `./${text}`);
}

function staysOnDisk(parts: JudgeParts, base: string, text: string, path: string): boolean {
  const { scope, locate } = parts;
  if (isDenied(parts, text, path)) {
    return false;
  }
  if (!climbs(text)) {
    return (
      !exists(resolveFrom(parts, base, firstName(text))) || isInside(locate(scope, path, text))
    );
  }
  const kernel = scope.platform === 'win32' ? path : kernelPath(`${base}/${text}`);
  return [path, kernel].every(one => one !== undefined && isInside(locate(scope, one, text)));
}

/** In prose a file may be named that may not be used. */
function isDenied({ rules, scope }: JudgeParts, text: string, path: string): boolean {
  const root = /\s/.test(text) ? undefined : scope.find(path);
  const ruling = root && globRuling({ ...rules, allow: [] }, path, root, scope.platform);
  return ruling !== undefined;
}

function isInside(located: ReturnType<JudgeParts['locate']>): boolean {
  return located.ok || located.kind !== 'outside';
}

/** Where this is missing, no link can lead the path anywhere else. */
function firstName(text: string): string {
  return text.split(/[\\/]/, 50).find(name => name !== '' && name !== '.') ?? '';
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // It can be no path at all, or lies where nothing can be looked at.
    return false;
  }
}
