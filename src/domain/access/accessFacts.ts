import {
  type Access,
  type FolderAccess,
  isAnswerable,
  isNewAnswer,
} from '../consent/folderAccess.ts';
import { type FolderStatus, formerStatus, statusWords } from '../consent/statusWords.ts';
import { type Folder, uniqueFolders } from '../folders/folders.ts';
import { cutMiddle, printable } from '../printable.ts';
import { distinctNames, isUriWithin, type Root } from '../roots.ts';
import type {
  AccessCell,
  AccessChange,
  AccessRow,
  AccessTable,
  FolderColumn,
} from './accessTable.ts';

export interface ViewerFacts extends Pick<AccessRow, 'id' | 'name' | 'about'> {
  readonly access: Access;
  readonly statusOf: (access: FolderAccess) => FolderStatus;
  readonly titleOf: (access: FolderAccess) => string;
  /** Whether a sandbox can make a folder read-only for the server. */
  readonly canReadOnly: boolean;
  /** The roots that the server got before their folders left the window. */
  readonly formerRoots: readonly (Root & { readonly title: string })[];
  readonly clients: readonly ClientViewer[];
}

export interface ClientViewer extends Pick<AccessRow, 'name' | 'about'> {
  /** The roots that the client's own process of the server last received. */
  readonly roots: readonly Root[];
  /** The text that says when the process received the roots. */
  readonly title: string;
}

const longest = { name: 60, place: 120 };

/** The table of these servers, in the given order. The clients of a server follow the server. */
export function accessTable(
  viewers: readonly ViewerFacts[],
  placeText: (path: string) => string,
): AccessTable {
  const columns = columnsOf(viewers);
  const names = shownNames(distinctNames(columns));
  const viewerNames = shownNames(viewers.map(({ name }) => name));
  const folders = columns.map(({ uri, path }, index) => ({
    id: uri,
    name: names[index] ?? '',
    place: cutMiddle(printable(path === undefined ? uri : placeText(path)), longest.place),
  }));
  return {
    folders,
    rows: viewers.flatMap((viewer, index): AccessRow[] => [
      {
        id: viewer.id,
        kind: 'server',
        name: viewerNames[index] ?? '',
        about: viewer.about.map(printable),
        cells: cellsOf(viewer, folders),
      },
      ...clientRows(viewer, folders),
    ]),
  };
}

/**
 * Returns the folder whose status a page's request would change. `undefined`: no answer can change
 * the status, or the request changes nothing. An old or a foreign page may send such a request.
 */
export function folderToChange(
  { access, canReadOnly }: Pick<ViewerFacts, 'access' | 'canReadOnly'>,
  { folder: uri, isAllowed, isReadOnly }: AccessChange,
): Folder | undefined {
  const found = access.folders.find(({ folder }) => folder.uri === uri);
  if (!found || (isReadOnly !== undefined && !canReadOnly)) {
    return undefined;
  }
  const isNewMode = isReadOnly !== undefined && isReadOnly !== (found.isReadOnly ?? false);
  const isNews = isNewAnswer(found, isAllowed) || (isNewMode && isAnswerable(found));
  return isNews ? found.folder : undefined;
}

function columnsOf(viewers: readonly ViewerFacts[]): Pick<Folder, 'uri' | 'name' | 'path'>[] {
  const folders = viewers.flatMap(({ access }) => access.folders.map(({ folder }) => folder));
  const former = viewers.flatMap(({ formerRoots }) => formerRoots);
  return uniqueFolders([...folders, ...former.map(root => ({ ...root, path: undefined }))]);
}

function cellsOf(viewer: ViewerFacts, folders: readonly FolderColumn[]): readonly AccessCell[] {
  const accesses = new Map(viewer.access.folders.map(access => [access.folder.uri, access]));
  return folders.map(({ id }) => {
    const access = accesses.get(id);
    if (access) {
      return cellOf(access, viewer);
    }
    const former = viewer.formerRoots.find(({ uri }) => uri === id);
    return former
      ? { word: formerStatus.word, words: statusWords(formerStatus), title: former.title }
      : noCell();
  });
}

function cellOf(access: FolderAccess, { statusOf, titleOf, canReadOnly }: ViewerFacts): AccessCell {
  const status = statusOf(access);
  return {
    word: status.word,
    words: statusWords(status),
    title: titleOf(access),
    ...(isAnswerable(access) && {
      isAnswerable: true,
      ...(canReadOnly && { mode: access.isReadOnly ? 'read-only' : 'read-write' }),
    }),
  };
}

function noCell(): AccessCell {
  return { word: 'none', words: statusWords({ word: 'none' }) };
}

function clientRows(
  { id, clients, access }: ViewerFacts,
  folders: readonly FolderColumn[],
): readonly AccessRow[] {
  const names = shownNames(clients.map(({ name }) => name));
  const readOnly = new Set(
    access.folders.flatMap(({ folder, isReadOnly }) => (isReadOnly ? folder.uri : [])),
  );
  return clients.map(({ about, roots, title }, index) => {
    const told = new Set(roots.flatMap(root => columnFor(root, folders)?.id ?? []));
    return {
      id: `${id} client ${index}`,
      kind: 'client',
      name: names[index] ?? '',
      about: about.map(printable),
      cells: folders.map((folder): AccessCell => {
        const isReadOnly = readOnly.has(folder.id);
        const isPart = !roots.some(({ uri }) => uri === folder.id);
        return told.has(folder.id)
          ? { word: 'exposed', words: statusWords({ word: 'exposed', isReadOnly, isPart }), title }
          : noCell();
      }),
    };
  });
}

/** The folder that contains a client's root. The root may be only a part of the folder. */
function columnFor(root: Root, folders: readonly FolderColumn[]): FolderColumn | undefined {
  return folders
    .filter(({ id }) => isUriWithin(root.uri, id))
    .sort((a, b) => b.id.length - a.id.length)[0];
}

/** The names, cut to length. Names that would be equal get a number. */
function shownNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return names.map(name => {
    const short = cutMiddle(printable(name), longest.name);
    let free = short;
    for (let count = 2; taken.has(free); count++) {
      free = `${short} (${count})`;
    }
    taken.add(free);
    return free;
  });
}
