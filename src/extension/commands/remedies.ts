import { isJsonObject } from '../../domain/json.ts';
import { HumanError } from '../../domain/sentence.ts';
import { userServerName } from '../../domain/servers/serverDefinition.ts';
import { Command } from '../ids.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';
import { t } from '../text.ts';
import { problemOfServer } from '../views/problemItem.ts';
import type { Row } from '../views/rows.ts';
import * as vscode from '../vscode.ts';
import { changeServer, type ServerKeeping } from './adding/writeServers.ts';

/**
 * Opens the page that says how the program of a server is installed.
 *
 * @throws {HumanError} when it lacks none that is known.
 */
export async function installProgram(server: Server): Promise<void> {
  const remedy = problemOfServer(server)?.remedy;
  if (remedy?.kind !== 'install') {
    throw new HumanError('"{0}" lacks no program that is known.', server.definition.label);
  }
  await vscode.env.openExternal(vscode.Uri.parse(remedy.page));
}

/**
 * Has the definition of a server pass on the variables of this editor that it lacks, after a question.
 * It is another server then, about which the user is asked when it starts.
 *
 * @throws {HumanError} when it lacks none that this editor has.
 */
export async function passOn(
  server: Server,
  servers: Pick<Servers, 'withId'>,
  keeping: ServerKeeping,
): Promise<void> {
  const { definition } = server;
  const name = userServerName(definition.id);
  const remedy = problemOfServer(server)?.remedy;
  if (remedy?.kind !== 'pass-on' || name === undefined) {
    throw new HumanError('"{0}" lacks no variable that this editor has.', definition.label);
  }
  const variables = remedy.variables.join(', ');
  const pass = t('Pass It On');
  const picked = await vscode.window.showWarningMessage(
    t('Pass {0} on to "{1}"?', variables, definition.label),
    {
      modal: true,
      detail: t(
        'Its definition will name the variable, not the value. You are asked again before it starts.',
      ),
    },
    pass,
  );
  if (picked === pass) {
    const added = remedy.variables.map(each => [each, `\${env:${each}}`]);
    await changeServer(name, definition.from ?? 'user', keeping, entry => ({
      ...entry,
      env: { ...(isJsonObject(entry['env']) && entry['env']), ...Object.fromEntries(added) },
    }));
    const row: Row = { kind: 'server', server: servers.withId(definition.id) ?? server };
    await vscode.commands.executeCommand(Command.startServer, row);
  }
}
