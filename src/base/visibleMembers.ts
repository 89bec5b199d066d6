import type { DroppedBytes } from './lineReader.ts';

const text = '"(?:[^"\\\\]|\\\\.)*"';
const member = `\\s*${text}\\s*:\\s*(?:${text}|[-+.\\deE]+|true|false|null)\\s*`;

/**
 * What can be told of a JSON-RPC message that was too long to read, mostly which request it is or
 * answers: the members that the first and last bytes show for certain. Those are the scalar members
 * before and after all others; of the first other one there is the name, with `null`.
 */
export function visibleMembers({ head, tail }: DroppedBytes): object {
  return { ...firstMembers(head.toString()), ...lastMembers(tail.toString()) };
}

function firstMembers(head: string): object {
  const start = new RegExp(`^\\ufeff?\\s*\\{((?:${member},)*)\\s*(?:(${text})\\s*:)?`);
  const [, members = '', next] = start.exec(head) ?? [];
  return object(next === undefined ? members.slice(0, -1) : `${members}${next}:null`);
}

/**
 * The last brace of a JSON text closes the outermost object, and as long as quotes come in pairs
 * before it, none of them is inside of a text: so nothing deeper is taken for these members.
 */
function lastMembers(tail: string): object {
  const end = new RegExp(`((?:,${member})+)\\}\\s*$`);
  const [, members = ''] = end.exec(tail) ?? [];
  return object(members.slice(1));
}

function object(members: string): object {
  try {
    return JSON.parse(`{${members}}`);
  } catch {
    return {}; // What looked like members is none, so nothing is certain.
  }
}
