import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import {
  type ClientEntry,
  clientSnippet,
  hubEntry,
  serverEntry,
} from '../../domain/gateway/clientEntries.ts';
import {
  adviceOn,
  type Client,
  type ClientFile,
  clientFiles,
  knownClient,
  knownClients,
} from '../../domain/gateway/clientFiles.ts';
import { clientNames } from '../../domain/gateway/clientNames.ts';
import { HumanError } from '../../domain/sentence.ts';
import { type Shown, shown } from '../../domain/shown.ts';
import { foldersOnDisk, pathsOnDisk } from '../foldersOnDisk.ts';
import { hubConfigFile, prepareHubConfig } from '../hub/hubConfigFile.ts';
import { type Launchers, writing } from '../hub/launcher.ts';
import { replaceFile } from '../privateFolder.ts';
import { type Confirmation, reply, type Screen, untilSeen } from '../screen.ts';
import { loadClient } from '../servers/loadClient.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';
import { fromHome, localized, t } from '../text.ts';
import * as vscode from '../vscode.ts';
import { withEntries } from './clientFileText.ts';

/**
 * Asks for a client and for servers, and writes the entries that connect them into a file of the
 * client or to the clipboard. Works in Restricted Mode, too, because nothing is started.
 *
 * @param wanted the servers that are ticked at first.
 * @throws HumanError when no server is ticked, or a file can't be written.
 */
export async function connectClient(
  servers: Servers,
  launchers: Launchers,
  wanted: readonly (Server | 'hub')[],
  screen: Screen,
): Promise<void> {
  const placeHolder = t('Connect which client?');
  const chosen = await vscode.window.showQuickPick(clientItems(), { placeHolder });
  const connection = chosen && (await pickServers(chosen, servers, launchers, wanted));
  const place = connection && (await pickPlace(connection));
  if (!place) {
    return;
  }
  if (connection.hasHub) {
    await launchers.hub.prepare();
    await prepareHubConfig(launchers.hub);
  }
  if (connection.entries.length > Number(connection.hasHub)) {
    await launchers.connector.prepare();
  }
  await (place.file ? write(connection, place.file.path, screen) : copy(connection));
}

interface Connection {
  readonly client: Client;
  readonly label: Shown;
  readonly entries: readonly ClientEntry[];
  readonly hasHub: boolean;
}

type ClientItem = vscode.QuickPickItem & Pick<Connection, 'client'>;

function clientItems(): ClientItem[] {
  const { vscode: _, ...others } = knownClients;
  return (Object.keys(others) as Client[]).map(client => ({
    client,
    label: t(others[client].label),
  }));
}

/**
 * Asks whether to connect servers of this window, the hub, or both. `undefined`: the user left.
 *
 * @throws HumanError when nothing is ticked.
 */
async function pickServers(
  { client, label }: ClientItem,
  servers: Servers,
  { connector, hub }: Launchers,
  wanted: readonly (Server | 'hub')[],
): Promise<Connection | undefined> {
  const folders = pathsOnDisk();
  const only = servers.all.length === 1 ? servers.all[0] : undefined;
  const ofHub = {
    label: t('The Hub'),
    detail: t('All servers of servers.json, without an editor window.'),
    picked: wanted.includes('hub'),
    entry: hubEntry(client, hub.path, hubConfigFile(hub), folders),
  };
  const items = [
    ...clientNames(servers.all).map(({ name, server }) => ({
      label: shown(server.definition.label),
      description: shown(name),
      picked: wanted.length > 0 ? wanted.includes(server) : server === only,
      entry: serverEntry(client, name, connector.path, folders),
    })),
    ofHub,
  ];
  const placeHolder = t('Which servers should "{0}" use?', label);
  const options = { placeHolder, canPickMany: true } as const;
  const picked = await untilSeen(() => vscode.window.showQuickPick(items, options));
  if (picked?.length === 0) {
    throw new HumanError('Nothing was connected. Tick the servers that "{0}" should use.', label);
  }
  const entries = picked?.map(({ entry }) => entry) ?? [];
  const hasHub = entries.includes(ofHub.entry);
  return picked && { client, label, entries, hasHub };
}

