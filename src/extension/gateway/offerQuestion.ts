import * as vscode from 'vscode';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { within } from '../../base/timeLimit.ts';
import { startsByItself } from '../../domain/consent/folderAccess.ts';
import type { ServerChoices } from '../consent/serverChoices.ts';
import { reportFailure } from '../registerCommand.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';

/** Of all windows: nobody is to be asked any more. */
const key = 'offersNotAsked';
/** A server that is slow to say what it offers is asked about without that. */
const longestListing = 2000;

/**
 * Asks about each server once, after the user has started it, whether agents are to have it too. The
 * questions come one after another.
 */
export class OfferQuestion implements IDisposable {
  private readonly servers: Pick<Servers, 'all' | 'onDidChange'>;
  private readonly offers: Pick<ServerChoices, 'of' | 'set'>;
  private readonly memory: Pick<vscode.Memento, 'get' | 'update'>;
  private readonly isWanted: () => boolean;
  private readonly store = new DisposableStore();
  private isAsking = false;

  /**
   * @param memory of all windows.
   * @param isWanted whether this editor has agents that the user wants.
   */
  constructor(
    servers: Pick<Servers, 'all' | 'onDidChange'>,
    offers: Pick<ServerChoices, 'of' | 'set'>,
    memory: Pick<vscode.Memento, 'get' | 'update'>,
    logger: Logger,
    isWanted: () => boolean = hasChat,
  ) {
    this.servers = servers;
    this.offers = offers;
    this.memory = memory;
    this.isWanted = isWanted;
    this.store.add(servers.onDidChange(() => void reportFailure(logger, () => this.ask())));
  }

  dispose(): void {
    this.store.dispose();
  }

  private async ask(): Promise<void> {
    if (this.isAsking) {
      return;
    }
    this.isAsking = true;
    try {
      for (let server = this.next; server; server = this.next) {
        await this.askAbout(server);
      }
    } finally {
      this.isAsking = false;
    }
  }

  /** The server to ask about now. */
  private get next(): Server | undefined {
    const isOver = this.store.isDisposed || this.memory.get(key) === true || !this.isWanted();
    return isOver ? undefined : this.servers.all.find(server => this.isOpen(server));
  }

  private isOpen(server: Server): boolean {
    const { state, wasStartedByHand, access, isLaunchAllowed } = server;
    const isUsed = state.kind === 'running' && wasStartedByHand;
    return (
      isUsed && startsByItself(access, isLaunchAllowed) && this.offers.of(server) === undefined
    );
  }

  private async askAbout(server: Server): Promise<void> {
    const offer = vscode.l10n.t('Offer');
    const notNow = vscode.l10n.t('Not Now');
    const never = vscode.l10n.t("Don't Ask Again");
    const text = await questionText(server);
    const button = await vscode.window.showInformationMessage(text, offer, notNow, never);
    await this.offers.set(server, button === offer);
    if (button === never) {
      await this.memory.update(key, true);
    }
  }
}

async function questionText(server: Server): Promise<string> {
  const { label } = server.definition;
  const { appName } = vscode.env;
  const tools = await within(server.listTools(), longestListing, undefined).catch(() => undefined);
  return tools
    ? vscode.l10n.t(
        '"{0}" runs. Offer its {1} tools to the chat of {2}? It sees no other folders there.',
        label,
        tools.length,
        appName,
      )
    : vscode.l10n.t(
        '"{0}" runs. Offer its tools to the chat of {1}? It sees no other folders there.',
        label,
        appName,
      );
}

/** Whether the user wants a chat in this editor. */
function hasChat(): boolean {
  return vscode.workspace.getConfiguration('chat').get('disableAIFeatures') !== true;
}
