import { homedir } from 'node:os';
import { dirname, relative, sep } from 'node:path';
import type { Access, FolderAccess } from '../../domain/consent/folderAccess.ts';
import { holdsElsewhere } from '../../domain/consent/launchConsent.ts';
import type { Folder } from '../../domain/folders/folders.ts';
import { cutMiddle, printable, printableWords } from '../../domain/printable.ts';
import { distinctNames } from '../../domain/roots.ts';
import { isInstalled } from '../../domain/sandbox/installStep.ts';
import { isAtOrBelow } from '../../domain/sandbox/systemPlaces.ts';
import { hiddenMark } from '../../domain/secrets/shownTexts.ts';
import { fetchedWords } from '../../domain/servers/fetchingPrograms.ts';
import { commandLine, type Launch, launchAsShown } from '../../domain/servers/launch.ts';
import {
  configurationRoutes,
  type ServerDefinition,
} from '../../domain/servers/serverDefinition.ts';
import {
  changedFields,
  changedSeals,
  type IdentityFields,
} from '../../domain/servers/serverIdentity.ts';
import { isOnThisMachine } from '../../domain/servers/serverUrl.ts';
import { type Shown, shown } from '../../domain/shown.ts';
import { pathsOnDisk } from '../folders/foldersOnDisk.ts';
import { folderDetails } from '../folderText.ts';
import { bundledServerId, isWritingBundledServer } from '../servers/bundledServer.ts';
import type { Server } from '../servers/server.ts';
import { fromHome, t } from '../text.ts';
import * as vscode from '../vscode.ts';
import {
  type Answer,
  type AnswerButton,
  answerButtons,
  leavesText,
  type Waiting,
} from './folderQuestions.ts';
import { folderNames, serverNames, shortLabel, shortName, shortPath } from './shownNames.ts';
import type { Toast } from './toasts.ts';

/**
 * The lines, and the characters of each, that a question may have with the text below it: all of it
 * has to be seen at once, even in a window of 800 × 600, whatever the definition holds.
 */
const room = { lines: 23, width: 46 };
const longest = { change: 60, deciding: 90, note: 60, path: 40, value: 1000 };
const most = { changes: 3, names: 100, notes: 2, paths: 12, told: 11 };
const least = { cut: 2, names: 3, paths: 2 };

/** Asks whether a server may see these folders, and so whether it is to be started. */
export async function askAboutFolders(
  server: Server,
  folders: readonly Folder[],
  former: IdentityFields | undefined,
): Promise<Answer> {
  const question = t(
    'Allow "{0}" to see {1}?',
    shortLabel(server.definition),
    folderNames(folders),
  );
  return askModally(question, await detailOf(server, former, question));
}

/** Asks whether who runs may see these folders, too. */
export async function askAboutFoldersNow({ server, folders }: Waiting): Promise<Answer> {
  const { definition, access } = server;
  const question = t('Allow "{0}" to see {1}?', shortLabel(definition), folderNames(folders));
  return askModally(question, withTold(question, leavesText(server), access));
}

/** Asks a question that has to be answered before anything else goes on. */
async function askModally(question: Shown, detail: string): Promise<Answer> {
  const options = { modal: true, detail: shown(detail) };
  const buttons: AnswerButton[] = [...answerButtons(), notNowButton()];
  const button = await vscode.window.showWarningMessage(question, options, ...buttons);
  return button?.answer ?? 'not-now';
}

/** Asks about the start alone: no folder waits for an answer, but the user never saw the command. */
export async function askAboutStart(
  server: Server,
  former: IdentityFields | undefined,
): Promise<boolean> {
  const start = t('Start');
  const question = t('Start "{0}"?', shortLabel(server.definition));
  const options = { modal: true, detail: shown(await detailOf(server, former, question)) };
  const buttons = [{ title: start }, notNowButton()];
  const button = await vscode.window.showWarningMessage(question, options, ...buttons);
  return button?.title === start;
}

