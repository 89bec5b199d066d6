import { isJsonObject } from '../../domain/json.ts';
import { printable } from '../../domain/printable.ts';
import { HumanError } from '../../domain/sentence.ts';
import { type ServerDefinition, userServerName } from '../../domain/servers/serverDefinition.ts';
import { shown } from '../../domain/shown.ts';
import type { ActivityLog } from '../activity/activityLog.ts';
import { confirmReach } from '../consent/secondYes.ts';
import type { Confirmation, Screen } from '../screen.ts';
import type { Server } from '../servers/server.ts';
import { carryOver, type ServerMemory } from '../servers/serverMemory.ts';
import type { Servers } from '../servers/servers.ts';
import { t } from '../text.ts';
import * as vscode from '../vscode.ts';
import { changeServer, type ServerKeeping } from './adding/writeServers.ts';

/**
 * Asks whether a server may read what it asked for in vain, adds it to its sandbox, and has it
 * started again. All that was answered on it before holds on.
 *
 * @throws {HumanError} when it asked for nothing, or its definition can't be changed.
 */
export async function letRead(
  server: Server,
  keeping: ServerKeeping & ServerMemory,
  servers: Servers,
  activity: Pick<ActivityLog, 'add'>,
  screen: Screen,
): Promise<void> {
  const { definition, missedPath: path, isLive: wasLive } = server;
  const { id, sandbox } = definition;
  const name = userServerName(id);
  if (path === undefined || !sandbox || name === undefined) {
    throw new HumanError('"{0}" has asked for no path outside its sandbox.', definition.label);
  }
  const isAgreed = await screen.confirm(...(await questionOn(definition, path)));
  if (!(isAgreed && (await confirmReach(definition, [path], screen)))) {
    return;
  }
  activity.add({
    ...{ at: Date.now(), serverId: id, serverLabel: definition.label, kind: 'answered' },
    ...{ decision: 'allowed-read-only', folders: [path] },
    // In the settings of the user it holds wherever the server does.
    scope: definition.from === 'workspace' ? 'workspace' : 'always',
  });
  const next = { ...definition, sandbox: { ...sandbox, read: [...sandbox.read, path] } };
  const fields = keeping.identities.fieldsOf(next);
  await carryOver(server, fields, keeping, async () => {
    await changeServer(name, definition.from ?? 'user', keeping, entry => ({
      ...entry,
      sandbox: withPath(entry['sandbox'], path),
    }));
    if (!servers.withId(id)?.definition.sandbox?.read.includes(path)) {
      throw new HumanError(
        'The settings leave {0} out of what "{1}" may read: name it there.',
        printable(path),
        definition.label,
      );
    }
  });
  // One that ran is started again as each is whose definition changed.
  if (!wasLive) {
    await servers.withId(id)?.start('by-hand');
  }
}

async function questionOn({ label }: ServerDefinition, path: string): Promise<Confirmation> {
  const { type } = await vscode.workspace.fs.stat(vscode.Uri.file(path));
  const isFolder = (type & vscode.FileType.Directory) !== 0;
  const may = isFolder
    ? t(
        '"{0}" may read this folder, with all that is in it, whenever it runs, but not change it; it is started again.',
        label,
      )
    : t(
        '"{0}" may read this file whenever it runs, but not change it; it is started again.',
        label,
      );
  const named = t('The server named this path in an error, and its sandbox keeps it from it.');
  const detail = shown(`${named}\n${may}`);
  const question = t('Let "{0}" read {1}?', label, printable(path));
  return [question, detail, t('Let It Read This')];
}

function withPath(sandbox: unknown, path: string): object {
  const words = isJsonObject(sandbox) ? sandbox : {};
  const read = Array.isArray(words['read']) ? words['read'] : [];
  return { ...words, read: [...read, path] };
}
