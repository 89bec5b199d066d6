import { cut, printable } from '../../domain/printable.ts';
import type { ServerConnection } from '../../mcp/connection.ts';

/** Where a server says something of itself, if it does. */
type SelfDescribed = Pick<ServerConnection, 'serverInfo' | 'instructions'>;

/** In characters. */
const longest = { title: 100, instructionsInOneLine: 300, instructions: 4000 };

/** Each text printable and in one line; of long instructions the beginning. */
export function inOneLine(said: SelfDescribed | undefined) {
  return described(said, text => line(cut(text, longest.instructionsInOneLine)));
}

/** The same with all lines of the instructions, and more of them than anybody should write. */
export function atLength(said: SelfDescribed | undefined) {
  return described(said, text =>
    cut(text, longest.instructions)
      .split(/\r\n|\r|\n/)
      .map(one => printable(one.replace(/\s/g, ' ').trimEnd()))
      .join('\n'),
  );
}

function described(
  said: SelfDescribed | undefined,
  shown: (instructions: string) => string,
) {
  const { serverInfo: { title = '' } = {}, instructions = '' } = said ?? {};
  const [name, text] = [line(cut(title.trim(), longest.title)), shown(instructions.trim())];
  return { title: name || undefined, instructions: text || undefined };
}

function line(text: string): string {
  return printable(text.replace(/\s+/g, ' '));
}
