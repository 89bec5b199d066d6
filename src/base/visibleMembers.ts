import type { DroppedBytes } from './lineReader.ts';

const text = '"(?:[^"\\\\]|\\\\.)*"';
const member = `\\s*${text}\\s*:\\s*(?:${text}|[-+.\\deE]+|true|false|null)\\s*`;

/**
 * The members of a JSON-RPC message too long to read that its first and last bytes show for certain: the
 * scalar ones before and after all others, and of the first other one the name, with `null`.
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
