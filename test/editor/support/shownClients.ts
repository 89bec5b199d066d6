import type { ClientSession } from '../../../src/extension/gateway/clientSession.ts';
import type { ClientRow } from '../../../src/extension/rows.ts';
import type { Server } from '../../../src/extension/servers/server.ts';
import { clientItem } from '../../../src/extension/views/clientItem.ts';

/**
 * The sessions of a server's clients as the extension has them, the oldest first, from now on: nothing that a test
 * can reach shows them, so that they are taken where the extension keeps them.
 */
export function sessionsOf(server: Server): {
  readonly all: readonly ClientSession[];
  leave(): void;
} {
  const all: ClientSession[] = [];
  const { set } = Map.prototype;
  Map.prototype.set = function (key, value) {
    if (value === server && typeof key.leave === 'function' && !key.isDiscovery) {
      all.push(key);
    }
    return set.call(this, key, value);
  };
  return {
    all,
    leave: () => {
      Map.prototype.set = set;
    },
  };
}

/** The row of a client. */
export function clientRow(server: Server, session: ClientSession, isAllowed?: boolean): ClientRow {
  const { name } = session.client;
  const client = { server, name, isAllowed, hiddenTools: new Set<string>(), session };
  return { kind: 'client', server, client };
}

/** The text of a row. */
export function textsOf({ client }: ClientRow): readonly [string, string, string] {
  const { contextValue, label, description } = clientItem(client);
  return [String(contextValue), String(label), String(description)];
}
