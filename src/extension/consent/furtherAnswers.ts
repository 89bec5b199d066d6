import { type FolderAccess, isNewAnswer } from '../../domain/consent/folderAccess.ts';
import type { GrantScope } from '../../domain/consent/grants.ts';
import { readOnlyWord } from '../../domain/consent/statusWords.ts';
import { type Folder, uniqueFolders } from '../../domain/folders/folders.ts';
import { printable } from '../../domain/printable.ts';
import { distinctNames } from '../../domain/roots.ts';
import { commandLine } from '../../domain/servers/launch.ts';
import { type Shown, shown, shownLine } from '../../domain/shown.ts';
import { folderText } from '../folderText.ts';
import { askMany } from '../quickInput.ts';
import { type Screen, untilSeen } from '../screen.ts';
import type { Server } from '../servers/server.ts';
import { folderNames, serverNames } from '../shownNames.ts';
import { t } from '../text.ts';
import * as vscode from '../vscode.ts';
import { type FolderAnswer, folderPlaces, leavesText } from './folderQuestions.ts';
import type { Waiting } from './openQuestions.ts';

/** A person's answer on the folders of one server, and how long the answer holds. */
export interface GivenAnswer extends Waiting {
  readonly picked: PickedFolders;
  readonly scope: GrantScope;
}

/**
 * Asks what an answer does not say: which folders, for which server, and for how long. Returns an
 * empty list if the person leaves a question.
 */
export async function furtherAnswers(
  waiting: readonly Waiting[],
  answer: FolderAnswer,
  screen: Screen,
): Promise<readonly GivenAnswer[]> {
  const picked = await pickedFor(waiting, answer);
  if (!picked || picked.length === 0) {
    return [];
  }
  const scope = await pickScope(titleOn(picked));
  if (!scope) {
    screen.tell(t('Nothing was saved, because you did not choose how long your answer counts.'));
    return [];
  }
  return picked.map(one => ({ ...one, scope }));
}

type Picked = Omit<GivenAnswer, 'scope'>;

async function pickedFor(
  waiting: readonly Waiting[],
  answer: FolderAnswer,
): Promise<readonly Picked[] | undefined> {
  const [only, ...others] = waiting;
  switch (answer) {
    case 'allow':
      return waiting.map(one => ({ ...one, picked: { allowed: urisOf(one.folders) } }));
    case 'deny':
      return waiting.map(one => ({ ...one, picked: { allowed: urisOf([]) } }));
    case 'choose': {
      if (!only || others.length > 0) {
        return pickWho(waiting);
      }
      const picked = await untilSeen(() => pickFolders(only.server, only.folders));
      return picked && [changesIn(only, picked)];
    }
  }
}

/** The picked answers that are new. If none is, returns all, because only the duration is new. */
function changesIn({ server, folders }: Waiting, picked: PickedFolders): Picked {
  const { allowed, readOnly } = picked;
  const changed = server.access.folders.filter(
    access =>
      isNewAnswer(access, allowed.has(access.folder.uri)) ||
      readOnly?.has(access.folder.uri) !== (access.isReadOnly ?? false),
  );
  const uris = urisOf(changed.map(({ folder }) => folder));
  const news = folders.filter(({ uri }) => uris.has(uri));
  const answered = news.length > 0 ? news : folders;
  const among = answered.filter(({ uri }) => allowed.has(uri));
  return { server, folders: answered, picked: { ...picked, allowed: urisOf(among) } };
}

function urisOf(folders: readonly Folder[]): ReadonlySet<string> {
  return new Set(folders.map(({ uri }) => uri));
}

interface WhoItem extends vscode.QuickPickItem {
  /** The server of the line; `undefined` if the line is the heading of a folder. */
  readonly server?: Server;
  readonly uri?: string;
}

/** Lets the user tick in one list which servers may see each folder. */
async function pickWho(waiting: readonly Waiting[]): Promise<readonly Picked[] | undefined> {
  const folders = uniqueFolders(waiting.flatMap(one => one.folders));
  const names = distinctNames(folders).map(printable);
  const items = folders.flatMap((folder, index) => [
    ...(folders.length > 1 ? [folderLine(names[index] ?? '', folder)] : []),
    ...waiting
      .filter(one => one.folders.some(({ uri }) => uri === folder.uri))
      .map(({ server }) => whoItem(server, folder)),
  ]);
  const options = {
    title: t('Who may see {0}?', folderPlaces(waiting)),
    placeHolder: t('Tick the servers that may see each folder.'),
    canPickMany: true,
    matchOnDescription: true,
    matchOnDetail: true,
    ignoreFocusOut: true,
  } as const;
  const checked = await untilSeen(() => vscode.window.showQuickPick<WhoItem>(items, options));
  return (
    checked &&
    waiting.map(one => {
      const its = checked.filter(({ server }) => server === one.server);
      return { ...one, picked: { allowed: new Set(its.flatMap(({ uri }) => uri ?? [])) } };
    })
  );
}

