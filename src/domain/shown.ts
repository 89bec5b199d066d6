import { printable, readableLines } from './printable.ts';

declare const isFit: unique symbol;

/**
 * Text that is fit for the screen: our own words, or words from outside (of a server, client, file
 * or workspace) that went through {@link shown}.
 */
export type Shown = string & { readonly [isFit]: true };

/**
 * Words from outside in a form that a person may see: without invisible characters, and without
 * anything that an editor turns into a link or an icon. Applying it again changes nothing.
 *
 * VS Code makes a link of `[words](command:id)` in messages and input boxes, and an icon of
 * `$(name)` in most places; both need the bracket without a space before it. Nothing else is
 * markup.
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
 * How long something must be on screen before a click or a key counts, in milliseconds: a second,
 * and the time to draw. A double click's second click and text being typed come earlier.
 */
export const seenFor = 1100;