/**
 * The message about servers whose start waits for an answer, because they are others now than those
 * that the user agreed to.
 */
export function changedToast(servers: readonly Server[]): Toast<vscode.MessageItem> {
  const names = serverNames(servers.map(({ definition }) => definition));
  const text = t('Changed since you agreed to it, and not started until you answer: {0}.', names);
  return { text, buttons: [{ title: t('Review…') }] };
}

/** The way out of a question that has to be left before anything else, the same as its `×`. */
function notNowButton(): AnswerButton {
  return { title: t('Not Now'), answer: 'not-now', isCloseAffordance: true };
}

async function detailOf(
  server: Server,
  former: IdentityFields | undefined,
  question: string,
): Promise<string> {
  const told = toldTexts(server.access);
  return startDetail(server, former, told, await server.sandboxNeeds(), question);
}

/**
 * The text that a person sees before a server is started: first the command or URL and what is hidden
 * of it, then what kind of server it is, then its folders. The first part is cut as far as the others
 * need the room; of the paths that a sandbox leaves open, some are only counted then, and before that
 * of the folders.
 *
 * @param former the server's identity at the user's last answer, where it was another one.
 * @param told the text on its folders, and ever shorter ones.
 * @param needs what it reads in its sandbox because it needs it to run.
 * @param question what stands above it.
 */
export function startDetail(
  { definition, fields }: Pick<Server, 'definition' | 'fields'>,
  former: IdentityFields | undefined,
  told: readonly string[],
  needs: readonly string[],
  question = '',
): string {
  const deciding = decidingTexts(definition);
  const hidden = hiddenText(definition.launch);
  const changes = former ? changeTexts(former, fields) : [];
  const cuttable = [...changes, ...moreTexts(definition.launch)];
  const othersWith = (folders: string, paths: number) => [
    [...nature(definition, needs, paths), ...routes(definition)].join('\n'),
    folders,
  ];
  const leftBy = (others: readonly string[]) =>
    room.lines - linesOf([question, ...deciding, ...hidden, ...others]) - others.length;
  const wanted = fittedLines(cuttable, least.cut);
  const folders = firstThat(told, text => leftBy(othersWith(text, least.paths)) >= wanted);
  let paths = most.paths;
  while (paths > least.paths && leftBy(othersWith(folders, paths)) < cuttable.length) {
    paths -= 1;
  }
  const others = othersWith(folders, paths);
  const texts = fitted(cuttable, leftBy(others));
  const what = [...texts.slice(0, changes.length), ...deciding, ...texts.slice(changes.length)];
  return [[...what, ...hidden].join('\n'), ...others].join('\n\n');
}

/**
 * The text below a question: some texts, and the folders that are told of after a yes, as far as there
 * is room.
 */
function withTold(question: string, texts: readonly string[], access: Access): string {
  const above = texts.length > 0 ? [texts.join('\n')] : [];
  const left = room.lines - linesOf([question, ...above]) - above.length;
  return [...above, firstThat(toldTexts(access), text => linesOf([text]) <= left)].join('\n\n');
}

/** The first of ever shorter texts that is so, or the shortest. */
function firstThat(texts: readonly string[], isSo: (text: string) => boolean): string {
  return texts.find(text => linesOf([text]) <= most.told && isSo(text)) ?? texts.at(-1) ?? '';
}

/**
 * The words that decide what is run or called: the program and the package that it fetches, or the
 * host. They are never cut away. The rest of a long command line is in {@link moreTexts}.
 */
function decidingTexts({ from, launch }: ServerDefinition): string[] {
  const line = commandLine(launch);
  if (launch.type === 'http') {
    return [reachedText(from, isShort(line) ? line : cutMiddle(originOf(line), longest.deciding))];
  }
  if (isShort(line)) {
    return [startedText(from, line)];
  }
  const { command, args } = launch;
  const fetched = [...(fetchedWords(command, args) ?? [])].map(index => args[index] ?? '');
  return [
    startedText(from, cutMiddle(printableWords([command]), longest.deciding)),
    ...(fetched.length > 0
      ? [labelled(t('It fetches'), cutMiddle(printableWords(fetched), longest.deciding))]
      : []),
  ];
}

