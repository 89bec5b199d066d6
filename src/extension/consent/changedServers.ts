import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { startStep, startsByItself } from '../../domain/consent/access.ts';
import type { CandidateFolders } from '../folders/candidateFolders.ts';
import { bundledServerId } from '../servers/bundledServer.ts';
import type { Server } from '../servers/server.ts';
import type { Replacement, Servers } from '../servers/servers.ts';
import type { Consent } from './consent.ts';

/** What going on with changed servers needs. */
export interface ChangedServersContext {
  readonly servers: Servers;
  readonly folders: CandidateFolders;
  readonly consent: Consent;
  readonly logger: Logger;
}

/**
 * Starts servers anew whose definition changed while they ran, as soon as nothing of what they were
 * is left. What they are now needs consent: given before, or asked for.
 */
export class ChangedServers implements IDisposable {
  private readonly context: ChangedServersContext;
  private readonly store = new DisposableStore();
  /** The ids of servers that are to run again. Their definition may change once more meanwhile. */
  private readonly wanted = new Set<string>();

  constructor(context: ChangedServersContext) {
    this.context = context;
    this.store.add(context.servers.onDidReplace(replacement => this.note(replacement)));
  }

  dispose(): void {
    this.store.dispose();
  }

  private note({ server, wasLive, ended }: Replacement): void {
    const { id } = server.definition;
    if (wasLive || this.wanted.has(id)) {
      this.wanted.add(id);
      ended.then(() => this.goOn(server)).catch(error => this.context.logger.error(error));
    }
  }

  private async goOn(server: Server): Promise<void> {
    await this.context.folders.refresh();
    if (!server.isRetired && needsQuestion(server)) {
      await this.context.consent.askBeforeStart(server);
    }
    // Else its own successor is on its way here.
    if (!server.isRetired) {
      this.wanted.delete(server.definition.id);
      if (startsByItself(server.access, server.isLaunchAllowed)) {
        await server.start('by-itself');
      }
    }
  }
}

/**
 * The bundled server changes by a switch, which is flipped on purpose and once. What is typed into
 * the settings, a command with its arguments, may be half of it: nobody is asked about every half.
 */
function needsQuestion({ definition, access, isLaunchAllowed }: Server): boolean {
  const isBundled = definition.id === bundledServerId;
  return (
    isBundled &&
    !startsByItself(access, isLaunchAllowed) &&
    startStep(access, isLaunchAllowed) === 'ask'
  );
}
