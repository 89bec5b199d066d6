import type { PathPlatform } from '../paths/pathNames.ts';
import { isEncodedData } from './encodedData.ts';
import type { Found } from './foundPath.ts';
import { misreadPath, pathOfLocalUri } from './localUri.ts';
import { climbs, isUrl, startsAsPath } from './pathStart.ts';
import { findInPart, findInParts, findMaybe, isPlainName } from './pathsInParts.ts';
import { isRemoteScheme } from './remoteSchemes.ts';
import { bestFit, decoded, stripped, withoutBraces } from './rewriting.ts';

/** How a text is looked at. */
export interface TextLook {
  readonly platform: PathPlatform;
  /** Whether it may be prose: nothing of it counts then, unless it is a single word. */
  readonly isProse: boolean;
}

/** Finds what of a text under a name that says nothing is a path, or may be one. */
export function findInText(text: string, look: TextLook, found: Found): void {
  if (isPlainName.test(text)) {
    if (!look.isProse) {
      found('name', text);
    }
    return;
  }
  if (!mayHoldPath.test(text) || isEncodedData(text)) {
    return;
  }
  const core = stripped(text);
  if (isUrl(core)) {
    findInUrl(core, look, found);
    return;
  }
  const misread = misreadPath(core);
  if (misread !== undefined) {
    found('path', misread);
  }
  const local = isFile.test(core) ? undefined : pathOfLocalUri(core);
  if (local !== undefined) {
    found('path', local);
  }
  for (const form of formsOf(core, look.platform)) {
    findInForm(form, text, look, found);
  }
}

/** What has a scheme of its own may be a path behind it, for a program that takes the scheme off. */
function findInUrl(url: string, { platform, isProse }: TextLook, found: Found): void {
  found('url', url);
  const [, scheme = '', place = ''] = ownUri.exec(url) ?? [];
  if (!isRemoteScheme(scheme)) {
    for (const form of formsOf(place, platform)) {
      findInPart(form, platform, found);
    }
  }
  if (!isProse) {
    // It may be the first line of a list, which ends where prose begins.
    const [list = ''] = url.split(/[^\S\r\n]/, 1);
    for (const line of list.split(/[\r\n]+/).slice(1)) {
      findInPart(line, platform, found);
    }
  }
}

/** What slashes stand before is a path by itself, but for `:memory:`. */
const ownUri = /^([^:]+):\/\/(?:[\\/]+(?=:memory:))?([^?#]*)/;

const mayHoldPath =
  /[/\\~%$@:=,;!\xa5\u2024\u2044\u20a9\u2215\u2216\u29f5\uff01-\uff5e]|\.\.|^\s*\S{1,255}\s*$/;
const isFile = /^file:/i;

function formsOf(core: string, platform: PathPlatform): Iterable<string> {
  if (platform !== 'win32' && !/[%{]/.test(core)) {
    return [core];
  }
  const fitted = bestFit(core, platform);
  // What a file: URI stands for is decoded where it is judged.
  if (!core.includes('%') || isFile.test(core)) {
    return new Set([core, fitted].flatMap(one => withoutBracesIn(one, platform)));
  }
  const once = decoded(fitted);
  const forms = [core, fitted, stripped(once), stripped(decoded(once))];
  return new Set(forms.flatMap(one => withoutBracesIn(one, platform)));
}

/**
 * A shell expands the braces of words only. But on Windows, what begins with a backslash is none of
 * its words under such a name, but a regular expression (`\d{2,3}`) or a formula.
 */
function withoutBracesIn(text: string, platform: PathPlatform): readonly string[] {
  const isWord = !/\s/.test(text) && (platform === 'win32' || !text.startsWith('\\'));
  return text.includes('{') && isWord ? [text, ...withoutBraces(text)] : [text];
}

function findInForm(form: string, text: string, look: TextLook, found: Found): void {
  const { platform, isProse } = look;
  const blankAt = form.search(/\s/);
  const isWord = blankAt < 0;
  if (!isWord && (isProse || (isComment.test(form) && !climbs(form)))) {
    return;
  }
  if (startsAsPath(form, platform)) {
    found('path', text);
    found('path', form);
    findInParts(form, platform, form.length, found);
    return;
  }
  if (isWord ? !isProse || /[\\/]|\.\./.test(form) : /[\\/]|\.\./.test(form)) {
    findMaybe(form, found);
  }
  // Behind a blank a sign between parts is one of prose.
  const blank = isWord ? -1 : form.search(/[^\S\r\n]/);
  findInParts(form, platform, blank < 0 ? form.length : blank, found);
}

/** As in `// this` and in C. */
const isComment = /^\/(?:\/|\*{1,2})\s+[^\s/]/;
