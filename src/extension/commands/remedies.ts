import { isJsonObject } from '../../domain/json.ts';
import { HumanError } from '../../domain/sentence.ts';
import { userServerName } from '../../domain/servers/serverDefinition.ts';
import { changeServer, type ServerKeeping } from '../adding/writeServers.ts';
import { Command } from '../ids.ts';
import type { Row } from '../rows.ts';
import type { Screen } from '../screen.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';
import { t } from '../text.ts';
import { problemOfServer } from '../views/problemItem.ts';
import * as vscode from '../vscode.ts';

/**
 * Opens the page with instructions to install the program that a server needs.
 *
 * @throws {HumanError} when the server's problem is not a missing program.
 */
export async function installProgram(server: Server): Promise<void> {
  const remedy = problemOfServer(server)?.remedy;
  if (remedy?.kind !== 'install') {
    throw new HumanError('MCP Roots found no missing program for "{0}".', server.definition.label);
  }
  await vscode.env.openExternal(vscode.Uri.parse(remedy.page));
}

/**
 * Asks whether a server should get variables of the editor that the server lacks. After a yes, adds
 * their names to its definition. This changes the identity, so the next start asks the user again.
 *
 * @throws {HumanError} when the server lacks no variable that this editor has.
 */
export async function passOn(
  server: Server,
  servers: Pick<Servers, 'withId'>,
  keeping: ServerKeeping,
  screen: Screen,
): Promise<void> {
  const { definition } = server;
  const name = userServerName(definition.id);
  const remedy = problemOfServer(server)?.remedy;
  if (remedy?.kind !== 'pass-on' || name === undefined) {
    throw new HumanError('This editor has no variable that "{0}" lacks.', definition.label);
  }
  const variables = remedy.variables.join(', ');
  const question = t('Pass {0} on to "{1}"?', variables, definition.label);
  const detail = t(
    'The definition gets the names of variables, not their values. You are asked again before the server starts.',
  );
  if (await screen.confirm(question, detail, t('Pass Variables On'))) {
    const added = remedy.variables.map(each => [each, `\${env:${each}}`]);
    await changeServer(name, definition.from ?? 'user', keeping, entry => ({
      ...entry,
      env: { ...(isJsonObject(entry['env']) && entry['env']), ...Object.fromEntries(added) },
    }));
    const row: Row = { kind: 'server', server: servers.withId(definition.id) ?? server };
    await vscode.commands.executeCommand(Command.startServer, row);
  }
}
