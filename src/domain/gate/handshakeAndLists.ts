import type { Asked } from './asked.ts';

/** The requests whose answers are stored for times when the server is away. */
export const keptMethods: ReadonlySet<string> = new Set([
  ...['initialize', 'server/discover', 'tools/list', 'prompts/list'],
  ...['resources/list', 'resources/templates/list'],
]);

/** The requests that need no consent. Clients may send them before the handshake is over. */
export const freeMethods: ReadonlySet<string> = new Set([
  ...keptMethods,
  'ping',
  'logging/setLevel',
]);

/** Whether a request needs no consent. Handshakes and lists describe a server and use nothing of it. */
export function isFree({ method, params }: Pick<Asked, 'method' | 'params'>): boolean {
  if (freeMethods.has(method)) {
    // A request that answers a server's question uses the server.
    return !Object.keys(params).some(key => /^(?:inputResponses|requestState)$/iu.test(key));
  }
  // A modern client subscribes to changes of lists this way. (2026-07-28, basic/utilities.)
  const { _meta, notifications, ...others } = params;
  const isOfLists = Object.keys(Object(notifications)).every(kind => kind.endsWith('ListChanged'));
  return method === 'subscriptions/listen' && isOfLists && Object.keys(others).length === 0;
}
