import { sandboxed } from '../../../domain/adding/convertServer.ts';
import type { ImportCandidate, ImportPlan, SourceNote } from '../../../domain/adding/importPlan.ts';
import { canBeSandboxed, shownLaunch } from '../../../domain/adding/serverDraft.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { printable } from '../../../domain/printable.ts';
import type { Sentence } from '../../../domain/sentence.ts';
import { shown, shownLine, withIcon } from '../../../domain/shown.ts';
import { localized, noSandboxText, t } from '../../text.ts';
import * as vscode from '../../vscode.ts';
import { askMany } from './questions.ts';

/**
 * Shows every server that was found, and lets the user check those to take over; others can't be
 * checked. A line above them keeps them in their folders.
 *
 * @param noSandbox why the system can't keep them there; `undefined`: it can.
 * @returns `undefined` when the user leaves.
 */
export async function pickCandidates(
  plan: ImportPlan,
  noSandbox: Sentence | undefined,
): Promise<Takeable[] | undefined> {
  const pick = vscode.window.createQuickPick<PreviewItem>();
  pick.placeholder = t('Check the servers to import. None of them is started.');
  pick.items = [...keepingItem(plan, noSandbox), ...previewItems(plan)];
  pick.onDidChangeSelection(items => uncheckOthers(pick, items));
  const picked = await askMany(pick, t('Import Servers'));
  return picked && takeable(picked);
}

/** The line that decides whether the servers are kept in their folders, or says why they can't be. */
function keepingItem({ candidates }: ImportPlan, noSandbox: Sentence | undefined): PreviewItem[] {
  if (!candidates.some(one => isTakeable(one) && canBeSandboxed(one))) {
    return [];
  }
  return noSandbox
    ? [{ label: withIcon('info', noSandboxText(noSandbox)) }]
    : [
        {
          label: t('Keep Them in Their Folders'),
          detail: t(
            'They see no other files of yours, and can only read .git and .vscode in them.',
          ),
          picked: true,
          isKeeping: true,
        },
      ];
}

function uncheckOthers(pick: vscode.QuickPick<PreviewItem>, items: readonly PreviewItem[]): void {
  const allowed = items.filter(
    ({ candidate, isKeeping }) => isKeeping || (candidate && isTakeable(candidate)),
  );
  // Setting what is checked raises the event again, so only where it makes a difference.
  if (allowed.length < items.length) {
    pick.selectedItems = allowed;
  }
}

function takeable(items: readonly PreviewItem[]): Takeable[] {
  const isKept = items.some(({ isKeeping }) => isKeeping);
  return items.flatMap(({ candidate }) => {
    if (!candidate || !isTakeable(candidate)) {
      return [];
    }
    const { entry } = candidate;
    return isKept && canBeSandboxed(candidate)
      ? [{ ...candidate, entry: { ...entry, ...sandboxed } }]
      : [candidate];
  });
}

/** A line of the preview. */
interface PreviewItem extends vscode.QuickPickItem {
  /** `undefined`: the line only says something, or decides on all of them. */
  readonly candidate?: ImportCandidate;
  readonly isKeeping?: true;
}

/** The lines of the preview: each server under the file it is in, and the notes on the files. */
function previewItems({ candidates, notes }: ImportPlan): PreviewItem[] {
  const labels = [...candidates, ...notes].map(({ source }) => source.label);
  return [...new Set(labels)].flatMap(label => [
    { label: shown(label), kind: vscode.QuickPickItemKind.Separator },
    ...candidates.filter(({ source }) => source.label === label).map(serverItem),
    ...notes.filter(({ source }) => source.label === label).map(noteItem),
  ]);
}

/** A server that can be taken over. */
export type Takeable = ImportCandidate & { readonly entry: JsonObject };

/** True if a server can be taken over. */
function isTakeable(candidate: ImportCandidate): candidate is Takeable {
  return candidate.entry !== undefined && candidate.status === 'ready';
}

function serverItem(candidate: ImportCandidate): PreviewItem {
  const { name, entry, notes, status } = candidate;
  return {
    label: status === 'ready' ? shownLine(name) : withIcon(icons[status], printable(name)),
    // The command line comes last: it is the longest and the best known, and the end may be cut off.
    detail: shown(
      [...renamed(candidate), ...notes.map(localized), ...(entry ? [shownLaunch(entry)] : [])].join(
        ' · ',
      ),
    ),
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
    return [t('It is there already.')];
  }
  return name === originalName
    ? []
    : [t('Another server is called "{0}" already.', printable(originalName))];
}

function noteItem({ note }: SourceNote): PreviewItem {
  return { label: withIcon('info', localized(note)) };
}
