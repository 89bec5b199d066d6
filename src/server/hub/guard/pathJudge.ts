import { climbs } from '../../../domain/guard/pathStart.ts';
import { startsWithVariable } from '../../../domain/guard/variables.ts';
import { variantsOfPath } from '../../../domain/guard/variants.ts';
import { parsePath } from '../../../domain/paths/pathInput.ts';
import { isFileUri } from '../../../domain/paths/pathUri.ts';
import { globRuling } from './globRuling.ts';
import { type Judgement, type Judging, rewritable } from './judgement.ts';
import { kernelPath } from './kernelPath.ts';
import { hasWildcards, refusedMatch } from './wildcards.ts';

/**
 * Judges what is a path: it has to be inside as it is written, and so has everything that a program
 * could make of it by trimming, decoding or expanding.
 */
export function judgePath(judging: Judging, text: string): Judgement {
  const plain = judgeSpelling(judging, text);
  if (!plain.ok) {
    return plain;
  }
  const variants = allVariants(judging, text);
  const isPlain =
    variants?.every(variant => judgeSpelling(judging, variant).ok) &&
    !startsWithVariable(text) &&
    !/`|\$\(/.test(text);
  if (!isPlain) {
    return { ok: false, canonical: plain.real, reason: rewritable };
  }
  const match = hasWildcards(text) ? matchFrom(judging, text) : undefined;
  return match === undefined ? plain : { ok: false, canonical: match, reason: '' };
}

function matchFrom(judging: Judging, text: string): string | undefined {
  for (const base of judging.bases) {
    const match = refusedMatch(judging, { base, text, opensLast: true });
    if (match !== undefined) {
      return match;
    }
  }
  return undefined;
}

function allVariants({ scope }: Judging, text: string): readonly string[] | undefined {
  // The escapes of a URI are decoded already in the path that it stands for.
  const parsed = isFileUri(text) ? parsePath(text, scope.platform) : undefined;
  return variantsOfPath(parsed?.ok ? parsed.path : text, scope.platform);
}

/** Judges a path as it is written, from every folder that it may start in. */
function judgeSpelling(judging: Judging, text: string): Judgement {
  const { scope, bases } = judging;
  const given = scope.platform === 'win32' ? withoutWildcards(text) : withoutScheme(text);
  const isWhole = scope.platform === 'win32' ? /^(?:file:|[a-z]:)/i : /^(?:\/|file:)/i;
  // Such a path is the same from every folder.
  const starts = isWhole.test(text) ? bases.slice(0, 1) : bases;
  let first: Judgement | undefined;
  for (const base of starts.length > 0 ? starts : [undefined]) {
    const parsed = parsePath(given, scope.platform, base);
    const judgement: Judgement = parsed.ok
      ? judgeFrom(judging, base, text, parsed.path)
      : { ok: false, canonical: undefined, reason: parsed.reason };
    if (!judgement.ok) {
      return judgement;
    }
    first ??= judgement;
  }
  return first ?? { ok: false, canonical: undefined, reason: '' };
}

/** A place in a file is written like a URI: `Makefile:12`. */
function withoutScheme(text: string): string {
  return /^[\w.+-]+(?::\d+){1,2}$/.test(text) ? `./${text}` : text;
}

/** Windows does not allow the signs of globs in names, which is no reason to refuse a glob. */
function withoutWildcards(text: string): string {
  return /^[\\/]{2}[?.]|^[\\/]\?\?|^file:/i.test(text) ? text : text.replace(/[*?]/g, 'x');
}

function judgeFrom(
  judging: Judging,
  base: string | undefined,
  text: string,
  path: string,
): Judgement {
  const judgement = judgeReal(judging, text, path);
  if (!judgement.ok || judging.scope.platform === 'win32' || !climbs(text) || isFileUri(text)) {
    return judgement;
  }
  const whole = text.startsWith('/') ? text : `${base ?? ''}/${text}`;
  const kernel = kernelPath(whole, judging.budget);
  if (kernel === undefined) {
    return { ok: false, canonical: path, reason: unfollowed };
  }
  const forKernel = kernel === path ? judgement : judgeReal(judging, text, kernel);
  return forKernel.ok ? judgement : forKernel;
}

const unfollowed = 'It goes up too often to be followed: write the plain path.';

/** Judges an absolute path by what it says and by where it leads. */
function judgeReal({ rules, scope, locate }: Judging, text: string, path: string): Judgement {
  if (!scope.find(path)) {
    return { ok: false, canonical: path, reason: '' };
  }
  const ruling = globRuling(rules, path, scope);
  if (ruling !== undefined) {
    return { ok: false, canonical: path, reason: ruling };
  }
  const located = locate(scope, path, text);
  if (!located.ok) {
    return { ok: false, canonical: path, reason: '' };
  }
  const { real } = located.value;
  const realRuling = globRuling(rules, real, scope);
  return realRuling === undefined
    ? { ok: true, real }
    : { ok: false, canonical: real, reason: realRuling };
}