interface PlaceItem extends vscode.QuickPickItem {
  /** The file for the entries; `undefined` if the entries go to the clipboard. */
  readonly file: ClientFile | undefined;
}

/** Asks where the entries go. If the client has no file, the clipboard is the only place. */
async function pickPlace({ client, label }: Connection): Promise<PlaceItem | undefined> {
  const { platform } = process;
  const machine = {
    platform,
    home: homedir(),
    appData: process.env['APPDATA'],
    folders: foldersOnDisk(),
  };
  const isRemote = vscode.env.remoteName !== undefined;
  const copies: PlaceItem = { file: undefined, label: t('Copy') };
  const files = clientFiles(client, machine, isRemote).map(
    (file): PlaceItem => ({
      file,
      label: t('Write to {0}', shownFile(file)),
      detail:
        file.scope === 'user'
          ? t('For all your folders.')
          : t('For this folder. Do not share the file, because it names paths of this machine.'),
    }),
  );
  if (files.length === 0) {
    return copies;
  }
  const items = knownClient(client).command ? [copies, ...files] : [...files, copies];
  const placeHolder = t('How should "{0}" learn about the servers?', label);
  return untilSeen(() => vscode.window.showQuickPick(items, { placeHolder }));
}

function shownFile({ path, scope }: ClientFile): string {
  return scope === 'user' ? fromHome(path) : vscode.workspace.asRelativePath(path);
}

async function write(connection: Connection, path: string, screen: Screen): Promise<void> {
  const { client, label, entries } = connection;
  const uri = vscode.Uri.file(path);
  const isBeingEdited = vscode.workspace.textDocuments.some(
    ({ isDirty, uri }) => isDirty && uri.fsPath === path,
  );
  if (isBeingEdited) {
    throw new HumanError('{0} has unsaved changes. Save the file first.', fromHome(path));
  }
  const { readPlainFile } = await loadClient();
  const file = await readPlainFile(path, pathsOnDisk());
  if (file.problem) {
    throw new HumanError('{0} was not changed. {1}', fromHome(path), file.problem);
  }
  const { place, text: before = '' } = file;
  const after = withEntries(client, before, entries);
  if (!after.ok) {
    await copy(connection, t('{0} was not changed. {1}', fromHome(path), localized(after.problem)));
    return;
  }
  if (after.replaced.length > 0 && !(await screen.confirm(...replacement(after.replaced, path)))) {
    return;
  }
  if (after.text !== before) {
    await writing(dirname(place), async () => replaceClientFile(place, after.text));
  }
  await vscode.window.showTextDocument(uri);
  const names = entries.map(({ name }) => name).join(', ');
  void reply(t('"{0}" knows these servers after its next start: {1}.', label, names));
}

/** Writes a client's file. A file keeps its mode, and a read-only file stays unchanged. */
function replaceClientFile(place: string, text: string): void {
  const there = statSync(place, { throwIfNoEntry: false });
  if (there) {
    accessSync(place, constants.W_OK);
  }
  replaceFile(place, text, there ? there.mode & 0o777 : 0o666);
}

function replacement(names: readonly string[], path: string): Confirmation {
  return [
    t('{0} has other servers with these names: {1}.', fromHome(path), names.join(', ')),
    t('The entries of these servers would be lost.'),
    t('Replace'),
  ];
}

/** Copies the entries. `reason` says why they are copied instead of written to a file. */
async function copy({ client, entries, hasHub }: Connection, reason?: Shown): Promise<void> {
  await vscode.env.clipboard.writeText(clientSnippet(client, entries, process.platform));
  const copied =
    hasHub && !knownClient(client).tellsRoots
      ? t('Copied. The hub can reach every folder after "--root": check these folders.')
      : t('Copied.');
  const sentences = [
    ...(reason === undefined ? [] : [reason]),
    copied,
    localized(adviceOn(client)),
  ];
  // Not awaited, because the command is done. The message stays until the user closes it.
  void reply(shown(sentences.join(' ')));
}