function folderLine(name: string, { path, uri }: Folder): WhoItem {
  const label = t('{0} in {1}', name, printable(path ?? uri));
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function whoItem(server: Server, { uri }: Folder): WhoItem {
  const { definition } = server;
  const access = server.access.folders.find(({ folder }) => folder.uri === uri);
  const texts = [...(access ? [folderText(access, server)] : []), ...leavesText(server)];
  return {
    label: shown(definition.label),
    description: shown(texts.join(' · ')),
    detail: shown(commandLine(definition.launch)),
    server,
    uri,
  };
}

/** The title of the list of durations: the answer that will be stored, and its servers. */
function titleOn(given: readonly Picked[]): Shown {
  const isIn = (uris: ReadonlySet<string>) => (folder: Folder) => uris.has(folder.uri);
  const yes = given.filter(({ picked }) => picked.allowed.size > 0);
  const shown = yes.length > 0 ? yes : given;
  const asking = shown.map(({ server }) => server);
  const servers = serverNames(asking);
  const of = ({ folders, picked }: Picked) =>
    yes.length > 0 ? folders.filter(isIn(picked.allowed)) : folders;
  const folders = folderNames(uniqueFolders(shown.flatMap(of)), asking);
  const isSame = new Set(shown.map(one => [...urisOf(of(one))].join('\n'))).size === 1;
  if (yes.length === 0) {
    return t("Don't let {0} see {1}", servers, folders);
  }
  const isReadOnly = shown.every(one => of(one).every(({ uri }) => one.picked.readOnly?.has(uri)));
  if (isReadOnly) {
    return t('Let {0} see {1}, read only', servers, folders);
  }
  return isSame
    ? t('Let {0} see {1}', servers, folders)
    : t('Let {0} see the ticked folders: {1}', servers, folders);
}

/** Asks how long an answer holds; `undefined` when the user leaves the list. */
async function pickScope(title: Shown): Promise<GrantScope | undefined> {
  const items: (vscode.QuickPickItem & { scope: GrantScope })[] = [
    {
      scope: 'workspace',
      label: t('In This Workspace'),
      detail: t('Your answer counts whenever this workspace is open.'),
    },
    {
      scope: 'session',
      label: t('Until the Window Closes'),
      detail: t('Your answer ends when this window closes or is reloaded.'),
    },
    {
      scope: 'always',
      label: t('Always'),
      detail: t('Your answer counts for these folders in every workspace.'),
    },
  ];
  const placeHolder = t('How long does this answer count?');
  const options = { title, placeHolder, ignoreFocusOut: true };
  return (await untilSeen(() => vscode.window.showQuickPick(items, options)))?.scope;
}

interface PickerItem extends vscode.QuickPickItem {
  readonly access: FolderAccess;
}

/** The folders of a server that a user picked, by their URIs. */
interface PickedFolders {
  readonly allowed: ReadonlySet<string>;
  /** Folders that are read-only when allowed, now or later. `undefined`: unchanged. */
  readonly readOnly?: ReadonlySet<string>;
}

/**
 * Lets the user tick the folders that a server may see. Visible folders are ticked at first. If the
 * server has a sandbox, the user can also make folders read-only. `undefined`: the user left.
 */
async function pickFolders(
  server: Server,
  folders: readonly Folder[],
): Promise<PickedFolders | undefined> {
  const uris = urisOf(folders);
  const choices = server.access.folders.filter(({ folder }) => uris.has(folder.uri));
  const pick = vscode.window.createQuickPick<PickerItem>();
  pick.placeholder = t('Tick the folders that the server may see.');
  pick.keepScrollPosition = true;
  pick.items = choices.map(access => folderItem(access, server));
  pick.onDidTriggerItemButton(({ item }) => flip(pick, item, server));
  const picked = await askMany(pick, t('Folders for "{0}"', server.definition.label));
  return (
    picked && {
      allowed: urisOf(picked.map(folderOf)),
      readOnly: urisOf(pick.items.filter(({ access }) => access.isReadOnly).map(folderOf)),
    }
  );
}

function folderOf({ access }: PickerItem): Folder {
  return access.folder;
}

function folderItem(access: FolderAccess, server: Server): PickerItem {
  const { folder, root, isReadOnly = false } = access;
  const { definition, isLive, lastExposure } = server;
  // The status leaves out "read only", because the user chooses the mode in this list.
  const situation = { isLive, lastExposure };
  const status = folderText({ ...access, isReadOnly: false }, situation);
  const mode = isReadOnly ? t(readOnlyWord) : t('read and write');
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

/** Makes an item read-only, or read and write again. The check mark of the item stays. */
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