/** The arguments, variables and headers: all else that consent is bound to, as far as it is shown. */
function moreTexts(launch: Launch): string[] {
  const shown = launchAsShown(launch);
  const isWhole = isShort(commandLine(launch));
  if (shown.type === 'http') {
    const path = printable(shown.url).slice(originOf(printable(shown.url)).length);
    return [
      ...(isWhole ? [] : [labelled(t('Path'), path)]),
      ...valuesText(t('Headers'), shown.headers),
    ];
  }
  const { args, cwd, envFile } = shown;
  return [
    ...(isWhole ? [] : [labelled(t('Arguments'), printableWords(args))]),
    ...valuesText(t('Environment'), shown.env),
    ...(envFile === undefined ? [] : [labelled(t('Environment file'), printable(envFile))]),
    ...(cwd === undefined ? [] : [labelled(t('Working directory'), printable(cwd))]),
  ];
}

function isShort(line: string): boolean {
  return line.length <= 2 * room.width;
}

/** Scheme and host of a URL, which may hold variables. */
function originOf(url: string): string {
  return /^[^:/?#]*:\/\/[^/?#]*/.exec(url)?.[0] ?? url;
}

/** The command line, and whose settings demand that it is run. */
function startedText(from: ServerDefinition['from'], line: string): string {
  switch (from) {
    case 'user':
      return t('Your user settings start it with: {0}', line);
    case 'workspace':
      return t('The settings of this workspace start it with: {0}', line);
    case undefined:
      return t('It is started with: {0}', line);
  }
}

function reachedText(from: ServerDefinition['from'], line: string): string {
  return from === 'workspace'
    ? t('The settings of this workspace reach it at: {0}', line)
    : t('Your user settings reach it at: {0}', line);
}

function valuesText(label: string, values: Readonly<Record<string, string>>): string[] {
  const words = Object.entries(values).map(([name, value]) => `${name}=${value}`);
  return words.length > 0 ? [labelled(label, printableWords(words))] : [];
}

function labelled(label: string, text: string): string {
  return `${label}: ${cutMiddle(text, longest.value)}`;
}

/** Says that values are hidden: the user then consents to more than the text shows. */
function hiddenText(launch: Launch): string[] {
  return JSON.stringify(launchAsShown(launch)) === JSON.stringify(launch)
    ? []
    : [t('Where "{0}[n]" stands, n characters are hidden.', hiddenMark)];
}

/** The kind of server, as far as it is known, and what it may do or become without a question. */
function nature(definition: ServerDefinition, needs: readonly string[], paths: number): string[] {
  const { id, launch, sandbox } = definition;
  if (launch.type === 'http') {
    return [remoteText(launch.url), t('Roots are guidance, not a sandbox.')];
  }
  if (id === bundledServerId) {
    return [
      t('This server comes with the extension. It refuses every path outside its roots.'),
      ...(isWritingBundledServer(definition)
        ? [t('Inside its roots it may create, change, move and delete files.')]
        : []),
      ...sandboxTexts(definition, needs, paths),
    ];
  }
  return [
    ...(sandbox
      ? sandboxTexts(definition, needs, paths)
      : [
          t(
            'It runs with your rights and could read other files: roots are guidance, not a sandbox.',
          ),
        ]),
    ...(holdsElsewhere(launch, pathsOnDisk()) ? [] : [t('It may run files of this workspace.')]),
  ];
}

/**
 * That the system keeps a server in its folders, and what else it can reach all the same.
 *
 * @param most how many paths are named of each list.
 */
function sandboxTexts(
  definition: ServerDefinition,
  needs: readonly string[],
  most: number,
): string[] {
  if (!definition.sandbox) {
    return [];
  }
  const { read, write, network, unixSockets } = definition.sandbox;
  const listed = (paths: readonly string[], text: (list: string) => string) =>
    paths.length > 0 ? [text(reachedPaths(paths, most))] : [];
  return [
    network
      ? t('The system keeps it in its folders and what it needs to run. The network is open.')
      : t('The system keeps it in its folders and what it needs to run, without a network.'),
    ...(!network && isInstalled(definition)
      ? [t('It is fetched first, with the network and without a folder.')]
      : []),
    ...(unixSockets ? [t('It can use unix sockets in its folders.')] : []),
    ...listed(needs, list => t('To run, it reads: {0}', list)),
    ...listed(write, list => t('It can also change: {0}', list)),
    ...listed(read, list => t('It can also read: {0}', list)),
  ];
}

/** Of many paths the shortest, since they may hold most, and how many more there are. */
function reachedPaths(paths: readonly string[], most: number): string {
  const named = [...paths].sort((a, b) => a.length - b.length).map(reachedPath);
  const more = named.length - most;
  const shown = named.slice(0, most).join(', ');
  return more > 0 ? t('{0} and {1} more', shown, more) : shown;
}

function reachedPath(path: string): string {
  const shown = cutMiddle(printableWords([path]), longest.path);
  if (!isAtOrBelow(homedir(), path)) {
    return cutMiddle(printableWords([fromHome(path)]), longest.path);
  }
  return path === '/'
    ? t('EVERY FILE of this machine ({0})', shown)
    : t('ALL OF YOUR HOME ({0})', shown);
}

function remoteText(url: string): string {
  return isOnThisMachine(url)
    ? t(
        'This server is another program, reached over HTTP. The names and paths of these folders are sent to it.',
      )
    : t(
        'WARNING: this server runs on another machine. The names and paths of these folders LEAVE THIS MACHINE, and whoever runs the server can keep them.',
      );
}

/** The routes, besides the protocol, on which the server gets its roots. */
function routes({ rootsAs }: ServerDefinition): string[] {
  return configurationRoutes(rootsAs).length > 0
    ? [t('It gets the paths as arguments or environment, and is restarted when one is taken away.')]
    : [];
}

function changeTexts(former: IdentityFields, fields: IdentityFields): string[] {
  const changes = [
    ...changedFields(former, fields).map(({ field, before, after }) =>
      printable(`${field}: ${shortChange(before)} → ${shortChange(after)}`),
    ),
    ...changedSeals(former, fields).map(place =>
      t('{0}: another hidden value', printable(cutMiddle(place, longest.change))),
    ),
  ];
  const more = changes.length - most.changes;
  return [
    t('Changed since you last answered:'),
    ...changes.slice(0, most.changes),
    ...(more > 0 ? [t('Further changes: {0}.', more)] : []),
  ];
}

function shortChange(text: string): string {
  return text === '' ? '—' : cutMiddle(text, longest.change);
}

/**
 * The text on the folders that are told of after a yes, the allowed ones and the ones in question, and
 * ever shorter ones, which name fewer of them.
 */
export function toldTexts({ folders }: Access): readonly string[] {
  const told = folders.filter(({ root, exclusion }) => root || exclusion === 'undecided');
  if (told.length === 0) {
    return [t('It will be told of no folder.')];
  }
  const listed = [t('It will be told of:'), ...told.flatMap(one => folderLines(one))];
  if (told.length <= least.names) {
    return [listed.join('\n')];
  }
  // Only the first may be named.
  const askedFirst = [...told].sort((a, b) => Number(Boolean(a.root)) - Number(Boolean(b.root)));
  const parent = commonParent(told.flatMap(({ folder }) => folder.path ?? []));
  const count = Math.min(told.length, most.names) - least.names + 1;
  return [
    listed.join('\n'),
    [
      t('It will be told of {0} folders in {1}:', told.length, shortPath(fromHome(parent))),
      ...told.flatMap(one => folderLines(one, parent)),
    ].join('\n'),
    ...Array.from({ length: count }, (_, index) =>
      foldedText(askedFirst, parent, least.names + count - 1 - index),
    ),
  ];
}

/** Many folders in a few lines: their common parent, the names of some, and notes on them. */
function foldedText(told: readonly FolderAccess[], parent: string, most: number): string {
  const names = distinctNames(told.map(({ folder }) => folder)).map(shortName);
  const shown = names.slice(0, most).join(', ');
  const place = shortPath(fromHome(parent));
  const more = names.length - most;
  return [
    more > 0
      ? t(
          'It will be told of {0} folders in {1}: {2} and {3} more. Choose Folders… lists them.',
          names.length,
          place,
          shown,
          more,
        )
      : t('It will be told of {0} folders in {1}: {2}.', names.length, place, shown),
    ...foldedNotes(told),
  ].join('\n');
}

function foldedNotes(told: readonly FolderAccess[]): string[] {
  const known = told.filter(({ root }) => root).length;
  const readOnly = told.filter(({ isReadOnly }) => isReadOnly).length;
  const notes = told.flatMap(access =>
    folderDetails(access).map(
      detail => `• ${shortName(access.folder.name)}: ${cutMiddle(detail, longest.note)}`,
    ),
  );
  const more = notes.length - most.notes;
  return [
    ...(known > 0 ? [t('Allowed already: {0} of them.', known)] : []),
    ...(readOnly > 0 ? [t('Read only: {0} of them.', readOnly)] : []),
    ...notes.slice(0, most.notes),
    ...(more > 0 ? [t('• Further notes: {0}.', more)] : []),
  ];
}

/** The folder that all of them lie in. */
function commonParent(paths: readonly string[]): string {
  let parent = dirname(paths[0] ?? '');
  const isIn = (path: string) => path.startsWith(parent.endsWith(sep) ? parent : parent + sep);
  while (!paths.every(isIn) && dirname(parent) !== parent) {
    parent = dirname(parent);
  }
  return parent;
}

/**
 * The place of a folder, and below that the notes to read before saying yes.
 *
 * @param parent where it is known to lie: what its name does not say yet is named then.
 */
function folderLines(access: FolderAccess, parent?: string): string[] {
  const { folder, root, isReadOnly } = access;
  const { name, path } = folder;
  const within = parent !== undefined && path !== undefined ? relative(parent, path) : undefined;
  const place =
    within === name
      ? `• ${shortName(name)}`
      : `• ${shortName(name)} — ${shortPath(within ?? path ?? folder.uri)}`;
  const words = [...(root ? [t('allowed already')] : []), ...(isReadOnly ? [t('read only')] : [])];
  return [
    words.length > 0 ? `${place} (${words.join(', ')})` : place,
    ...folderDetails(access)
      .slice(0, most.notes)
      .map(detail => `   ${cutMiddle(detail, longest.note)}`),
  ];
}

/** How many lines the texts take when each is cut to so many. */
function fittedLines(texts: readonly string[], limit: number): number {
  return texts.reduce((sum, text) => sum + Math.min(limit, linesOf([text])), 0);
}

/** The texts, cut to so many lines altogether but at least one each: the longest lose first. */
function fitted(texts: readonly string[], lines: number): string[] {
  let share = 1;
  const taken = (limit: number) => fittedLines(texts, limit);
  while (taken(share + 1) <= lines && taken(share + 1) > taken(share)) {
    share += 1;
  }
  return texts.map(text =>
    // The words on how much was left out take room, too.
    linesOf([text]) > share ? cutMiddle(text, share * room.width - 16) : text,
  );
}

/** About how many lines texts take; characters beyond the Latin alphabet are often twice as wide. */
function linesOf(texts: readonly string[]): number {
  const width = (line: string) =>
    line.length + (line.match(/[^ -~\u2026\u2022\u2013\u2014]/g)?.length ?? 0);
  return texts
    .flatMap(text => text.split('\n'))
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(width(line) / room.width)), 0);
}
