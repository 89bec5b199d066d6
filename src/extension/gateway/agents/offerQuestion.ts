import { DisposableStore, type IDisposable } from '../../../base/disposable.ts';
import type { Logger } from '../../../base/logger.ts';
import { within } from '../../../base/timeLimit.ts';
import { startsByItself } from '../../../domain/consent/startStep.ts';
import type { Shown } from '../../../domain/shown.ts';
import { reportFailure } from '../../registerCommand.ts';
import type { Screen } from '../../screen.ts';
import type { Server } from '../../servers/server.ts';
import type { ServerRecords } from '../../servers/serverRecords.ts';
import type { Servers } from '../../servers/servers.ts';
import { t } from '../../text.ts';
import * as vscode from '../../vscode.ts';

/** The key, for all windows, that nobody is to be asked any more. */
const key = 'offersNotAsked';
/** A server that is slow to say what it offers is asked about without that. */
const longestListing = 2000;

/** Asks about each server once, after the user has started it, whether agents are to have it too. */
export class OfferQuestion implements IDisposable {
  private readonly records: Pick<ServerRecords, 'answer' | 'setAnswer'>;
  private readonly memory: Pick<vscode.Memento, 'get' | 'update'>;
  private readonly screen: Screen;
  private readonly isWanted: () => boolean;
  private readonly store = new DisposableStore();
  private readonly asked = new WeakSet<Server>();

  /**
   * @param memory of all windows.
   * @param isWanted whether this editor has agents that the user wants.
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
    await this.screen.show(async () => {
      isShown = this.isToAsk(server);
      return isShown ? { text: await questionText(server), buttons, isOpen } : undefined;
    });
    if (!isShown) {
      this.asked.delete(server);
    } else if (isOpen()) {
      // To close it is a no.
      await keep(false);
    }
  }
}

async function questionText(server: Server): Promise<Shown> {
  const { label } = server.definition;
  const { appName } = vscode.env;
  const tools = await within(server.listTools(), longestListing, undefined).catch(() => undefined);
  const count = tools?.length ?? 0;
  switch (count) {
    case 0:
      return t(
        '"{0}" runs. Offer its tools to the chat of {1}? It sees no other folders there.',
        label,
        appName,
      );
    case 1:
      return t(
        '"{0}" runs. Offer its tool to the chat of {1}? It sees no other folders there.',
        label,
        appName,
      );
    default:
      return t(
        '"{0}" runs. Offer its {1} tools to the chat of {2}? It sees no other folders there.',
        label,
        count,
        appName,
      );
  }
}
