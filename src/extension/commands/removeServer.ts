import { inputsIn } from '../../domain/adding/secretInputs.ts';
import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { isInstalled } from '../../domain/sandbox/installStep.ts';
import { shown } from '../../domain/shown.ts';
import type { Server } from '../servers/server.ts';
import { moveAnswers } from '../servers/serverMemory.ts';
import { t } from '../text.ts';
import * as vscode from '../vscode.ts';
import { writtenDefinition } from './adding/editServer.ts';
import { changeInputs, changeServers, existingSettings } from './adding/writeServers.ts';
import type { LifeWindow } from './serverLife.ts';

/**
 * Removes a server with all that is kept of it, once the user has seen what that is.
 *
 * @throws {HumanError} when it does not stand in the settings, or they can't be written.
 */
export async function removeServer(server: Server, window: LifeWindow): Promise<void> {
  const written = writtenDefinition(server);
  if (!(await isConfirmed(server, window))) {
    return;
  }
  const { servers, clients, keeping, memory, sandbox, logs } = window;
  const { definition, identity, programIdentity } = server;
  await Promise.all([server.stop(), ...clients.of(server).map(({ session }) => session?.leave())]);
  const others = without(existingSettings().servers, written.name);
  await changeServers(written.target, keeping, all => without(all, written.name));
  await changeInputs(written.target, keeping, inputs =>
    inputs.filter(input => !isOnlyOf(input, written.entry, others)),
  );
  await moveAnswers(server, undefined, memory);
  await memory.secrets.forget(definition.id, definition.from === 'user' ? undefined : identity);
  // A server with the same program shares this installation.
  if (!servers.all.some(one => one.programIdentity === programIdentity)) {
    await (await sandbox()).removeInstalled(programIdentity);
  }
  logs.forget(definition.id);
}

/** Asks with a list of all that goes with the server, as far as there is any. */
async function isConfirmed(server: Server, window: LifeWindow): Promise<boolean> {
  const { definition, identity, isLive } = server;
  const { id, label, from } = definition;
  const { grants, records, secrets } = window.memory;
  const names = await secrets.namesOf({ serverId: id, identity });
  const isOfUser = from === 'user';
  // Answers of other workspaces can't be looked up from here.
  const answers = isOfUser
    ? t('Your answers on what it may see, in all workspaces')
    : t('Your answers on what it may see');
  const going = [
    isOfUser
      ? t('Its definition, in your user settings')
      : t('Its definition, in the settings of this workspace'),
    ...(isOfUser || grants.all.some(({ serverId }) => serverId === id) ? [answers] : []),
    ...(records.answers('client', server).length > 0
      ? [t('Your answers on the clients that use it')]
      : []),
    ...(names.length > 0 ? [t('What you entered for it, and what it was signed in with')] : []),
    ...(records.of('calls', id).length > 0 ? [t('The last calls that you made of its tools')] : []),
    ...(isInstalled(definition) ? [t('What was installed for its sandbox')] : []),
    t('Its log in this window'),
  ];
  const detail = [
    t('This goes with it:'),
    ...going.map(one => `• ${one}`),
    ...(isLive ? ['', t('It runs, and is stopped before.')] : []),
    '',
    t('What Activity says about it stays.'),
  ];
  const remove = t('Remove');
  const question = t('Remove server "{0}"?', label);
  const options = { modal: true, detail: shown(detail.join('\n')) };
  return (await vscode.window.showWarningMessage(question, options, remove)) === remove;
}

function without(object: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([other]) => other !== key));
}

/** Whether this server uses an input, and no other one does. */
function isOnlyOf(input: unknown, entry: unknown, others: JsonObject): boolean {
  const id = isJsonObject(input) ? String(input['id']) : '';
  return inputsIn(entry).includes(id) && !inputsIn(others).includes(id);
}
