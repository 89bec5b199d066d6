import {
  type Access,
  type FolderAccess,
  isAnswerable,
  isNewAnswer,
} from '../consent/folderAccess.ts';
import type { FolderStanding } from '../consent/folderStanding.ts';
import type { Exposure } from '../exposure.ts';
import type { Folder } from '../folders/folders.ts';
import { cutMiddle, printable } from '../printable.ts';
import { distinctNames, isAtOrBelow, type Root } from '../roots.ts';
import type { AccessChange } from './accessRequest.ts';
import type { AccessCell, AccessRow, AccessTable, FolderColumn } from './accessTable.ts';

/** What is known of a server, or of an extension that asked for folders. */
export interface SeerFacts {
  readonly id: string;
  readonly kind: 'server' | 'extension';
  readonly name: string;
  readonly state: string;
  /** Whether the system keeps it in its folders; nothing where that is not to be said. */
  readonly keeping: readonly string[];
  readonly isConfined: boolean;
  /** How roots reach it. */
  readonly routes: readonly string[];
  readonly access: Access;
  readonly standingOf: (access: FolderAccess) => FolderStanding;
  /** What the process that runs was last told. */
  readonly exposure: Exposure | undefined;
  /** When the user last answered on a folder, by its URI. */
  readonly answers: ReadonlyMap<string, number>;
  /** Whether a sandbox sees to it that a folder is only read. */
  readonly canReadOnly: boolean;
  /** Roots that it knows and whose folders are none of the window any more. */
  readonly formerRoots: readonly Root[];
  readonly clients: readonly ClientFacts[];
}

/** What is known of a client of a server. */
export interface ClientFacts {
  readonly name: string;
  readonly state: string;
  /** What its own process of the server was last told; `undefined`: nothing, or it is not there. */
  readonly exposure: Exposure | undefined;
}

/** The longest name and the longest place that are shown whole. */
const longest = { name: 60, place: 120 };

/**
 * The table of these servers and extensions, in their order, each followed by its clients.
 *
 * @param timeText how a time is written.
 * @param placeText how the path of a folder is written.
 */
export function accessTable(
  seers: readonly SeerFacts[],
  timeText: (at: number) => string,
  placeText: (path: string) => string,
): AccessTable {
  const columns = columnsOf(seers);
  const names = distinct(distinctNames(columns).map(shownName));
  const rowNames = distinct(seers.map(({ name }) => shownName(name)));
  const folders = columns.map(({ uri, path }, index) => ({
    id: uri,
    name: names[index] ?? '',
    place: cutMiddle(printable(path === undefined ? uri : placeText(path)), longest.place),
  }));
  return {
    folders,
    rows: seers.flatMap((seer, index) => [
      {
        id: seer.id,
        kind: seer.kind,
        name: rowNames[index] ?? '',
        state: printable(seer.state),
        keeping: seer.keeping.map(printable),
        ...(seer.isConfined && { isConfined: true }),
        routes: seer.routes.map(printable),
        cells: cellsOf(seer, folders, timeText),
      },
      ...clientRows(seer, folders, timeText),
    ]),
  };
}

/**
 * The folder that a change is about. `undefined`: there is none that an answer can change, or the change
 * says nothing that is not said already. What asks for it may be old, or no page of ours.
 */
export function folderToChange(
  { access, canReadOnly }: Pick<SeerFacts, 'access' | 'canReadOnly'>,
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

/** As much of a folder as its column needs. */
interface Column {
  readonly uri: string;
  readonly name: string;
  readonly path: string | undefined;
}

function columnsOf(seers: readonly SeerFacts[]): readonly Column[] {
  const columns = new Map<string, Column>();
  const folders = seers.flatMap(({ access }) => access.folders.map(({ folder }) => folder));
  const former = seers.flatMap(({ formerRoots }) =>
    formerRoots.map(root => ({ ...root, path: undefined })),
  );
  for (const { uri, name, path } of [...folders, ...former]) {
    if (!columns.has(uri)) {
      columns.set(uri, { uri, name, path });
    }
  }
  return [...columns.values()];
}

function cellsOf(
  seer: SeerFacts,
  folders: readonly FolderColumn[],
  timeText: (at: number) => string,
): readonly AccessCell[] {
  const accesses = new Map(seer.access.folders.map(access => [access.folder.uri, access]));
  const former = new Set(seer.formerRoots.map(({ uri }) => uri));
  const told = seer.exposure && timeText(seer.exposure.at);
  return folders.map(({ id }): AccessCell => {
    const access = accesses.get(id);
    if (!access) {
      return former.has(id) ? { word: 'removed', ...(told && { time: told }) } : { word: 'none' };
    }
    return cellOf(access, seer, told, timeText);
  });
}

function cellOf(
  access: FolderAccess,
  { standingOf, answers, canReadOnly }: SeerFacts,
  told: string | undefined,
  timeText: (at: number) => string,
): AccessCell {
  const { word, isReadOnly, isStillKnown, isReplaced } = standingOf(access);
  const answered = answers.get(access.folder.uri);
  const isAnswer = word === 'allowed' || word === 'denied';
  const answer = isAnswer && answered !== undefined ? timeText(answered) : undefined;
  const time = word === 'exposed' ? told : answer;
  return {
    word,
    ...(time && { time }),
    ...(isReadOnly && { isReadOnly }),
    ...(isStillKnown && { isStillKnown }),
    ...(isReplaced && { isReplaced }),
    ...(isAnswerable(access) && {
      isAnswerable: true,
      ...(canReadOnly && { mode: access.isReadOnly ? 'read-only' : 'read-write' }),
    }),
  };
}

function clientRows(
  { id, clients, access }: SeerFacts,
  folders: readonly FolderColumn[],
  timeText: (at: number) => string,
): readonly AccessRow[] {
  const names = distinct(clients.map(({ name }) => shownName(name)));
  const readOnly = new Set(
    access.folders.flatMap(({ folder, isReadOnly }) => (isReadOnly ? folder.uri : [])),
  );
  return clients.map(({ state, exposure }, index) => {
    const roots = exposure?.roots ?? [];
    const told = new Set(roots.flatMap(root => columnFor(root, folders)?.id ?? []));
    const time = exposure && timeText(exposure.at);
    return {
      id: `${id} client ${index}`,
      kind: 'client',
      name: names[index] ?? '',
      state: printable(state),
      cells: folders.map(
        (folder): AccessCell =>
          told.has(folder.id)
            ? {
                word: 'exposed',
                ...(time && { time }),
                ...(readOnly.has(folder.id) && { isReadOnly: true }),
                ...(!roots.some(({ uri }) => uri === folder.id) && { isPart: true }),
              }
            : { word: 'none' },
      ),
    };
  });
}

/** The folder that a root is of: a client with roots of its own may be told of a part of one. */
function columnFor(root: Root, folders: readonly FolderColumn[]): FolderColumn | undefined {
  const whole = folders.find(({ id }) => id === root.uri);
  return (
    whole ??
    folders
      .filter(({ id }) => isAtOrBelow(root.uri, id))
      .sort((a, b) => b.id.length - a.id.length)[0]
  );
}

function shownName(name: string): string {
  return cutMiddle(printable(name), longest.name);
}

/** The names, with a number where the same is there before: two that a person can't tell apart are one. */
function distinct(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return names.map(name => {
    let free = name;
    for (let count = 2; taken.has(free); count++) {
      free = `${name} (${count})`;
    }
    taken.add(free);
    return free;
  });
}
