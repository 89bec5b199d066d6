import { jsonLine } from './printable.ts';
import { isSecretName } from './serverIdentity.ts';

/** Which way a message went, seen from the client. */
export type Direction = 'to-server' | 'from-server';

const longestText = 200;

/** The names under which results and arguments of tools carry the contents of files. */
const payloadName = /text|blob|data|content|body/i;

/**
 * A JSON-RPC message as one line for a log: whole in structure, but without what tools carry
 * (file contents) and without values whose name says that they are secret.
 */
export function traceLine(direction: Direction, message: unknown): string {
  return `${direction === 'to-server' ? '→' : '←'} ${jsonLine(redacted(message))}`;
}

function redacted(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.length > longestText ? hidden(value) : value;
  }
  if (Array.isArray(value)) {
    return value.map(redacted);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, redactedMember(name, inner)]),
  );
}

function redactedMember(name: string, value: unknown): unknown {
  if (typeof value === 'string' && (payloadName.test(name) || isSecretName(name))) {
    return hidden(value);
  }
  return name === 'structuredContent' ? withoutStrings(value) : redacted(value);
}

/** A tool's own result may hold contents under any name. */
function withoutStrings(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, inner) => (typeof inner === 'string' ? hidden(inner) : inner)),
  );
}

function hidden(value: string): string {
  return `‹${value.length} characters›`;
}
