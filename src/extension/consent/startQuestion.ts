import { homedir } from 'node:os';
import type { FolderAccess } from '../../domain/consent/folderAccess.ts';
import { holdsElsewhere } from '../../domain/consent/launchConsent.ts';
import { type ExclusionReason, readOnlyWord } from '../../domain/consent/statusWords.ts';
import { cut, cutMiddle, printable, printableWords } from '../../domain/printable.ts';
import { distinctNames } from '../../domain/roots.ts';
import { isInstalled } from '../../domain/sandbox/installStep.ts';
import type { SandboxTerms } from '../../domain/sandbox/sandboxTerms.ts';
import { isAtOrBelow } from '../../domain/sandbox/systemPlaces.ts';
import { hiddenMark } from '../../domain/secrets/shownTexts.ts';
import { fetchedWords } from '../../domain/servers/fetchingPrograms.ts';
import {
  commandLine,
  type Launch,
  launchAsShown,
  type launchKeys,
} from '../../domain/servers/launch.ts';
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
import { startWorkspace } from '../folders/foldersOnDisk.ts';
import { folderDetails } from '../folderText.ts';
import { Command } from '../ids.ts';
import type { Button, Question } from '../screen.ts';
import { bundledServerId, isWritingBundledServer } from '../servers/bundledServer.ts';
import type { Server } from '../servers/server.ts';
import { settings } from '../settings.ts';
import { fromHome, t } from '../text.ts';
import type { Row } from '../views/rows.ts';
import * as vscode from '../vscode.ts';
import { answerButtons, type FolderAnswer, leavesText, seeQuestion } from './folderQuestions.ts';
import type { OpenQuestion } from './openQuestions.ts';
import { listed, serverNames, shortLabel, shortName, shortPath } from './shownNames.ts';
import type { Waiting } from './waitingFolders.ts';

/**
 * The characters that are kept of each text, and the items of each list. They keep all down to the
 * warnings above the edge of a window of 800 × 600. Where the rest is longer, the editor scrolls, but
 * squeezes the question: it has to fit into two lines, or it covers the command.
 */
const longest = {
  question: 80,
  name: 24,
  deciding: 200,
  rest: 300,
  change: 60,
  note: 60,
  path: 40,
};
const most = { changes: 3, places: 3, names: 5, notes: 2, paths: 3 };

/**
 * The question before the start of a server: whether it may see these folders, or, where none waits for
 * an answer, about the start alone, since the user never saw the command.
 */
export async function startQuestion(
  waiting: Waiting,
  former: IdentityFields | undefined,
): Promise<Question<FolderAnswer>> {
  const { server, folders } = waiting;
  const told = toldText(server);
  const detail = startDetail(server, former, told, await server.sandboxNeeds());
  const isOpen = () => !server.isRetired;
  if (folders.length > 0) {
    return { ...dialog(shortQuestion(waiting), detail), isOpen };
  }
  const text = t('Start "{0}"?', brief(server.definition.label));
  return { ...dialog(text, detail, [{ title: t('Start'), follow: () => 'allow' }]), isOpen };
}

/** The question whether who runs may see these folders, too. */
export function foldersQuestion(waiting: Waiting): Question<FolderAnswer> {
  const { server } = waiting;
  const detail = paragraphs([leavesText(server), [toldText(server)]]);
  return dialog(shortQuestion(waiting), detail);
}

/** The question in two lines at most, however long the names are. The folders stand below it. */
function shortQuestion(waiting: Waiting): Shown {
  const question = seeQuestion(waiting);
  if (question.length <= roomFor(question, longest.question)) {
    return question;
  }
  const { server, folders } = waiting;
  const [label, name] = [server.definition.label, printable(distinctNames(folders)[0] ?? '')];
  return folders.length === 1
    ? t('Allow "{0}" to see "{1}"?', brief(label), brief(name))
    : t('Allow "{0}" to see "{1}" and {2} more?', brief(label), brief(name), folders.length - 1);
}

function brief(name: string): string {
  return cut(name, roomFor(name, longest.name));
}

/** The letters of some scripts are twice as wide. */
function roomFor(text: string, characters: number): number {
  return /[^ -~\u2026]/.test(text) ? characters / 2 : characters;
}

function dialog(
  text: Shown,
  detail: string,
  buttons: readonly Button<FolderAnswer>[] = answerButtons(answer => answer),
): Question<FolderAnswer> {
  return { text, detail: shown(detail), buttons, wayOut: t('Not Now') };
}

/**
 * The message about servers whose start waits for an answer, because they are others now than those
 * that the user agreed to.
 */
export function changedMessage(
  servers: readonly Server[],
  follow: () => Promise<void>,
): Question<void> {
  const names = serverNames(servers);
  const text = t('Changed since you agreed to it, and not started until you answer: {0}.', names);
  return { text, buttons: [{ title: t('Review…'), follow }] };
}

/** Why the start of a server waits for an answer. */
export type HoldReason = 'changed' | 'wanted';

