import { DisposableStore, type IDisposable } from '../../../base/disposable.ts';
import type { Logger } from '../../../base/logger.ts';
import { startsByItself } from '../../../domain/consent/startStep.ts';
import type { ServerRecords } from '../../records/serverRecords.ts';
import { reportFailure } from '../../reportFailure.ts';
import type { Screen } from '../../screen.ts';
import type { Server } from '../../servers/server.ts';
import type { Servers } from '../../servers/servers.ts';
import { t } from '../../text.ts';
import * as vscode from '../../vscode.ts';

/** The key under which "Don't Ask Again" is stored for all windows. */
const key = 'offersNotAsked';

/** Asks once per server whether to offer it to agents, too, after the user has started it. */
export class OfferQuestion implements IDisposable {
  private readonly records: Pick<ServerRecords, 'answer' | 'setAnswer'>;
  private readonly memory: Pick<vscode.Memento, 'get' | 'update'>;
  private readonly screen: Screen;
  private readonly isWanted: () => boolean;
  private readonly store = new DisposableStore();
  private readonly asked = new WeakSet<Server>();

  /**
   * @param memory the state that all windows share.
   * @param isWanted whether this editor has agents and the user wants them.
   */
  constructor(
    servers: Pick<Servers, 'all' | 'onDidChange'>,
    records: Pick<ServerRecords, 'answer' | 'setAnswer'>,
    memory: Pick<vscode.Memento, 'get' | 'update'>,
    screen: Screen,
    logger: Logger,
    isWanted: () => boolean,
  ) {
    this.records = records;
    this.memory = memory;
    this.screen = screen;
    this.isWanted = isWanted;
    this.store.add(
      servers.onDidChange(() => {
        for (const server of servers.all.filter(one => this.isToAsk(one) && !this.asked.has(one))) {
          this.asked.add(server);
          void reportFailure(logger, () => this.ask(server));
        }
      }),
    );
  }

  dispose(): void {
    this.store.dispose();
  }

  private isToAsk(server: Server): boolean {
    const { state, wasStartedByHand, access, isLaunchAllowed } = server;
    const isOver = this.store.isDisposed || this.memory.get(key) === true || !this.isWanted();
    const isUsed = state.kind === 'running' && wasStartedByHand && !server.isRetired;
    const isChosen = this.records.answer('offer', server) !== undefined;
    return !isOver && isUsed && !isChosen && startsByItself(access, isLaunchAllowed);
  }

  private async ask(server: Server): Promise<void> {
    const keep = (isOffered: boolean) => this.records.setAnswer('offer', server, isOffered);
    const never = async () => {
      await keep(false);
      await this.memory.update(key, true);
    };
    const buttons = [
      { title: t('Offer'), follow: () => keep(true) },
      { title: t('Not Now'), follow: () => keep(false) },
      { title: t("Don't Ask Again"), follow: never },
    ];
    let isShown = false;
    const isOpen = () => !server.isRetired && this.records.answer('offer', server) === undefined;
    const text = t(
      '"{0}" is running. Offer its tools to the chat of {1}? Offering shares no further folder with the server.',
      server.definition.label,
      vscode.env.appName,
    );
    await this.screen.show(() => {
      isShown = this.isToAsk(server);
      return isShown ? { text, buttons, isOpen } : undefined;
    });
    if (!isShown) {
      this.asked.delete(server);
    } else if (isOpen()) {
      // Closing the question means no.
      await keep(false);
    }
  }
}

/** Whether the chat of this editor is switched on. */
export function hasChat(): boolean {
  return vscode.workspace.getConfiguration('chat').get('disableAIFeatures') !== true;
}
