import { Debounce } from '../../base/debounce.ts';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { startRoots } from '../../domain/consent/folderAccess.ts';
import type { Shown } from '../../domain/shown.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';
import { t } from '../text.ts';
import type { ServerChoices } from './serverChoices.ts';
import type { Toasts } from './toasts.ts';

/** Folders that come together cost one restart. */
const burst = { quiet: 300, longest: 2000 };

/**
 * Restarts servers that get their roots as arguments or environment, or from a sandbox, when they may
 * see a new folder: they learn of it in no other way; and those that work in a folder that was taken
 * away: they leave it in no other way. The user is asked once for each server, may answer never, and
 * can change the answer when the server's access is reviewed. (What they were given of a folder that
 * is taken away they lose at once and without a question: the managed server does that, and restarts
 * our own server for a new one, too.)
 */
export class RestartOnChange implements IDisposable {
  private readonly servers: Servers;
  private readonly wishes: ServerChoices;
  private readonly toasts: Toasts;
  private readonly logger: Logger;
  private readonly store = new DisposableStore();
  private readonly look = this.store.add(new Debounce(() => this.goThrough(), burst));
  /** The roots of each server at its last question, so that one change is one question. */
  private readonly asked = new WeakMap<Server, string>();

  constructor(servers: Servers, wishes: ServerChoices, toasts: Toasts, logger: Logger) {
    this.servers = servers;
    this.wishes = wishes;
    this.toasts = toasts;
    this.logger = logger;
    this.store.add(
      servers.onDidChange(server => {
        if (server && isOutOfDate(server)) {
          this.look.request();
        }
      }),
    );
    this.store.add(wishes.onDidChange(() => this.look.request()));
  }

  dispose(): void {
    this.store.dispose();
  }

  private goThrough(): void {
    const isAskedAbout = (server: Server) => isOutOfDate(server) && !server.definition.sandboxIfAny;
    for (const server of this.servers.all.filter(isAskedAbout)) {
      this.decide(server).catch(error => this.logger.error(error));
    }
  }

  private async decide(server: Server): Promise<void> {
    const isWanted = this.wishes.of(server);
    if (isWanted === undefined) {
      await this.ask(server);
    } else if (isWanted) {
      await server.restart('by-itself');
    }
  }

  /** The answer takes effect when the wish changes, not here: the question may be open for hours. */
  private async ask(server: Server): Promise<void> {
    const situation = JSON.stringify(startRoots(server.access));
    if (this.asked.get(server) === situation) {
      return;
    }
    this.asked.set(server, situation);
    const always = { title: t('Restart Whenever They Change'), isWanted: true };
    const never = { title: t("Don't Restart by Itself"), isWanted: false };
    const isOpen = () => !server.isRetired && this.wishes.of(server) === undefined;
    await this.toasts.show(
      () =>
        isOpen() && isOutOfDate(server)
          ? { text: questionText(server), buttons: [always, never], isOpen }
          : undefined,
      ({ isWanted }) => this.wishes.set(server, isWanted),
    );
  }
}

function isOutOfDate({ needsRestart, isDisplaced }: Server): boolean {
  return needsRestart || isDisplaced;
}

function questionText({ definition, isDisplaced }: Server): Shown {
  const { label, sandbox } = definition;
  if (isDisplaced) {
    return t(
      'The folders of "{0}" changed: it works in one that it may no longer see, until it is restarted.',
      label,
    );
  }
  return sandbox
    ? t('The sandbox of "{0}" shows it changed folders only after a restart.', label)
    : t(
        '"{0}" gets its folders as arguments or environment, so it learns of a new one only by a restart.',
        label,
      );
}