/** The question whether a server may start that waits for that. */
export function heldQuestion(server: Server, reason: HoldReason): OpenQuestion {
  const row: Row = { kind: 'server', server };
  const label = shortLabel(server.definition);
  return {
    subject: server,
    ...(reason === 'changed'
      ? {
          text: t('Start "{0}" as it is now?', label),
          detail: t('It was changed since you agreed to it, and waits for your answer'),
        }
      : {
          text: t('Start "{0}"? A client wanted to use it.', label),
          detail: t('A client wanted to use it, and you have not started it'),
        }),
    ask: async () => void (await vscode.commands.executeCommand(Command.startServer, row)),
  };
}

/**
 * The text that a person sees before a server is started. What decides stands first: what is run or
 * reached, and what kind of server it is, in sentences of ours. No length of the lists that follow moves
 * it out of sight.
 *
 * @param former the server's identity at the user's last answer, where it was another one.
 * @param told the text on its folders.
 * @param needs what it reads in its sandbox because it needs it to run.
 */
export function startDetail(
  { definition, fields }: Pick<Server, 'definition' | 'fields'>,
  former: IdentityFields | undefined,
  told: string,
  needs: readonly string[],
): string {
  const { launch, sandbox } = definition;
  const whose = isWritingBundledServer(definition) ? settings.writeAllowedBy : {};
  return paragraphs([
    [...decidingTexts({ ...definition, ...whose }), ...hiddenText(launch)],
    [...nature(definition), ...routes(definition), ...(sandbox ? reachTexts(sandbox, needs) : [])],
    former ? changeTexts(former, fields) : [],
    [told],
    // All of it is ours, and its roots, not its working directory, say where its paths start.
    definition.id === bundledServerId ? [] : restTexts(launch),
  ]);
}

function paragraphs(all: readonly (readonly string[])[]): string {
  return all
    .map(lines => lines.join('\n'))
    .filter(paragraph => paragraph !== '')
    .join('\n\n');
}

/**
 * The words that decide what is run or called: the program and the package that it fetches, or the
 * host. The rest of a long command line is in {@link restTexts}.
 */
function decidingTexts(definition: ServerDefinition): string[] {
  const { launch } = definition;
  const line = commandLine(launch);
  if (launch.type === 'http') {
    const url = isShort(line) ? line : deciding(originOf(line));
    return [t('{0} reach it at: {1}', settingsOf(definition), url)];
  }
  if (isShort(line)) {
    return [startedText(definition, line)];
  }
  const { command, args } = launch;
  const fetched = [...(fetchedWords(command, args) ?? [])].map(index => args[index] ?? '');
  const run = printableWords([command]);
  if (fetched.length === 0) {
    return [startedText(definition, deciding(run))];
  }
  return [
    startedText(definition, deciding(run)),
    `${t('It fetches')}: ${deciding(printableWords(fetched))}`,
  ];
}

/** The arguments, variables and headers: all else that consent is bound to, as far as it is shown. */
function restTexts(launch: Launch): string[] {
  const rest = restOf(launchAsShown(launch), isShort(commandLine(launch)));
  const texts = rest.filter(([, text]) => text !== '');
  // Shared, since together they have no more room than one alone.
  const share = Math.floor(longest.rest / texts.length);
  return texts.map(([label, text]) => `${label}: ${cutMiddle(text, share)}`);
}

type Labelled = readonly [label: string, text: string];

/** @param isWhole whether the command line or URL is shown whole already. */
function restOf(shown: Launch, isWhole: boolean): Labelled[] {
  const words = (values: Readonly<Record<string, string>>) =>
    printableWords(Object.entries(values).map(([name, value]) => `${name}=${value}`));
  if (shown.type === 'http') {
    const path = printable(shown.url).slice(originOf(printable(shown.url)).length);
    return Object.values<Labelled>({
      url: [t('Path'), isWhole ? '' : path],
      headers: [t('Headers'), words(shown.headers)],
    } satisfies Record<keyof typeof launchKeys.http, Labelled>);
  }
  const { args, cwd = '', env, envFile = '' } = shown;
  return Object.values<Labelled>({
    args: [t('Arguments'), isWhole ? '' : printableWords(args)],
    env: [t('Environment'), words(env)],
    envFile: [t('Environment file'), printable(envFile)],
    cwd: [t('Working directory'), printable(cwd)],
  } satisfies Record<Exclude<keyof typeof launchKeys.stdio, 'command'>, Labelled>);
}

function isShort(line: string): boolean {
  return line.length <= roomFor(line, longest.deciding);
}

function deciding(text: string): string {
  return cutMiddle(text, roomFor(text, longest.deciding));
}

