import * as vscode from 'vscode';
import { folderLines } from '../../../src/extension/folderText.ts';
import type { FolderRow } from '../../../src/extension/rows.ts';
import type { Server } from '../../../src/extension/servers/server.ts';
import { folderItem } from '../../../src/extension/views/folderItem.ts';
import { serverDetails } from '../../../src/extension/views/rowDetails.ts';
import { serverItem, wordOf } from '../../../src/extension/views/serverItem.ts';
import { questionsWith } from '../../support/shownServer.ts';
import type { Person } from './person.ts';
import type { Recorder } from './recorder.ts';

/**
 * The extension's server of this name. A changed definition makes another server.
 *
 * @throws when no server has this name.
 */
export async function serverNamed(name: string): Promise<Server> {
  const shown = await shownServers();
  const found = shown.find(({ label }) => label === name);
  if (!found) {
    throw new Error(`There is no server "${name}" in ${shown.map(({ label }) => label)}.`);
  }
  return found.server;
}

interface ShownServer {
  readonly label: string;
  readonly server: Server;
}

/** All servers: an extension without an API shows them only in lists to pick from. */
export async function shownServers(): Promise<readonly ShownServer[]> {
  const { showQuickPick } = vscode.window;
  let shown: readonly ShownServer[] = [];
  const look = async (items: readonly ShownServer[]) => {
    shown = items;
  };
  Object.assign(vscode.window, { showQuickPick: look });
  try {
    await vscode.commands.executeCommand('mcpRoots.offerFolder');
  } finally {
    Object.assign(vscode.window, { showQuickPick });
  }
  return shown;
}

/** Starts a server that nothing was answered on with these folders, for this session. */
export async function startWith(
  person: Person,
  name: string,
  ...folders: readonly string[]
): Promise<Server> {
  person.will(name, 'Choose Folders…', folders, 'Until the Window Closes');
  await vscode.commands.executeCommand('mcpRoots.startServer');
  const server = await serverNamed(name);
  await becomes(server, ({ state }) => state.kind === 'running');
  return server;
}

/** Starts a server like {@link startWith}, and settles when it has its roots. */
export async function startTold(
  person: Person,
  own: Recorder,
  ...folders: readonly string[]
): Promise<Server> {
  const server = await startWith(person, own.name, ...folders);
  await own.until(({ answers }) => answers.length > 0);
  return server;
}

/**
 * What `look` finds when the server fulfils the condition, in that moment: a server that waits to be
 * started again does so for half a second, which may be over before anything else is.
 */
export async function seenWhen<T>(
  server: Server,
  isFulfilled: (server: Server) => boolean,
  look: (server: Server) => T,
): Promise<Awaited<T>> {
  await becomes(server, isFulfilled);
  return await look(server);
}

/** Settles when the server fulfils the condition; the test's own time limit bounds it. */
export function becomes(server: Server, isFulfilled: (server: Server) => boolean): Promise<void> {
  return new Promise(resolve => {
    const look = () => {
      if (isFulfilled(server)) {
        listener.dispose();
        resolve();
      }
    };
    const listener = server.onDidChange(look);
    look();
  });
}

/** The `contextValue` of a server's row and its description, as if no client used it. */
export function rowOf(server: Server): readonly [string, string] {
  const word = wordOf(server, questionsWith());
  const { contextValue, description } = serverItem(server, word, []);
  return [String(contextValue), String(description)];
}

/** The tooltip of a server's row, line by line. */
export function detailsOf(server: Server): readonly string[] {
  return serverDetails(server, [], questionsWith().of(server), [server]);
}

/** The row of a folder of the server. */
export function folderRow(server: Server, name: string): FolderRow {
  const access = server.access.folders.find(({ folder }) => folder.name === name);
  if (!access) {
    throw new Error(`"${name}" is no folder of "${server.definition.label}".`);
  }
  return { kind: 'folder', server, access, name };
}

/** The text of a folder's row. */
export function folderState(server: Server, name: string): string {
  return String(folderItem(folderRow(server, name)).description);
}

/** Its tooltip, line by line, without the path. */
export function folderDetails(server: Server, name: string): readonly string[] {
  return folderLines(folderRow(server, name).access, server).slice(1);
}

/** Allows a folder in its row, or revokes it there. */
export async function answerRow(server: Server, name: string, isAllowed: boolean): Promise<void> {
  const command = isAllowed ? 'mcpRoots.allowFolders' : 'mcpRoots.revokeFolders';
  const row = folderRow(server, name);
  await vscode.commands.executeCommand(command, row, [row]);
}
