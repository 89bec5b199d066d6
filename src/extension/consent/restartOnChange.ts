import * as vscode from 'vscode';
import { Debounce } from '../../base/debounce.ts';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';

/** Folders that come together cost one restart. */
const burst = { quiet: 300, longest: 2000 };
const key = 'restartOnChange';

/** Whether servers are restarted when their folders change, by server id, as the user said. */
type Wishes = Readonly<Record<string, boolean | undefined>>;

/**
 * Restarts servers that get their roots as arguments or environment when they may see a new folder:
 * they learn of it in no other way. The user is asked once for each server, and may say never.
 * (What is taken away they lose at once and without a question: the server itself sees to that.)
 */
export class RestartOnChange implements IDisposable {
  private readonly servers: Servers;
  private readonly memory: vscode.Memento;
  private readonly logger: Logger;
  private readonly store = new DisposableStore();
  private readonly look = this.store.add(new Debounce(() => this.goThrough(), burst));
  /** What they could see when they were last asked about, so that one change is one question. */
  private readonly asked = new WeakMap<Server, string>();

  constructor(servers: Servers, memory: vscode.Memento, logger: Logger) {
    this.servers = servers;
    this.memory = memory;
    this.logger = logger;
    this.store.add(
      servers.onDidChange(server => {
        if (server?.needsRestart) {
          this.look.request();
        }
      }),
    );
  }

  dispose(): void {
    this.store.dispose();
  }

  private get wishes(): Wishes {
    return this.memory.get(key, {});
  }

  private goThrough(): void {
    for (const server of this.servers.all.filter(({ needsRestart }) => needsRestart)) {
      this.decide(server).catch(error => this.logger.error(error));
    }
  }

  private async decide(server: Server): Promise<void> {
    const { id } = server.definition;
    const wish = this.wishes[id] ?? (await this.ask(server));
    // The question may have stood there for hours.
    if (wish && server.needsRestart) {
      await server.restart('by-itself');
    }
  }

  /** `undefined`: nothing was said, or nothing has changed since that was so. */
  private async ask(server: Server): Promise<boolean | undefined> {
    const { id, label } = server.definition;
    const situation = JSON.stringify(server.access.roots);
    if (this.asked.get(server) === situation) {
      return undefined;
    }
    this.asked.set(server, situation);
    const always = vscode.l10n.t('Restart Whenever They Change');
    const never = vscode.l10n.t("Don't Restart by Itself");
    const question = vscode.l10n.t(
      '"{0}" gets its folders as arguments or environment, so it learns of a new one only by a restart.',
      label,
    );
    const button = await vscode.window.showInformationMessage(question, always, never);
    if (!button) {
      return undefined;
    }
    await this.memory.update(key, { ...this.wishes, [id]: button === always });
    return button === always;
  }
}
