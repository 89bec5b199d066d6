import type { Rule } from './asked.ts';

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

/** Handshakes and lists need no consent: they describe a server and use nothing of it. */
export const handshakeAndLists: Rule = ({ method, params }) => {
  if (freeMethods.has(method)) {
    // A request that answers a server's question uses the server.
    const isAnswer = Object.keys(params).some(key =>
      /^(?:inputResponses|requestState)$/iu.test(key),
    );
    return isAnswer ? undefined : { kind: 'free' };
  }
  // A modern client subscribes to changes of lists this way. (2026-07-28, basic/utilities.)
  const { _meta, notifications, ...others } = params;
  const isOfLists = Object.keys(Object(notifications)).every(kind => kind.endsWith('ListChanged'));
  const isFree = method === 'subscriptions/listen' && isOfLists && Object.keys(others).length === 0;
  return isFree ? { kind: 'free' } : undefined;
};