/** Scheme and host of a URL, which may hold variables. */
function originOf(url: string): string {
  return /^[^:/?#]*:\/\/[^/?#]*/.exec(url)?.[0] ?? url;
}

/** The command line, and whose settings demand that it is run. */
function startedText(definition: ServerDefinition, line: string): string {
  return definition.from
    ? t('{0} start it with: {1}', settingsOf(definition), line)
    : t('It is started with: {0}', line);
}

function settingsOf({ from, isOfMachine }: ServerDefinition): string {
  if (isOfMachine) {
    return t('The settings of the remote machine');
  }
  return from === 'workspace' ? t('The settings of this workspace') : t('Your user settings');
}

/** Says that values are hidden: the user then consents to more than the text shows. */
function hiddenText(launch: Launch): string[] {
  return JSON.stringify(launchAsShown(launch)) === JSON.stringify(launch)
    ? []
    : [t('Where "{0}[n]" stands, n characters are hidden.', hiddenMark)];
}

/** The kind of server, as far as it is known, and what it may do or become without a question. */
function nature(definition: ServerDefinition): string[] {
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
      ...(definition.sandboxIfAny && process.platform === 'linux'
        ? [t('Where it can, the system keeps it in its folders, without a network.')]
        : []),
    ];
  }
  return [
    ...(sandbox
      ? sandboxTexts(definition)
      : [
          t(
            'It runs with your rights and could read other files: roots are guidance, not a sandbox.',
          ),
        ]),
    ...(holdsElsewhere(launch, startWorkspace()) ? [] : [t('It may run files of this workspace.')]),
  ];
}

/** The sandbox of a server. */
function sandboxTexts(definition: ServerDefinition): string[] {
  if (!definition.sandbox) {
    return [];
  }
  const { network, unixSockets } = definition.sandbox;
  return [
    network
      ? t('The system keeps it in its folders and what it needs to run. The network is open.')
      : t('The system keeps it in its folders and what it needs to run, without a network.'),
    ...(!network && isInstalled(definition)
      ? [t('It is fetched first, with the network and without a folder.')]
      : []),
    ...(unixSockets ? [t('It can use unix sockets in its folders.')] : []),
  ];
}

/** The paths besides its folders that a server can reach in its sandbox. */
export function reachTexts(sandbox: SandboxTerms, needs: readonly string[]): string[] {
  const listed = (paths: readonly string[], text: (list: string) => string) =>
    paths.length > 0 ? [text(reachedPaths(paths))] : [];
  return [
    ...listed(sandbox.write, list => t('It can also change: {0}', list)),
    ...listed(sandbox.read, list => t('It can also read: {0}', list)),
    ...listed(needs, list => t('To run, it reads: {0}', list)),
  ];
}

/** The shortest of many paths, since they may hold most, and the number of the others. */
function reachedPaths(paths: readonly string[]): string {
  const named = [...paths].sort((a, b) => a.length - b.length).map(reachedPath);
  const more = named.length - most.paths;
  const shown = named.slice(0, most.paths).join(', ');
  return more > 0 ? t('{0} and {1} more', shown, more) : shown;
}

function reachedPath(path: string): string {
  const shown = cutMiddle(printableWords([path]), longest.path);
  if (!holdsHome(path)) {
    return cutMiddle(printableWords([fromHome(path)]), longest.path);
  }
  return path === '/'
    ? t('EVERY FILE of this machine ({0})', shown)
    : t('ALL OF YOUR HOME ({0})', shown);
}

/** True for the home, and for what it lies in. */
export function holdsHome(path: string): boolean {
  return isAtOrBelow(homedir(), path);
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

/** The folders that are told of after a yes, the ones in question first: few with their places. */
function toldText({ access: { folders }, definition: { offers = [] } }: Server): string {
  const told = folders
    .filter(({ root, exclusion }) => root || exclusion === 'undecided')
    .sort((a, b) => Number(Boolean(a.root)) - Number(Boolean(b.root)));
  if (told.length === 0) {
    const isUnmatched = folders.every(({ exclusion: reason }) => reason && noOffer.has(reason));
    return offers.length > 0 && isUnmatched
      ? t('It will be told of no folder: none matches {0}.', listed(offers.map(shortName)))
      : t('It will be told of no folder.');
  }
  return told.length > most.places
    ? foldedText(told)
    : [t('It will be told of:'), ...told.flatMap(folderLines)].join('\n');
}

/** The reasons for folders beside those that a definition names, and for names of none. */
const noOffer: ReadonlySet<ExclusionReason> = new Set(['not-offered', 'missing'] as const);

/** Many folders in a few lines: the names of some, and notes on them. */
function foldedText(told: readonly FolderAccess[]): string {
  const names = distinctNames(told.map(({ folder }) => folder)).map(shortName);
  const named = names.slice(0, most.names).join(', ');
  const more = names.length - most.names;
  return [
    more > 0
      ? t(
          'It will be told of {0} folders: {1} and {2} more. Choose Folders… lists them.',
          names.length,
          named,
          more,
        )
      : t('It will be told of {0} folders: {1}.', names.length, named),
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

/** The place of a folder, and below that the notes to read before saying yes. */
function folderLines(access: FolderAccess): string[] {
  const { folder, root, isReadOnly } = access;
  const place = `• ${shortName(folder.name)} — ${shortPath(folder.path ?? folder.uri)}`;
  const words = [...(root ? [t('allowed already')] : []), ...(isReadOnly ? [t(readOnlyWord)] : [])];
  return [
    words.length > 0 ? `${place} (${words.join(', ')})` : place,
    ...folderDetails(access)
      .slice(0, most.notes)
      .map(detail => `   ${cutMiddle(detail, longest.note)}`),
  ];
}
