import { printable, readableLines } from './printable.ts';

declare const isFit: unique symbol;

/**
 * Text that is safe to show: our own words, or words from outside (of a server, client, file or
 * workspace) that went through {@link shown}.
 */
export type Shown = string & { readonly [isFit]: true };

/**
 * Words from outside in a form that a person may see: without invisible characters, and without
 * anything that an editor turns into a link or an icon. A second call changes nothing.
 *
 * VS Code makes a link of `[words](command:id)` in messages and input boxes, and an icon of
 * `$(name)` in most places. Both need the bracket directly after `]` or `$`. VS Code knows no other
 * markup there.
 */
export function shown(text: string): Shown {
  return readableLines(text).replace(/(?<=\]|\$)(?=\()/g, ' ') as Shown;
}

/** {@link shown} for one line: a name, a path. */
export function shownLine(text: string): Shown {
  return shown(printable(text));
}

/** The text after one of the editor's icons. */
export function withIcon(icon: string, text: string): Shown {
  return `$(${icon}) ${shown(text)}` as Shown;
}

/**
 * How many milliseconds something must be on screen before a click or a key counts: a second, and
 * the time to draw. The second click of a double click and typed text come earlier.
 */
export const seenFor = 1100;
