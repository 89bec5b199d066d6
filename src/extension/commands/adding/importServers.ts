import { homedir } from 'node:os';
import { type ImportPlan, planImport, type SourceNote } from '../../../domain/adding/importPlan.ts';
import { canBeSandboxed } from '../../../domain/adding/serverDraft.ts';
import {
  type ImportMachine,
  type ImportPlace,
  importPlaces,
} from '../../../domain/gateway/clientFiles.ts';
import { printable } from '../../../domain/printable.ts';
import { HumanError, type Sentence, sentence } from '../../../domain/sentence.ts';
import { shown } from '../../../domain/shown.ts';
import { foldersOnDisk } from '../../folders/foldersOnDisk.ts';
import { reply, untilSeen } from '../../screen.ts';
import type { SandboxSource } from '../../servers/serverTarget.ts';
import { localized, noSandboxText, t } from '../../text.ts';
import * as vscode from '../../vscode.ts';
import { askToKeep, isTakeable, pickCandidates, type Takeable } from './pickCandidates.ts';
import { readPlaces } from './readPlaces.ts';
import {
  existingSettings,
  type ServerKeeping,
  type SettingsTarget,
  targetItems,
  writeServers,
} from './writeServers.ts';

/**
 * Finds the servers that other clients have, shows them, and adds those that the user checks to the
 * settings. Nothing is run, and no file but the settings is written.
 *
 * @throws {HumanError} when there is nothing to import.
 */
export async function importServers(keeping: ServerKeeping, sandbox: SandboxSource): Promise<void> {
  const places = importPlaces(thisMachine(keeping.editorFolder));
  const { files, notes } = await readPlaces(places);
  const found = planImport(files, existingSettings());
  const plan = { ...found, notes: [...notes, ...found.notes, ...remoteNote(places)] };
  await takeOver(plan, keeping, sandbox);
}

/**
 * Shows the servers of a plan, and adds those that the user checks to the settings.
 *
 * @throws {HumanError} when there is none.
 */
export async function takeOver(
  plan: ImportPlan,
  keeping: ServerKeeping,
  sandbox: SandboxSource,
): Promise<void> {
  assertAny(plan);
  const noSandbox = await (await sandbox()).problem();
  sayNotes(plan, noSandbox);
  const checked = (await untilSeen(() => pickCandidates(plan))) ?? [];
  const picked = (noSandbox ? checked : await askToKeep(checked)) ?? [];
  const target = picked.length > 0 ? await pickTarget() : undefined;
  if (target) {
    await writeServers(picked, target, keeping);
    report(picked);
  }
}

/** The parts of this machine that tell where other clients keep their servers. */
export function thisMachine(userSettings: string): ImportMachine {
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
  throw new HumanError('No servers were found. {0}', notes.map(noteText).join(' '));
}

/** Says beside the list what is about no server in it: there, each line could be checked. */
function sayNotes({ candidates, notes }: ImportPlan, noSandbox: Sentence | undefined): void {
  const isUnkept = noSandbox && candidates.some(one => isTakeable(one) && canBeSandboxed(one));
  const said = [...notes.map(noteText), ...(isUnkept ? [noSandboxText(noSandbox)] : [])];
  if (said.length > 0) {
    void reply(shown(said.join(' ')));
  }
}

function noteText({ source, note }: SourceNote): string {
  return `${source.label}: ${localized(note)}`;
}

/** In a remote window the editor keeps the user's own file on another machine than this one. */
function remoteNote(places: readonly ImportPlace[]): SourceNote[] {
  const user = places.find(({ source }) => source.scope === 'user');
  const note = sentence(
    'This window is remote: files of the user on other machines can not be read here.',
  );
  return user && vscode.env.remoteName !== undefined ? [{ source: user.source, note }] : [];
}

/** Asks which settings the servers go to, where there is a choice. */
async function pickTarget(): Promise<SettingsTarget | undefined> {
  const targets = targetItems();
  if (targets.length === 1) {
    return 'user';
  }
  const placeHolder = t('Where are the servers to be?');
  const options = { title: t('Import Servers'), placeHolder, ignoreFocusOut: true };
  return (await untilSeen(() => vscode.window.showQuickPick(targets, options)))?.value;
}

function report(picked: readonly Takeable[]): void {
  const names = picked.map(({ name }) => `"${printable(name)}"`).join(', ');
  const text =
    picked.length === 1
      ? t('1 server was imported: {0}. It was not started.', names)
      : t('{0} servers were imported: {1}. None was started.', picked.length, names);
  void reply(text);
}
