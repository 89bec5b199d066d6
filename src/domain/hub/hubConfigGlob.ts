import { expandBraces } from '../glob/braces.ts';
import { readGlobs } from '../glob/glob.ts';

/**
 * What is wrong with a glob that narrows the roots, to be read after its place; `undefined`: nothing.
 *
 * One that could match nothing is wrong, too: who wrote it would take a file for safe that is not.
 */
export function globProblem(text: string): string | undefined {
  if (/\$\{/.test(text)) {
    return elsewhere;
  }
  if (!readGlobs([text], 'entry-and-below').ok) {
    return noGlob;
  }
  // That they are not too many is known by now.
  const globs = expandBraces(text, Number.POSITIVE_INFINITY) ?? [];
  if (globs.some(isFromElsewhere)) {
    return elsewhere;
  }
  if (/\\(?![[\]{}!,-])/.test(text)) {
    return parting;
  }
  return globs.some(hasNoName) ? nothing : undefined;
}

const noGlob =
  'must be a glob below the roots, such as "src/**" or "**/.env": without "!" before it and "..", and with its braces and brackets closed.';
const elsewhere =
  'must begin at the roots, as "src/**", "/.env" and "**/.env" do: with no "~", drive, "file:" or variable.';
// The paths of Windows would match, if anything, a name with a backslash in it, which none has there.
const parting =
  'must have "/" between names. A "\\" is only for a bracket, a brace, "!", "," or "-" after it.';
const nothing = 'could match nothing: write one "/" between names, and no "." or ".." for one.';

function isFromElsewhere(glob: string): boolean {
  return /^(?:~(?:[\\/]|$)|[a-z]:[\\/]|file:)/i.test(glob);
}

function hasNoName(glob: string): boolean {
  const names = glob
    .replace(/^\.?\//, '')
    .replace(/\/$/, '')
    .split('/');
  return names.some(name => name === '' || name === '.' || name === '..');
}
