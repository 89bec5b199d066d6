import { jsonIn } from '../../base/jsonIn.ts';
import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import type { FromToolCall } from '../../pages/pageMessages.ts';

/** Reads a message from the page of a tool or a question; `undefined`: the message is invalid. */
export function readToolCall(message: unknown): FromToolCall | undefined {
  const { kind, args, id, action, content, uri } = Object(message) as JsonObject;
  switch (kind) {
    case 'call':
      return isObjectText(args) ? { kind, args } : undefined;
    case 'cancel':
    case 'copy':
      return { kind };
    case 'answer': {
      const isAction = action === 'accept' || action === 'decline';
      return typeof id === 'number' && isAction && isObjectText(content)
        ? { kind, id, action, content }
        : undefined;
    }
    case 'openResource':
      return typeof uri === 'string' ? { kind, uri } : undefined;
    case 'save':
      return typeof content === 'number' ? { kind, content } : undefined;
    default:
      return undefined;
  }
}

function isObjectText(value: unknown): value is string {
  return typeof value === 'string' && isJsonObject(jsonIn(value));
}
