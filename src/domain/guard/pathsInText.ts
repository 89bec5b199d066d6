import type { PathPlatform } from '../paths/pathNames.ts';
import type { Found } from './foundPath.ts';
import { isUrl, startsAsPath } from './pathStart.ts';
import { findInParts } from './pathsInParts.ts';
import { bestFit, decoded, stripped, withoutBraces } from './rewriting.ts';

/** How a text is looked at. */
export interface TextLook {
  readonly platform: PathPlatform;
  /** Whether it may be prose: only its beginning counts then, unless it is a single word. */
  readonly isProse: boolean;
}

/** Finds what of a text under a name that says nothing is a path, or may be one. */
export function findInText(text: string, look: TextLook, found: Found): void {
  if (!mayHoldPath.test(text)) {
    return;
  }
  const core = stripped(text);
  if (isUrl(core)) {
    found('url', core);
    return;
  }
  for (const form of formsOf(core, look.platform)) {
    findInForm(form, text, look, found);
  }
}

const mayHoldPath = /[/\\~%$@:\uff01-\uff5e]|\.\./;

function formsOf(core: string, platform: PathPlatform): ReadonlySet<string> {
  const fitted = bestFit(core, platform);
  // What a file: URI stands for is decoded where it is judged.
  if (!core.includes('%') || /^file:/i.test(core)) {
    return new Set([core, fitted].flatMap(withoutBracesIn));
  }
  const once = decoded(fitted);
  return new Set([core, fitted, stripped(once), stripped(decoded(once))].flatMap(withoutBracesIn));
}

/** A shell expands the braces of words only. */
function withoutBracesIn(text: string): readonly string[] {
  return text.includes('{') && !/\s/.test(text) ? [text, ...withoutBraces(text)] : [text];
}

function findInForm(form: string, text: string, look: TextLook, found: Found): void {
  const { platform, isProse } = look;
  if (startsAsPath(form, platform)) {
    found('path', text);
    found('path', form);
    findInParts(form, platform, form.length, found);
    return;
  }
  const isWord = !/\s/.test(form);
  if (isProse && !isWord) {
    return;
  }
  if (/[\\/]|\.\./.test(form)) {
    found('maybe', form);
  }
  // Behind a blank a sign between parts is one of prose.
  const blank = isWord ? -1 : form.search(/[^\S\r\n]/);
  findInParts(form, platform, blank < 0 ? form.length : blank, found);
}
