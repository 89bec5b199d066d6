import { DisposableStore, type IDisposable } from '../../../base/disposable.ts';
import { type ServerEntry, sandboxed } from '../../../domain/adding/convertServer.ts';
import type { ImportCandidate, ImportPlan, SourceNote } from '../../../domain/adding/importPlan.ts';
import { shownLaunch } from '../../../domain/adding/serverDraft.ts';
import { printable } from '../../../domain/printable.ts';
import type { Sentence } from '../../../domain/sentence.ts';
import { runsContainers } from '../../../domain/servers/fetchingPrograms.ts';
import { shown, shownLine, withIcon } from '../../../domain/shown.ts';
import { Setting } from '../../ids.ts';
import { localized, noSandboxText, t } from '../../text.ts';
import * as vscode from '../../vscode.ts';

/**
 * Shows every server that was found, and lets the user check the ones to take over. Doubtful ones are
 * not checked at first, and one that can't be taken over can't be checked. A line above them is for
 * keeping them in their folders.
 *
 * @param noSandbox why the system can't keep them there; `undefined`: it can.
 * @returns `undefined` when the user leaves.
 */
export async function pickCandidates(
  plan: ImportPlan,
  noSandbox: Sentence | undefined,
): Promise<Takeable[] | undefined> {
  const store = new DisposableStore();
  const pick = store.add(vscode.window.createQuickPick<PreviewItem>());
  const preview = store.add(new Preview());
  let looking = Promise.resolve();
  pick.title = t('Import Servers');
  pick.placeholder = t('Check the servers to import. None of them is started.');
  pick.canSelectMany = true;
  pick.matchOnDetail = true;
  pick.ignoreFocusOut = true;
  const keeping = keepingItem(plan, noSandbox);
  pick.items = [...keeping, ...previewItems(plan)];
  pick.selectedItems = pick.items.filter(({ picked }) => picked);
  store.add(pick.onDidChangeSelection(items => uncheckOthers(pick, items)));
  store.add(
    pick.onDidTriggerItemButton(({ item }) => {
      if (item.candidate) {
        looking = preview.show(asPicked(item.candidate, pick.selectedItems));
      }
    }),
  );
  try {
    return await new Promise(resolve => {
      store.add(pick.onDidAccept(() => resolve(takeable(pick.selectedItems))));
      store.add(pick.onDidHide(() => resolve(undefined)));
      pick.show();
    });
  } finally {
    await looking; // A document that is being opened is read from the preview.
    store.dispose();
  }
}

/** The line that decides whether the servers are kept in their folders, or says why they can't be. */
function keepingItem({ candidates }: ImportPlan, noSandbox: Sentence | undefined): PreviewItem[] {
  if (!candidates.some(one => isTakeable(one) && isSandboxable(one.entry))) {
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

/** The server as it is written, with what is checked. */
function asPicked<T extends ImportCandidate>(candidate: T, checked: readonly PreviewItem[]): T {
  const { entry } = candidate;
  const isKept = checked.some(({ isKeeping }) => isKeeping) && entry && isSandboxable(entry);
  return isKept ? { ...candidate, entry: { ...entry, ...sandboxed } } : candidate;
}

function isSandboxable({ type, command = '' }: ServerEntry): boolean {
  return type === 'stdio' && !runsContainers(command);
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
  return items.flatMap(({ candidate }) =>
    candidate && isTakeable(candidate) ? [asPicked(candidate, items)] : [],
  );
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
export type Takeable = ImportCandidate & { readonly entry: ServerEntry };

/** Whether a server can be taken over at all. */
function isTakeable(candidate: ImportCandidate): candidate is Takeable {
  const { status, entry } = candidate;
  return entry !== undefined && (status === 'ready' || status === 'doubtful');
}

function serverItem(candidate: ImportCandidate): PreviewItem {
  const { name, entry, doubts, notes, status } = candidate;
  const tooltip = t('Show What Will Be Written');
  return {
    label: status === 'ready' ? shownLine(name) : withIcon(icons[status], printable(name)),
    // The command line comes last: it is the longest and the best known, and the end may be cut off.
    detail: shown(
      [
        ...renamed(candidate),
        ...[...doubts, ...notes].map(localized),
        ...(entry ? [shownLaunch({ ...entry })] : []),
      ].join(' · '),
    ),
    picked: status === 'ready',
    buttons: [{ iconPath: new vscode.ThemeIcon('eye'), tooltip }],
    candidate,
  };
}

const icons = { doubtful: 'warning', present: 'check', impossible: 'circle-slash' } as const;

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

const scheme = 'mcp-roots-import';

/** Shows what would be written for a server, in a read-only document. */
class Preview implements IDisposable {
  private readonly store = new DisposableStore();
  private readonly texts = new Map<string, string>();

  constructor() {
    const provideTextDocumentContent = (uri: vscode.Uri) => this.texts.get(uri.toString());
    this.store.add(
      vscode.workspace.registerTextDocumentContentProvider(scheme, { provideTextDocumentContent }),
    );
  }

  async show(candidate: ImportCandidate): Promise<void> {
    // A number of its own makes each a document of its own: what is shown never changes.
    const path = `/${this.texts.size + 1}/${candidate.name.replace(/[^\w.-]+/g, '-')}.jsonc`;
    const uri = vscode.Uri.from({ scheme, path });
    this.texts.set(uri.toString(), previewText(candidate));
    await vscode.window.showTextDocument(uri, { preview: true, preserveFocus: true });
  }

  dispose(): void {
    this.store.dispose();
  }
}

/** The doubts and notes on a server as comments, and the JSON to be written. It holds no secret. */
function previewText({ name, source, entry, inputs, doubts, notes }: ImportCandidate): string {
  const comments = [
    t('"{0}" from {1}', printable(name), source.label),
    ...[...doubts, ...notes].map(localized),
  ];
  const written = {
    ...(entry && { [Setting.servers]: Object.fromEntries([[name, entry]]) }),
    ...(entry && inputs.length > 0 && { [Setting.inputs]: inputs }),
  };
  const lines = JSON.stringify(written, undefined, 2).split('\n').map(printable);
  return [...comments.map(comment => `// ${printable(comment)}`), ...lines, ''].join('\n');
}
