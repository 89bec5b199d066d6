import { printable, readableLines } from './printable.ts';

declare const isFit: unique symbol;

/**
 * Text that is fit for the screen: our own words, or words from outside (of a server, client, file or
 * workspace) that went through {@link shown}.
 */
export type Shown = string & { readonly [isFit]: true };

/**
 * Words from outside as a person may see them: nothing that can't be seen, and nothing that an editor
 * makes a link or an icon of. Shown already, a text stays as it is.
 *
 * VS Code has a link for `[words](command:id)` in messages and input boxes, and an icon for `$(name)`
 * in most places; both only without a space in that place, and no other text of theirs is markup.
 */
export function shown(text: string): Shown {
  return readableLines(text).replace(/(?<=\]|\$)(?=\()/g, ' ') as Shown;
}

/** The same of what is one line: a name, a path. */
export function shownLine(text: string): Shown {
  return shown(printable(text));
}

/** The text after one of the editor's icons. */
export function withIcon(icon: string, text: string): Shown {
  return `$(${icon}) ${shown(text)}` as Shown;
}

/**
 * A click or a key counts for what the person has seen for so long, in milliseconds: a second, and the
 * time to draw it. The second click of a double click comes before that, and so does what is being typed.
 */
export const seenFor = 1100;
