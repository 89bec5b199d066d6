import { Debounce } from '../../base/debounce.ts';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { runsContainers } from '../../domain/servers/fetchingPrograms.ts';
import { reportFailure } from '../registerCommand.ts';
import { settings } from '../settings.ts';
import type * as vscode from '../vscode.ts';
import type { Server } from './server.ts';
import type { Servers } from './servers.ts';

/** Of all windows: the hint was answered. */
const key = 'sandboxHintAnswered';
/** A window is idle when nothing happened to its servers for so long. */
const idle = { quiet: 10_000, longest: 60_000 };

/**
 * Finds when to say, once in a window that is idle, that servers of the user's which run could be kept
 * in their folders by the system. An answer is the last word on it, in all windows.
 */
export class SandboxHint implements IDisposable {
  private readonly servers: Pick<Servers, 'all' | 'onDidChange'>;
  private readonly memory: Pick<vscode.Memento, 'get' | 'update'>;
  private readonly store = new DisposableStore();
  private isOver = false;

  /** @param show shows the hint, if there is reason to, and resolves to whether it was answered. */
  constructor(
    servers: Pick<Servers, 'all' | 'onDidChange'>,
    show: (servers: readonly Server[]) => Promise<boolean>,
    memory: Pick<vscode.Memento, 'get' | 'update'>,
    logger: Logger,
    times = idle,
  ) {
    this.servers = servers;
    this.memory = memory;
    const hint = async () => {
      const { unkept } = this;
      if (unkept.length > 0) {
        this.isOver = true;
        await ((await show(unkept)) && memory.update(key, true));
      }
    };
    const soon = this.store.add(new Debounce(() => void reportFailure(logger, hint), times));
    this.store.add(servers.onDidChange(() => this.unkept.length > 0 && soon.request()));
  }

  dispose(): void {
    this.store.dispose();
  }

  /** The servers to tell of. Who wants no sandbox for our own server has decided on them already. */
  private get unkept(): readonly Server[] {
    const isKnown = this.isOver || this.memory.get(key) === true || !settings.isBundledSandboxed;
    return isKnown ? [] : this.servers.all.filter(isUnkept);
  }
}

/** Whether a server of the user's runs without a sandbox, could have one, and was not refused one. */
function isUnkept({ definition, state }: Server): boolean {
  const { id, from, launch, sandbox } = definition;
  return (
    state.kind === 'running' &&
    from === 'user' &&
    launch.type === 'stdio' &&
    !runsContainers(launch.command) &&
    sandbox === undefined &&
    !settings.isSandboxOff(id)
  );
}
