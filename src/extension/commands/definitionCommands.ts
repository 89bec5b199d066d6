import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { HumanError } from '../../domain/sentence.ts';
import type { Consent } from '../consent/consent.ts';
import { Command } from '../ids.ts';
import type { Commands } from '../registerCommand.ts';
import type { ServerSecrets } from '../secrets/serverSecrets.ts';
import type { Servers } from '../servers/servers.ts';
import { t } from '../text.ts';
import * as vscode from '../vscode.ts';
import type { Window } from '../window.ts';
import type { ServerKeeping } from './adding/writeServers.ts';
import { letRead } from './letRead.ts';
import { pickServer } from './pickServer.ts';
import { passOn } from './remedies.ts';
import { type LifeWindow, lifeCommands } from './serverLife.ts';
import { writeDefinition } from './writeDefinition.ts';

/** The commands that change what a server is, or what is kept with its definition. */
export function registerDefinitionCommands(
  window: LifeWindow & Pick<Window, 'commands' | 'consent'>,
): IDisposable {
  const { commands, servers, consent, keeping, memory } = window;
  const store = new DisposableStore();
  for (const command of lifeCommands) {
    store.add(
      commands.register(command, async row => {
        await writeDefinition(command, row, window);
      }),
    );
  }
  store.add(registerPassOn(commands, servers, keeping));
  store.add(registerLetRead(commands, servers, consent, keeping));
  store.add(registerForgetSecrets(commands, servers, memory.secrets));
  return store;
}

/** `passOn`: on the row with the problem of a server that lacks variables of this editor. */
function registerPassOn(
  commands: Commands,
  servers: Servers,
  keeping: ServerKeeping,
): vscode.Disposable {
  return commands.register(Command.passOn, async row => {
    await (row && passOn(row.server, servers, keeping));
  });
}

/** `letRead`: lets a server in a sandbox read what it asked for in vain. */
function registerLetRead(
  commands: Commands,
  servers: Servers,
  consent: Consent,
  keeping: ServerKeeping,
): vscode.Disposable {
  return commands.register(Command.letRead, async row => {
    const server = await pickServer(servers, row, {
      placeHolder: t('Let which server read what it asked for?'),
      isWanted: ({ missedPath }) => missedPath !== undefined,
      none: 'No server asked for anything that it does not see.',
    });
    if (server) {
      const carryOver: typeof consent.carryOver = (...answers) => consent.carryOver(...answers);
      await letRead({ server, servers, carryOver, ...keeping });
    }
  });
}

/** `forgetSecrets`: removes what was entered for a server and what it was signed in with. */
function registerForgetSecrets(
  commands: Commands,
  servers: Servers,
  secrets: ServerSecrets,
): vscode.Disposable {
  return commands.register(Command.forgetSecrets, async row => {
    const server = await pickServer(servers, row, {
      placeHolder: t('Forget the secrets of which server?'),
    });
    if (!server) {
      return;
    }
    const { label, id: serverId } = server.definition;
    if ((await secrets.forget(serverId)) === 0) {
      throw new HumanError('No secrets are kept for "{0}".', label);
    }
    void vscode.window.showInformationMessage(
      t('The secrets of "{0}" are forgotten. You are asked again when it starts.', label),
    );
  });
}
