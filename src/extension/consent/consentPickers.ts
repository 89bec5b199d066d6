import { DisposableStore } from '../../base/disposable.ts';
import type { FolderAccess } from '../../domain/consent/folderAccess.ts';
import type { Folder } from '../../domain/folders/folders.ts';
import { shown, shownLine } from '../../domain/shown.ts';
import { folderText } from '../folderText.ts';
import type { Server } from '../servers/server.ts';
import { t } from '../text.ts';
import * as vscode from '../vscode.ts';

interface PickerItem extends vscode.QuickPickItem {
  readonly access: FolderAccess;
}

/** The folders of a server that a user picked, by their URIs. */
export interface PickedFolders {
  readonly allowed: ReadonlySet<string>;
  /** The ones that are read only where they are allowed, now or later; `undefined`: as it was. */
  readonly readOnly?: ReadonlySet<string>;
}

/**
 * Lets the user check the folders that a server may see, the ones it may see now are checked first;
 * and say, where a sandbox sees to it, which are read only. `undefined`: the user left without saying.
 */
export async function pickFolders(
  server: Server,
  folders: readonly Folder[],
): Promise<PickedFolders | undefined> {
  const uris = new Set(folders.map(({ uri }) => uri));
  const choices = server.access.folders.filter(({ folder }) => uris.has(folder.uri));
  const store = new DisposableStore();
  const pick = store.add(vscode.window.createQuickPick<PickerItem>());
  pick.title = t('Folders for "{0}"', server.definition.label);
  pick.placeholder = t('Check the folders to be seen. The others are not.');
  pick.canSelectMany = true;
  pick.matchOnDetail = true;
  pick.ignoreFocusOut = true;
  pick.keepScrollPosition = true;
  pick.items = choices.map(access => folderItem(access, server));
  pick.selectedItems = pick.items.filter(({ picked }) => picked);
  store.add(pick.onDidTriggerItemButton(({ item }) => flip(pick, item, server)));
  let picked: readonly PickerItem[] | undefined;
  try {
    picked = await new Promise(resolve => {
      store.add(pick.onDidAccept(() => resolve(pick.selectedItems)));
      store.add(pick.onDidHide(() => resolve(undefined)));
      pick.show();
    });
  } finally {
    store.dispose();
  }
  return (
    picked && {
      allowed: urisOf(picked),
      readOnly: urisOf(pick.items.filter(({ access }) => access.isReadOnly)),
    }
  );
}

function urisOf(items: readonly PickerItem[]): ReadonlySet<string> {
  return new Set(items.map(({ access }) => access.folder.uri));
}

function folderItem(access: FolderAccess, server: Server): PickerItem {
  const { folder, root, isReadOnly = false } = access;
  const { definition, isLive, lastExposure } = server;
  // The mode is said apart, since it is chosen here.
  const situation = { isLive, lastExposure };
  const status = folderText({ ...access, isReadOnly: false }, situation);
  const mode = isReadOnly ? t('read only') : t('read and write');
  return {
    label: shownLine(folder.name),
    description: shown(definition.sandbox ? `${mode} · ${status}` : status),
    detail: shownLine(folder.path ?? folder.uri),
    picked: root !== undefined,
    ...(definition.sandbox && { buttons: [modeButton(isReadOnly)] }),
    access,
  };
}

function modeButton(isReadOnly: boolean): vscode.QuickInputButton {
  return isReadOnly
    ? { iconPath: new vscode.ThemeIcon('edit'), tooltip: t('Allow Read and Write') }
    : { iconPath: new vscode.ThemeIcon('lock'), tooltip: t('Make Read Only') };
}

/** Puts an item that says the opposite in the place of one, as checked as that was. */
function flip(pick: vscode.QuickPick<PickerItem>, item: PickerItem, server: Server): void {
  const { access } = item;
  const next = folderItem({ ...access, isReadOnly: !access.isReadOnly }, server);
  const flipped = (items: readonly PickerItem[]) =>
    items.map(each => (each === item ? next : each));
  const { selectedItems } = pick;
  pick.items = flipped(pick.items);
  pick.selectedItems = flipped(selectedItems);
  pick.activeItems = [next];
}
