import { DisposableStore } from '../../base/disposable.ts';
import { inEnglish, type Sentence } from '../../domain/sentence.ts';
import type { RootsCheck, RootsCheckOutcome } from '../../mcp/rootsCheck/rootsCheck.ts';
import type { Logs } from '../logs.ts';
import { loadClient, type OwnerIn } from './loadClient.ts';
import type { Server, ServerContext } from './server.ts';
import { ServerLog } from './serverLog.ts';

/** Shows a check to the user who waits for it, and lets that user cancel it. */
export interface CheckWatch {
  readonly onStep: (step: Sentence) => void;
  /** Calls `cancel` when the user cancels. */
  readonly onDidCancel: (cancel: () => void) => void;
}

/** Checks what servers do with roots. A check's processes and folders end with it, or with the window. */
export class RootsChecks {
  private readonly clientInfo: ServerContext['clientInfo'];
  private readonly owner: OwnerIn;
  private readonly logs: Logs;
  private readonly running = new Map<RootsCheck, Promise<RootsCheckOutcome>>();
  private isOver = false;

  constructor({ clientInfo, owner }: Pick<ServerContext, 'clientInfo' | 'owner'>, logs: Logs) {
    this.clientInfo = clientInfo;
    this.owner = owner;
    this.logs = logs;
  }

  /**
   * Checks a server in a process of its own, which is told of throw-away folders only. Those are not
   * the user's, so they are no exposure; the server's own log says what was done.
   *
   * @param isSandboxed whether it is started in a sandbox: its own, or one that leaves nothing open
   * but the network.
   * @throws {HumanError} when there is a reason not to start it.
   */
  async run(
    server: Server,
    isSandboxed: boolean,
    { onStep, onDidCancel }: CheckWatch,
  ): Promise<RootsCheckOutcome> {
    const bundle = await loadClient();
    if (this.isOver) {
      return { kind: 'cancelled' };
    }
    const { definition } = server;
    const following = new DisposableStore();
    const log = new ServerLog(() => this.logs.forServer(definition));
    const check = new bundle.RootsCheck({
      clientInfo: this.clientInfo,
      owner: this.owner(bundle),
      target: (roots, later) => {
        const { sandboxIfAny, ...other } = definition;
        const terms = other.sandbox ?? sandboxIfAny ?? { read: [], write: [], network: true };
        const sandbox = isSandboxed ? { ...terms, write: [...terms.write, later] } : undefined;
        const { signal } = new AbortController();
        return server.target(roots, 'by-hand', signal, { ...other, sandbox });
      },
      protocol: definition.protocol,
      follow: connection => void following.add(log.follow(connection)),
    });
    check.onDidStep(step => {
      this.logs.forServer(definition).info(`Checking its roots support: ${inEnglish(step)}`);
      onStep(step);
    });
    onDidCancel(() => check.cancel());
    const outcome = check.run().finally(() => {
      this.running.delete(check);
      following.dispose();
    });
    this.running.set(check, outcome);
    const { kind } = await outcome;
    this.logs.forServer(definition).info(`Checking its roots support: ${kind}`);
    return outcome;
  }

  /** Ends all checks, for good. Settles when nothing of them is left. */
  async endAll(): Promise<void> {
    this.isOver = true;
    for (const check of this.running.keys()) {
      check.cancel();
    }
    await Promise.allSettled(this.running.values());
  }

  /** Kills what the checks started and removes their folders, at once. */
  killAll(): void {
    this.isOver = true;
    for (const check of this.running.keys()) {
      check.kill();
    }
  }
}
