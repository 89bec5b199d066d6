import { type Message, type RawSession, rootOf } from './bundledServer.ts';

/** The template that the bundled server offers for everything it shares. */
export const uriTemplate = 'file:///{+path}';

/** Sends a request and waits for its answer. */
export function ask(
  session: RawSession,
  id: number,
  method: string,
  params: object = {},
): Promise<Message> {
  session.send({ id, method, params });
  return session.answerTo(id);
}

/** The answer to `resources/read`. */
export function readResource(session: RawSession, uri: string): Promise<Message> {
  return ask(session, 2, 'resources/read', { uri });
}

/** The answer to `completion/complete` when this much of a path was typed. */
export function completePath(session: RawSession, value: string): Promise<Message> {
  const ref = { type: 'ref/resource', uri: uriTemplate };
  return ask(session, 3, 'completion/complete', { ref, argument: { name: 'path', value } });
}

/** The values that a completion offers; none where it was refused. */
export function valuesIn({ result }: Message): readonly string[] {
  return ((result?.['completion'] ?? {}) as { readonly values?: readonly string[] }).values ?? [];
}

/** What the template takes for a path. */
export function variableOf(path: string): string {
  return decodeURIComponent(rootOf(path).uri.slice('file:///'.length));
}

/** A completion that offers these values, and knows of no more. */
export function completionOf(values: readonly string[]): object {
  return { values, total: values.length, hasMore: false };
}
