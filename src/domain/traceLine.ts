import { jsonLine } from './printable.ts';
import { isSecretName } from './secrets/secretNames.ts';

/** The way of a message, seen from the client. */
export type Direction = 'to-server' | 'from-server';

const longestText = 200;
/** Deeper than any message that is meant to be read; a server may nest without end. */
const deepest = 32;

const sealedResult = 'structuredContent';

/** Words of the names under which tools carry the contents of files. */
const payloadWords = new Set(
  'text blob data content contents body line lines patch diff value code script string'.split(' '),
);

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
    return isShown(name, value) ? value : `‹${value.length} characters›`;
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

function isShown(name: string, value: string): boolean {
  if (value.length > longestText || isSecretName(name)) {
    return false;
  }
  // A tool may carry contents under any name here, so only a path or a file's URI is shown.
  return name === sealedResult
    ? /^(?:file:\/\/|\/|[a-z]:[\\/])[^\n]*$/i.test(value)
    : !wordsOf(name).some(word => payloadWords.has(word));
}

/** A tool's own result may hold contents under any name, and so may a secret its parts. */
function isSealed(name: string): boolean {
  return name === sealedResult || isSecretName(name);
}

/** `io.modelcontextprotocol/oldText` has the words `old` and `text`. */
function wordsOf(name: string): string[] {
  const own = name.slice(name.lastIndexOf('/') + 1);
  return own.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map(word => word.toLowerCase());
}
