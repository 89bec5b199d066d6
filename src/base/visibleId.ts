import { jsonIn } from './jsonIn.ts';
import type { DroppedBytes } from './lineReader.ts';

const own = '"jsonrpc"\\s*:\\s*"2\\.0"|"id"\\s*:\\s*(?:"(?:[^"\\\\]|\\\\.)*"|-?\\d+)';
const opening = new RegExp(`^\\s*\\{\\s*((?:(?:${own})\\s*,\\s*)*)"(method|result|error)"`);
const closing = new RegExp(`((?:,\\s*(?:${own})\\s*)*)\\}\\s*$`);

/**
 * Returns the id of a dropped JSON-RPC message, and whether the message is a response. Reads only
 * the first and last bytes: serializers write the id beside `"jsonrpc"`, before or after all other
 * keys. `undefined`: the message has another form, or is incomplete.
 */
export function visibleId({ head, tail }: DroppedBytes) {
  const [, first, kind] = opening.exec(head.toString()) ?? [];
  const [, last] = closing.exec(tail.toString()) ?? [];
  const { jsonrpc, id } = Object(jsonIn(`{${first}"":0${last}}`));
  return kind && jsonrpc && id !== undefined
    ? { id: id as string | number, isResponse: kind !== 'method' }
    : undefined;
}
