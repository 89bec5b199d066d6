import type { Remedy } from '../../domain/servers/serverFailure.ts';
import type { Shown } from '../../domain/shown.ts';
import { Command } from '../ids.ts';
import type { CommandId } from '../registerCommand.ts';
import { t } from '../text.ts';

/** A button that carries out a remedy: its title, and the command, which is called on the server's row. */
export interface RemedyButton {
  readonly title: Shown;
  readonly command: CommandId;
}

/** The button for the remedy of a problem. */
export function remedyButton({ kind }: Remedy): RemedyButton {
  switch (kind) {
    case 'edit':
      return { title: t('Edit…'), command: Command.editServer };
    case 'install':
      return { title: t('How to Install'), command: Command.installProgram };
    case 'sign-in':
      return { title: t('Sign In'), command: Command.signIn };
    case 'let-read':
      return { title: t('Let It Read…'), command: Command.letRead };
    case 'pass-on':
      return { title: t('Pass It On…'), command: Command.passOn };
    case 'restart':
      return { title: t('Restart'), command: Command.restartServer };
    case 'review':
      return { title: t('Review Access…'), command: Command.reviewAccess };
    case 'start':
      return { title: t('Start'), command: Command.startServer };
    case 'show-log':
      return { title: t('Show Log'), command: Command.showLog };
    case 'sandbox':
      return { title: t('Show How'), command: Command.sandboxHelp };
  }
}
