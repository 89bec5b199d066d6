import { jsonLine } from './printable.ts';
import { isSecretName } from './serverIdentity.ts';

/** Which way a message went, seen from the client. */
export type Direction = 'to-server' | 'from-server';

const longestText = 200;
/** Deeper than any message that is meant to be read; a server may nest without end. */
const deepest = 32;

/** The names, less their prefix (`io.modelcontextprotocol/`), under which tools carry the contents of files. */
const payloadName = /(?:text|blob|data|content|body|line|patch|diff|value|code|script)[^/]*$/i;

/**
 * A JSON-RPC message as one line for a log: whole in structure, but without what tools carry
 * (file contents) and without values whose name says that they are secret.
 */
export function traceLine(direction: Direction, message: unknown): string {
  return `${direction === 'to-server' ? '→' : '←'} ${jsonLine(redacted('', message, 0))}`;
}

/** The value of the member `name`. The items of a list go by the name of their list. */
function redacted(name: string, value: unknown, depth: number): unknown {
  if (typeof value === 'string') {
    return value.length > longestText || payloadName.test(name) || isSecretName(name)
      ? `‹${value.length} characters›`
      : value;
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if (depth === deepest) {
    return '…';
  }
  if (Array.isArray(value)) {
    return value.map(item => redacted(name, item, depth + 1));
  }
  return Object.fromEntries(
    Object.entries(value).map(([inner, member]) => [
      inner,
      redacted(isSealed(name) ? name : inner, member, depth + 1),
    ]),
  );
}

/** A tool's own result may hold contents under any name, and so may a secret its parts. */
function isSealed(name: string): boolean {
  return name === 'structuredContent' || isSecretName(name);
}
