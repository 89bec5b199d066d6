import { sandboxed } from '../../domain/adding/convertServer.ts';
import type { ImportCandidate, ImportPlan } from '../../domain/adding/importPlan.ts';
import { canBeSandboxed, shownLaunch } from '../../domain/adding/serverDraft.ts';
import type { JsonObject } from '../../domain/json.ts';
import { printable } from '../../domain/printable.ts';
import { shown, shownLine, withIcon } from '../../domain/shown.ts';
import { askMany, askOne } from '../quickInput.ts';
import { localized, t } from '../text.ts';
import * as vscode from '../vscode.ts';

/**
 * Shows every server that was found. The user can tick the servers that can be imported.
 *
 * @returns `undefined` when the user leaves.
 */
export async function pickCandidates({ candidates }: ImportPlan): Promise<Takeable[] | undefined> {
  const pick = vscode.window.createQuickPick<PreviewItem>();
  pick.placeholder = t('Tick the servers to import. No server is started.');
  pick.items = previewItems(candidates);
  pick.onDidChangeSelection(items => uncheckOthers(pick, items));
  const picked = await askMany(pick, t('Import Servers'));
  return picked?.flatMap(({ candidate }) => (isTakeable(candidate) ? [candidate] : []));
}

/**
 * Asks whether to confine the servers to their folders, if a sandbox can confine one of them.
 *
 * @returns the servers with that answer applied; `undefined` when the user leaves.
 */
export async function askToKeep(picked: readonly Takeable[]): Promise<Takeable[] | undefined> {
  if (!picked.some(canBeSandboxed)) {
    return [...picked];
  }
  const options = [
    {
      label: t('Keep Servers in Their Folders'),
      detail: t(
        'The servers see no other files of yours. In their folders, .git, .vscode and similar files are read only. Servers with a URL, and servers that run containers, get no sandbox.',
      ),
      value: true,
    },
    { label: t('No Sandbox'), detail: t('The servers run with your rights.'), value: false },
  ];
  const frame = { title: t('Import Servers'), hasBack: false };
  const answer = await askOne(
    t('Should the system keep the servers in their folders?'),
    options,
    frame,
  );
  if (answer.kind !== 'given') {
    return undefined;
  }
  return picked.map(one =>
    answer.value && canBeSandboxed(one) ? { ...one, entry: { ...one.entry, ...sandboxed } } : one,
  );
}

function uncheckOthers(pick: vscode.QuickPick<PreviewItem>, items: readonly PreviewItem[]): void {
  const allowed = items.filter(({ candidate }) => isTakeable(candidate));
  // Setting the selection raises this event again, so it is set only if it differs.
  if (allowed.length < items.length) {
    pick.selectedItems = allowed;
  }
}

/** A line of the list: a server, or the name of the file with the servers below. */
interface PreviewItem extends vscode.QuickPickItem {
  readonly candidate?: ImportCandidate;
}

/** The lines of the list: the servers, below the names of their files. */
function previewItems(candidates: readonly ImportCandidate[]): PreviewItem[] {
  const labels = candidates.map(({ source }) => source.label);
  return [...new Set(labels)].flatMap(label => [
    { label: shown(label), kind: vscode.QuickPickItemKind.Separator },
    ...candidates.filter(({ source }) => source.label === label).map(serverItem),
  ]);
}

/** A server that can be imported. */
export type Takeable = ImportCandidate & { readonly entry: JsonObject };

/** Whether a server can be imported. */
export function isTakeable(candidate: ImportCandidate | undefined): candidate is Takeable {
  return candidate?.entry !== undefined && candidate.status === 'ready';
}

function serverItem(candidate: ImportCandidate): PreviewItem {
  const { name, entry, notes, status } = candidate;
  const launch = entry ? [shownLaunch(entry, process.platform === 'win32')] : [];
  return {
    label: status === 'ready' ? shownLine(name) : withIcon(icons[status], printable(name)),
    // The command line comes last. It is the longest part, and the editor may cut off the end.
    detail: shown([...renamed(candidate), ...notes.map(localized), ...launch].join(' · ')),
    picked: status === 'ready',
    candidate,
  };
}

const icons: Readonly<Record<ImportCandidate['status'], string>> = {
  ready: '',
  present: 'check',
  impossible: 'circle-slash',
};

function renamed({ name, originalName, status }: ImportCandidate): string[] {
  if (status === 'present') {
    return [t('Your settings have this server already.')];
  }
  return name === originalName
    ? []
    : [t('Another server is called "{0}" already.', printable(originalName))];
}
