import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable.ts';
import type { ImportPlan } from '../../../domain/import/importedServers.ts';
import { isTakeable, type PreviewItem, previewItems, type Takeable } from './candidateItems.ts';
import { Preview } from './preview.ts';

/**
 * Shows every server that was found, and lets the user check those to take over. What is better
 * looked at first is not checked, and what can't be taken over can't be.
 * `undefined` when the user leaves.
 */
export async function pickCandidates(plan: ImportPlan): Promise<Takeable[] | undefined> {
  const store = new DisposableStore();
  const pick = store.add(vscode.window.createQuickPick<PreviewItem>());
  const preview = store.add(new Preview());
  let looking = Promise.resolve();
  pick.title = vscode.l10n.t('Import Servers');
  pick.placeholder = vscode.l10n.t('Check the servers to import. None of them is started.');
  pick.canSelectMany = true;
  pick.matchOnDetail = true;
  pick.ignoreFocusOut = true;
  pick.items = previewItems(plan);
  pick.selectedItems = pick.items.filter(({ picked }) => picked);
  store.add(pick.onDidChangeSelection(items => uncheckOthers(pick, items)));
  store.add(
    pick.onDidTriggerItemButton(({ item }) => {
      if (item.candidate) {
        looking = preview.show(item.candidate);
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
    await looking; // What is being opened is read from the preview.
    store.dispose();
  }
}

function uncheckOthers(pick: vscode.QuickPick<PreviewItem>, items: readonly PreviewItem[]): void {
  const allowed = items.filter(({ candidate }) => candidate && isTakeable(candidate));
  // Setting what is checked raises the event again, so only where it makes a difference.
  if (allowed.length < items.length) {
    pick.selectedItems = allowed;
  }
}

function takeable(items: readonly PreviewItem[]): Takeable[] {
  return items.flatMap(({ candidate }) => (candidate && isTakeable(candidate) ? [candidate] : []));
}
