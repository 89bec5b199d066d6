import type { TestContext } from 'node:test';
import type { ServerConnection } from '../../src/mcp/connection.ts';
import type { ConnectionState } from '../../src/mcp/link.ts';
import { Supervisor } from '../../src/mcp/supervisor.ts';
import { atEnd } from './processes.ts';

/** Has a connection started again as the product does: all is real, and only time is not. */
export function supervised(
  t: TestContext,
  connection: ServerConnection,
  start: () => Promise<ConnectionState>,
) {
  const restarts: Promise<ConnectionState>[] = [];
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 });
  const supervisor = new Supervisor(() => restarts.push(start()));
  supervisor.watch(connection);
  atEnd(t, () => supervisor.dispose());
  const pass = async (milliseconds: number) => {
    t.mock.timers.tick(milliseconds);
    await Promise.all(restarts);
  };
  return { supervisor, restarts, pass };
}
