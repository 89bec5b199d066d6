import { cut, jsonLine } from './printable.ts';

/** The direction in which a message goes, as the client sees it. */
export type Direction = 'to-server' | 'from-server';

/** What the log shows of these keys. `opened`: members. `named`: values. `others`: only sizes. */
const opened = 'params result error inputResponses roots'.split(' ');
const named =
  `jsonrpc id method code level action resultType protocolVersion requestId progressToken
  progress total isError ttlMs`.split(/\s+/);
const others = `_meta arguments capabilities clientInfo completion content contents cursor data
  description inputRequests instructions logger message messages model name nextCursor prompts reason
  requestState requestedSchema resources resourceTemplates role serverInfo structuredContent
  supportedVersions tools uri`.split(/\s+/);
const known = new Set([...opened, ...named, ...others]);

/**
 * A JSON-RPC message as one line for a log: the protocol's own keys, names and numbers, and the
 * roots. Other values may come from a file or a variable, so the log has only their size.
 */
export function traceLine(direction: Direction, message: unknown): string {
  return `${direction === 'to-server' ? '→' : '←'} ${jsonLine(shown('result', message, 0))}`;
}

/** The value of the member `key`. A server may nest values endlessly, so the depth is limited. */
function shown(key: string, value: unknown, depth: number): unknown {
  if (value instanceof Object && opened.includes(key) && depth < 8) {
    return Array.isArray(value)
      ? value.map(item => shown(key, item, depth + 1))
      : Object.fromEntries(
          Object.entries(value).map(([inner, member]) => [
            known.has(inner) ? inner : sizeOf(inner),
            // The roots need not be hidden, because the activity log has them, too.
            key === 'roots' && typeof member === 'string' && /^(?:uri|name)$/.test(inner)
              ? cut(member, 200)
              : shown(inner, member, depth + 1),
          ]),
        );
  }
  const isName = !(value instanceof Object) && /^[\w./-]{1,64}$/.test(String(value));
  return isName && named.includes(key) ? value : sizeOf(value);
}

function sizeOf(value: unknown): string {
  const size = typeof value === 'string' ? `${value.length} characters` : typeof value;
  return `‹${value instanceof Object ? `${Object.keys(value).length} members` : size}›`;
}
