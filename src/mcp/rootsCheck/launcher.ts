import type { Implementation } from '@modelcontextprotocol/client';
import type { Root } from '../../domain/roots.ts';
import type { ProtocolChoice } from '../../domain/servers/serverDefinition.ts';
import { type ConnectionState, ServerConnection } from '../connection.ts';
import type { Target } from '../openWire.ts';
import type { ProcessOwner } from '../stdio/processOwner.ts';
import type { ConnectionTimes } from '../times.ts';

/** Who connects to the server that is checked, and in which revision. */
export interface Launch {
  readonly clientInfo: Implementation;
  readonly owner: ProcessOwner;
  readonly protocol: ProtocolChoice;
  /** Gets each connection that the check makes, before it is used. */
  readonly follow: (connection: ServerConnection) => void;
}

/** Starts the server of a check as often as it takes, one at a time, and ends it when that is aborted. */
export class Launcher {
  private readonly launch: Launch;
  private readonly times: ConnectionTimes;
  private readonly signal: AbortSignal;
  private connection: ServerConnection | undefined;

  /** @param signal ends what runs, and keeps everything else from starting. */
  constructor(launch: Launch, times: ConnectionTimes, signal: AbortSignal) {
    this.launch = launch;
    this.times = times;
    this.signal = signal;
  }

  /** A connection to be started here; the one before it must be stopped. */
  newConnection(): ServerConnection {
    const { clientInfo, owner } = this.launch;
    const connection = new ServerConnection(clientInfo, owner, this.times);
    this.connection = connection;
    this.launch.follow(connection);
    return connection;
  }

  /** Settles in the state that the start leads to, and never rejects. */
  async start(
    connection: ServerConnection,
    target: Target,
    roots: readonly Root[] | undefined,
  ): Promise<ConnectionState> {
    if (this.signal.aborted) {
      return connection.state;
    }
    // A start that is called off may take its time to settle when nothing is left of it already.
    const calledOff = new Promise<ConnectionState>(resolve => {
      const stop = () => void connection.stop().then(() => resolve(connection.state));
      this.signal.addEventListener('abort', stop, { once: true });
    });
    return Promise.race([connection.start(target, roots, this.launch.protocol), calledOff]);
  }

  /** Ends the server. Settles when nothing is left of it. */
  async stop(): Promise<void> {
    await this.connection?.stop();
  }

  /** Kills the server at once. */
  kill(): void {
    this.connection?.kill();
  }
}
