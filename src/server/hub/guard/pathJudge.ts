import { climbs } from '../../../domain/guard/pathStart.ts';
import { startsWithVariable } from '../../../domain/guard/rewriting.ts';
import { variantsOf } from '../../../domain/guard/variants.ts';
import { parsePath } from '../../../domain/paths/pathInput.ts';
import { isFileUri } from '../../../domain/paths/pathUri.ts';
import { globRuling } from './globRuling.ts';
import { type Judgement, type JudgeParts, rewritable } from './judgement.ts';
import { kernelPath } from './kernelPath.ts';

/**
 * Judges what is a path: it has to be inside as it is written, and so has everything that a program
 * could make of it by trimming, decoding or expanding.
 */
export function judgePath(parts: JudgeParts, text: string): Judgement {
  const plain = judgeSpelling(parts, text);
  if (!plain.ok) {
    return plain;
  }
  const variants = allVariants(parts, text);
  const isPlain =
    variants?.every(variant => judgeSpelling(parts, variant).ok) &&
    !startsWithVariable(text) &&
    !/`|\$\(/.test(text);
  return isPlain ? plain : { ok: false, canonical: plain.real, reason: rewritable };
}

function allVariants({ scope }: JudgeParts, text: string): readonly string[] | undefined {
  // The escapes of a URI are decoded already in the path that it stands for.
  const parsed = isFileUri(text) ? parsePath(text, scope.platform) : undefined;
  return variantsOf(parsed?.ok ? parsed.path : text, scope.platform);
}

/** Judges a path as it is written, from every folder that it may start in. */
function judgeSpelling(parts: JudgeParts, text: string): Judgement {
  const { scope, bases } = parts;
  const given = scope.platform === 'win32' ? withoutWildcards(text) : text;
  const isWhole = scope.platform === 'win32' ? /^(?:file:|[a-z]:)/i : /^(?:\/|file:)/i;
  // Such a path is the same from every folder.
  const starts = isWhole.test(text) ? bases.slice(0, 1) : bases;
  let first: Judgement | undefined;
  for (const base of starts.length > 0 ? starts : [undefined]) {
    const parsed = parsePath(given, scope.platform, base);
    const judgement: Judgement = parsed.ok
      ? judgeFrom(parts, base, text, parsed.path)
      : { ok: false, canonical: undefined, reason: parsed.reason };
    if (!judgement.ok) {
      return judgement;
    }
    first ??= judgement;
  }
  return first ?? { ok: false, canonical: undefined, reason: '' };
}

/** Windows does not allow the signs of globs in names, which is no reason to refuse a glob. */
function withoutWildcards(text: string): string {
  return /^[\\/]{2}[?.]|^[\\/]\?\?|^file:/i.test(text) ? text : text.replace(/[*?]/g, 'x');
}

function judgeFrom(
  parts: JudgeParts,
  base: string | undefined,
  text: string,
  path: string,
): Judgement {
  const judgement = judgeReal(parts, text, path);
  const kernel = judgement.ok ? otherForKernel(parts, base, text, path) : undefined;
  const forKernel = kernel === undefined ? judgement : judgeReal(parts, text, kernel);
  return forKernel.ok ? judgement : forKernel;
}

/** Where the kernel goes with a path, when that is not where the path leads as it is written. */
function otherForKernel(
  { scope }: JudgeParts,
  base: string | undefined,
  text: string,
  path: string,
): string | undefined {
  if (scope.platform === 'win32' || !climbs(text) || isFileUri(text)) {
    return undefined;
  }
  const kernel = kernelPath(text.startsWith('/') ? text : `${base ?? ''}/${text}`);
  return kernel === path ? undefined : kernel;
}

/** Judges an absolute path by what it says and by where it leads. */
function judgeReal({ rules, scope, locate }: JudgeParts, text: string, path: string): Judgement {
  const root = scope.find(path);
  if (!root) {
    return { ok: false, canonical: path, reason: '' };
  }
  const ruling = globRuling(rules, path, root, scope.platform);
  if (ruling !== undefined) {
    return { ok: false, canonical: path, reason: ruling };
  }
  const located = locate(scope, path, text);
  if (!located.ok) {
    return { ok: false, canonical: path, reason: '' };
  }
  const { real, root: realRoot } = located.value;
  const realRuling = globRuling(rules, real, realRoot, scope.platform);
  return realRuling === undefined
    ? { ok: true, real }
    : { ok: false, canonical: real, reason: realRuling };
}
