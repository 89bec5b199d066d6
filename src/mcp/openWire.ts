import type { HttpStart } from './http/httpStart.ts';
import { HttpTransport } from './http/httpTransport.ts';
import type { KnownSecrets } from './knownSecrets.ts';
import type { ProcessOwner } from './stdio/processOwner.ts';
import { type ProcessStart, ServerProcess } from './stdio/serverProcess.ts';
import { StdioTransport } from './stdio/stdioTransport.ts';
import type { ConnectionTimes } from './times.ts';
import type { Wire } from './wire.ts';

/** What a connection leads to: a process it starts, or a server that is there already. */
export type Target = ProcessStart | HttpStart;

/** What a wire is opened with. */
interface WireParts {
  /** Of the process, if one is started. */
  readonly owner: ProcessOwner;
  readonly secrets: KnownSecrets;
  readonly times: ConnectionTimes;
}

/** The wire to a server. A process is started by this, a server over HTTP is reached with the first message. */
export function openWire(target: Target, { owner, secrets, times }: WireParts): Wire {
  return 'url' in target
    ? new HttpTransport(target, secrets, times)
    : new StdioTransport(new ServerProcess(target, owner), times.stop);
}
