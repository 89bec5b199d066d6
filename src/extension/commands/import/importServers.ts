import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { HumanError } from '../../../domain/errors.ts';
import {
  type ImportPlan,
  planImport,
  type SourceNote,
} from '../../../domain/import/importedServers.ts';
import { type ImportPlace, importPlaces, type Machine } from '../../../domain/import/places.ts';
import { printable } from '../../../domain/printable.ts';
import { sentence } from '../../../domain/sentence.ts';
import { foldersOnDisk } from '../../folders/onDisk.ts';
import { localized } from '../../text.ts';
import type { Takeable } from './candidateItems.ts';
import { pickCandidates } from './pickCandidates.ts';
import { pickTargets } from './pickTargets.ts';
import { readPlaces } from './readPlaces.ts';
import { existingSettings, type SecretKeeping, writeServers } from './settingsWriter.ts';

/** What importing works with. */
export interface ImportContext extends SecretKeeping {
  /** Where the editor keeps what is the user's: the settings, and storage for extensions. */
  readonly editorFolder: string;
}

/**
 * Finds the servers that other clients have, shows them, and adds those that the user checks to the
 * settings. Nothing is run, and no file but the settings is written.
 *
 * @throws {HumanError} when there is nothing to import.
 */
export async function importServers({ editorFolder, ...keeping }: ImportContext): Promise<void> {
  const places = importPlaces(thisMachine(editorFolder));
  const { files, notes } = await readPlaces(places);
  const found = planImport(files, existingSettings());
  const plan = { ...found, notes: [...notes, ...found.notes, ...remoteNote(places)] };
  assertAny(plan);
  const picked = (await pickCandidates(plan)) ?? [];
  const targets = picked.length > 0 ? await pickTargets(picked) : undefined;
  if (targets) {
    for (const [target, servers] of targets) {
      await writeServers(servers, target, keeping);
    }
    report(picked);
  }
}

function thisMachine(userSettings: string): Machine {
  const { workspaceFile } = vscode.workspace;
  return {
    platform: process.platform,
    home: homedir(),
    appData: process.env['APPDATA'],
    userSettings,
    folders: foldersOnDisk(),
    workspaceFile: workspaceFile?.scheme === 'file' ? workspaceFile.fsPath : undefined,
  };
}

function assertAny({ candidates, notes }: ImportPlan): void {
  if (candidates.length > 0) {
    return;
  }
  if (notes.length === 0) {
    throw new HumanError(
      'No servers were found: none in the files of other clients in these folders, and none in those of the user.',
    );
  }
  const said = notes.map(({ source, note }) => `${source.label}: ${localized(note)}`);
  throw new HumanError('No servers were found. {0}', said.join(' '));
}

/** In a remote window the editor keeps the user's own file on another machine than this one. */
function remoteNote(places: readonly ImportPlace[]): SourceNote[] {
  const user = places.find(({ source }) => source.scope === 'user');
  const note = sentence(
    'This window is remote: files of the user on other machines can not be read here.',
  );
  return user && vscode.env.remoteName !== undefined ? [{ source: user.source, note }] : [];
}

function report(picked: readonly Takeable[]): void {
  const names = picked.map(({ name }) => `"${printable(name)}"`).join(', ');
  const text =
    picked.length === 1
      ? vscode.l10n.t('1 server was imported: {0}. It was not started.', names)
      : vscode.l10n.t('{0} servers were imported: {1}. None was started.', picked.length, names);
  void vscode.window.showInformationMessage(text);
}
