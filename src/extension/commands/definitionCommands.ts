import { HumanError } from '../../domain/sentence.ts';
import { Command } from '../ids.ts';
import { t } from '../text.ts';
import * as vscode from '../vscode.ts';
import type { Window } from '../window.ts';
import { letRead } from './letRead.ts';
import { pickServer } from './pickServer.ts';
import { passOn } from './remedies.ts';
import { type WritingWindow, writeDefinition, writingCommands } from './writeDefinition.ts';

/** The commands that change what a server is, or what is kept with its definition. */
export function registerDefinitionCommands(window: DefinitionCommandsWindow): void {
  const { commands, servers } = window;
  for (const command of writingCommands) {
    commands.register(command, row => writeDefinition(command, row, window));
  }
  // On the row with the problem of a server that lacks variables of this editor.
  commands.register(Command.passOn, async row => {
    await (row && passOn(row.server, servers, window));
  });
  registerLetRead(window);
  registerForgetSecrets(window);
}

type DefinitionCommandsWindow = WritingWindow & Pick<Window, 'commands' | 'consent'>;

/** `letRead`: lets a server in a sandbox read what it asked for in vain. */
function registerLetRead(window: DefinitionCommandsWindow): void {
  const { commands, servers } = window;
  commands.register(Command.letRead, async row => {
    const server = await pickServer(servers, row, {
      placeHolder: t('Let which server read what it asked for?'),
      isWanted: ({ missedPath }) => missedPath !== undefined,
      none: 'No server asked for anything that it does not see.',
    });
    await (server && letRead(server, window));
  });
}

/** `forgetSecrets`: removes what was entered for a server and what it was signed in with. */
function registerForgetSecrets({ commands, servers, secrets }: DefinitionCommandsWindow): void {
  commands.register(Command.forgetSecrets, async row => {
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
