import { once } from 'node:events';
import { createServer } from 'node:net';

/** `wanted` when nothing on this machine listens there, else 0, which means any free port. */
export async function freePort(wanted: number): Promise<number> {
  const probe = createServer();
  try {
    await once(probe.listen(wanted, '127.0.0.1'), 'listening');
    return wanted;
  } catch {
    return 0;
  } finally {
    probe.close();
  }
}
