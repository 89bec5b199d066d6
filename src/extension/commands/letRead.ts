import { isJsonObject } from '../../domain/json.ts';
import { printable } from '../../domain/printable.ts';
import { HumanError } from '../../domain/sentence.ts';
import { type ServerDefinition, userServerName } from '../../domain/servers/serverDefinition.ts';
import { shown } from '../../domain/shown.ts';
import type { ActivityLog } from '../activity/activityLog.ts';
import { changeServer, type ServerKeeping } from '../adding/writeServers.ts';
import { confirmReach } from '../consent/secondYes.ts';
import { carryOver, type ServerMemory } from '../records/serverMemory.ts';
import type { Question, Screen } from '../screen.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';
import { t } from '../text.ts';
import * as vscode from '../vscode.ts';

/**
 * Asks whether a server may read the path that its sandbox hid. After a yes, adds the path to the
 * definition, keeps the user's answers, and restarts the server. After a no, never asks again.
 *
 * @throws {HumanError} when the sandbox hid no path, or the definition can't be changed.
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
    throw new HumanError('"{0}" has not asked for a path outside its sandbox.', definition.label);
  }
  const about = { at: Date.now(), serverId: id, serverLabel: definition.label, folders: [path] };
  const isAgreed = await screen.ask(await questionOn(definition, path));
  if (isAgreed === false) {
    activity.add({ kind: 'answered', ...about, decision: 'denied', scope: 'workspace' });
    await keeping.records.setAnswer('read', server, false, path);
    return;
  }
  if (!(isAgreed && (await confirmReach(definition, [path], screen)))) {
    return;
  }
  activity.add({
    ...{ kind: 'answered', ...about, decision: 'allowed-read-only' },
    // An answer in the user's settings holds in every workspace.
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
        'Other settings still forbid "{1}" to read {0}. In these settings, add the path to "read" in "sandbox".',
        printable(path),
        definition.label,
      );
    }
  });
  // A server that ran restarts automatically, because its definition has changed.
  if (!wasLive) {
    await servers.withId(id)?.start('by-hand');
  }
}

async function questionOn({ label }: ServerDefinition, path: string): Promise<Question<boolean>> {
  const { type } = await vscode.workspace.fs.stat(vscode.Uri.file(path));
  const isFolder = (type & vscode.FileType.Directory) !== 0;
  const may = isFolder
    ? t(
        '"{0}" then starts again. It may read this folder and everything in it, but not change anything.',
        label,
      )
    : t('"{0}" then starts again. It may read this file, but not change it.', label);
  const named = t(
    'An error of the server names this path, which the sandbox hides. A model may have chosen the path. Agree only if you know why the server needs it.',
  );
  return {
    text: t('Let "{0}" read {1}?', label, printable(path)),
    detail: shown(`${named}\n${may}`),
    buttons: [
      { title: t('Let It Read This'), follow: () => true },
      { title: t('Not This'), follow: () => false },
    ],
  };
}

function withPath(sandbox: unknown, path: string): object {
  const words = isJsonObject(sandbox) ? sandbox : {};
  const read = Array.isArray(words['read']) ? words['read'] : [];
  return { ...words, read: [...read, path] };
}
