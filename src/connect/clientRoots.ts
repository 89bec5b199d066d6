import type { Json, MessageId } from './messages.ts';

/** Asks a client for its roots, which may say which window it means. */
export function rootsQuestion(id: MessageId): object {
  return { id, method: 'roots/list' };
}

/** The URIs of the roots that a client answered; none: it did not say. */
export function rootsIn(result: Json | undefined): string[] {
  const { roots } = Object(result);
  return Array.isArray(roots) ? roots.map(root => String(Object(root).uri)) : [];
}
