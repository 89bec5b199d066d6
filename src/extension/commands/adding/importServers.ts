import { homedir } from 'node:os';
import {
  type ImportPlace,
  importPlaces,
  type Machine,
} from '../../../domain/adding/importPlaces.ts';
import { type ImportPlan, planImport, type SourceNote } from '../../../domain/adding/importPlan.ts';
import { printable } from '../../../domain/printable.ts';
import { HumanError, sentence } from '../../../domain/sentence.ts';
import { foldersOnDisk } from '../../folders/foldersOnDisk.ts';
import type { SandboxSource } from '../../servers/serverTarget.ts';
import { localized, t } from '../../text.ts';
import * as vscode from '../../vscode.ts';
import { pickCandidates, type Takeable } from './pickCandidates.ts';
import { readPlaces } from './readPlaces.ts';
import {
  existingSettings,
  type ServerKeeping,
  type SettingsTarget,
  type TargetItem,
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
  const picked = (await pickCandidates(plan, noSandbox)) ?? [];
  const targets = picked.length > 0 ? await pickTargets(picked) : undefined;
  if (targets) {
    for (const [target, servers] of targets) {
      await writeServers(servers, target, keeping);
    }
    report(picked);
  }
}

/** Where other clients keep their servers on this machine. */
export function thisMachine(userSettings: string): Machine {
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

/** The servers for each kind of settings; none of the lists is empty. */
type Targets = readonly (readonly [SettingsTarget, readonly Takeable[]])[];

/** The settings to pick for all servers, or for each the ones where it belongs. */
interface Choice extends vscode.QuickPickItem {
  readonly value: SettingsTarget | 'as-found';
}

/** Asks which settings the servers go to; first in the list are the settings where they belong. */
async function pickTargets(picked: readonly Takeable[]): Promise<Targets | undefined> {
  const scopes = new Set(picked.map(({ source }) => source.scope));
  const [usual = 'user'] = scopes;
  const choices = targetChoices(usual, scopes.size > 1);
  if (choices.length === 1) {
    return [['user', picked]];
  }
  const chosen = await vscode.window.showQuickPick(choices, {
    title: t('Import Servers'),
    placeHolder: t('Where are the servers to be?'),
    ignoreFocusOut: true,
  });
  if (chosen?.value !== 'as-found') {
    return chosen && [[chosen.value, picked]];
  }
  const of = (scope: SettingsTarget) => picked.filter(({ source }) => source.scope === scope);
  return [
    ['workspace', of('workspace')],
    ['user', of('user')],
  ];
}

function targetChoices(usual: SettingsTarget, isMixed: boolean): Choice[] {
  const items: readonly TargetItem[] = targetItems(usual);
  const asFound: Choice = {
    value: 'as-found',
    label: t('Where They Come From'),
    detail: t('Those of the workspace to its settings, the others to yours.'),
  };
  return [...(isMixed && items.length > 1 ? [asFound] : []), ...items];
}

function report(picked: readonly Takeable[]): void {
  const names = picked.map(({ name }) => `"${printable(name)}"`).join(', ');
  const text =
    picked.length === 1
      ? t('1 server was imported: {0}. It was not started.', names)
      : t('{0} servers were imported: {1}. None was started.', picked.length, names);
  void vscode.window.showInformationMessage(text);
}
