import type { HttpStart } from './http/httpStart.ts';
import { HttpTransport } from './http/httpTransport.ts';
import type { KnownSecrets } from './knownSecrets.ts';
import type { ProcessOwner } from './stdio/processOwner.ts';
import { type ProcessStart, ServerProcess } from './stdio/serverProcess.ts';
import { StdioTransport } from './stdio/stdioTransport.ts';
import type { ConnectionTimes } from './times.ts';
import type { Wire } from './wire.ts';

/** The other end of a connection: a process to start, or a server that runs already. */
export type Target = ProcessStart | HttpStart;

/** Returns a wire to a server. A process starts at once. HTTP begins with the first message. */
export function openWire(
  target: Target,
  owner: ProcessOwner,
  secrets: KnownSecrets,
  times: ConnectionTimes,
): Wire {
  return 'url' in target
    ? new HttpTransport(target, secrets, times)
    : new StdioTransport(new ServerProcess(target, owner), times.stop);
}
