import { homedir } from 'node:os';
import { type ImportPlan, isOfWorkspace, type SourceNote } from '../../domain/adding/importPlan.ts';
import { canBeSandboxed } from '../../domain/adding/serverDraft.ts';
import type { ImportMachine } from '../../domain/gateway/clientFiles.ts';
import { printable } from '../../domain/printable.ts';
import { HumanError, type Sentence } from '../../domain/sentence.ts';
import { shown } from '../../domain/shown.ts';
import { foldersOnDisk } from '../foldersOnDisk.ts';
import { reply, untilSeen } from '../screen.ts';
import type { SandboxSource } from '../servers/serverTarget.ts';
import { localized, noSandboxText, t } from '../text.ts';
import * as vscode from '../vscode.ts';
import { askToKeep, isTakeable, pickCandidates, type Takeable } from './pickCandidates.ts';
import {
  type ServerKeeping,
  type SettingsTarget,
  targetItems,
  writeServers,
} from './writeServers.ts';

/**
 * Shows the servers of a plan, and adds the ticked servers to the settings.
 *
 * @throws {HumanError} when the plan has no server.
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
  const target = picked.length > 0 ? await pickTarget(picked) : undefined;
  if (target) {
    await writeServers(picked, target, keeping);
    report(picked);
  }
}

/** The facts about this machine that lead to other clients' files. `userSettings` is a folder. */
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
      "No servers were found in the files of VS Code, Claude Code, Cursor or Claude Desktop. MCP Roots looked in this window's folders and in your home.",
    );
  }
  throw new HumanError('No servers were found. {0}', notes.map(noteText).join(' '));
}

/** Shows a message with the notes that the list lacks, because they concern no single server. */
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

/** Asks which settings get the servers, if there is more than one choice. */
async function pickTarget(picked: readonly Takeable[]): Promise<SettingsTarget | undefined> {
  const targets = picked.some(isOfWorkspace) ? targetItems().reverse() : targetItems();
  if (targets.length === 1) {
    return 'user';
  }
  const placeHolder = t('Where do you want to save the servers?');
  const options = { title: t('Import Servers'), placeHolder, ignoreFocusOut: true };
  return (await untilSeen(() => vscode.window.showQuickPick(targets, options)))?.value;
}

function report(picked: readonly Takeable[]): void {
  const names = picked.map(({ name }) => `"${printable(name)}"`).join(', ');
  const text =
    picked.length === 1
      ? t('1 server was imported: {0}. Start it when you need it.', names)
      : t('{0} servers were imported: {1}. Start them when you need them.', picked.length, names);
  void reply(text);
}
