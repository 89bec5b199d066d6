import { DisposableStore } from '../../base/disposable.ts';
import type { SandboxTerms } from '../../domain/sandbox/sandboxTerms.ts';
import type { RootsCheck, RootsCheckOutcome } from '../../mcp/rootsCheck/rootsCheck.ts';
import type { Logs } from '../logs.ts';
import type { CancellationToken } from '../vscode.ts';
import { loadClient } from './loadClient.ts';
import type { Server, ServerContext } from './server.ts';
import { ServerLog } from './serverLog.ts';

/** Checks what servers do with roots. A check's processes and folders end with it, or with the window. */
export class RootsChecks {
  private readonly context: Pick<ServerContext, 'clientInfo' | 'owner'>;
  private readonly logs: Logs;
  private readonly running = new Map<RootsCheck, Promise<RootsCheckOutcome>>();
  private isOver = false;

  constructor(context: Pick<ServerContext, 'clientInfo' | 'owner'>, logs: Logs) {
    this.context = context;
    this.logs = logs;
  }

  /**
   * Checks a server in a process of its own, started as its definition says and told of throw-away
   * folders only. Those are not the user's, so they are no exposure; the server's own log says what
   * was done.
   *
   * @throws {HumanError} when there is a reason not to start it.
   */
  async run(server: Server, token: CancellationToken): Promise<RootsCheckOutcome> {
    const bundle = await loadClient();
    if (this.isOver) {
      return { kind: 'cancelled' };
    }
    const { definition } = server;
    const following = new DisposableStore();
    const channel = this.logs.forServer(definition);
    channel.info('Checking its roots support.');
    const log = new ServerLog(() => channel);
    const check = new bundle.RootsCheck({
      clientInfo: this.context.clientInfo,
      owner: this.context.owner(bundle),
      target: (roots, later) => {
        const shown = (terms: SandboxTerms) => ({ ...terms, write: [...terms.write, later] });
        const { sandbox, sandboxIfAny } = definition;
        return server.target(roots, 'by-hand', new AbortController().signal, {
          ...definition,
          sandbox: sandbox && shown(sandbox),
          ...(sandboxIfAny && { sandboxIfAny: shown(sandboxIfAny) }),
        });
      },
      protocol: definition.protocol,
      follow: connection => void following.add(log.follow(connection)),
    });
    following.add(token.onCancellationRequested(() => check.cancel()));
    const outcome = check.run().finally(() => {
      this.running.delete(check);
      following.dispose();
    });
    this.running.set(check, outcome);
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
