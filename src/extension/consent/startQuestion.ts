import { homedir } from 'node:os';
import type { FolderAccess } from '../../domain/consent/folderAccess.ts';
import { type ExclusionReason, readOnlyWord } from '../../domain/consent/statusWords.ts';
import { fetchedWords } from '../../domain/fetchingPrograms.ts';
import { cut, cutMiddle, printable, printableWords } from '../../domain/printable.ts';
import type { SandboxTerms } from '../../domain/sandbox/sandboxTerms.ts';
import { isAtOrBelow } from '../../domain/sandbox/systemPlaces.ts';
import { hiddenMark } from '../../domain/secrets/shownTexts.ts';
import { isInstalled } from '../../domain/servers/installStep.ts';
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
import { folderDetails } from '../folderText.ts';
import { Command } from '../ids.ts';
import type { Row } from '../rows.ts';
import type { Button, Question } from '../screen.ts';
import { bundledServerId, isWritingBundledServer } from '../servers/bundledServer.ts';
import type { Server } from '../servers/server.ts';
import { settings } from '../settings.ts';
import { firstOf, listed, serverNames, shortLabel, shortName, shortPath } from '../shownNames.ts';
import { configurationText, fromHome, t } from '../text.ts';
import * as vscode from '../vscode.ts';
import { answerButtons, type FolderAnswer, leavesText, seeQuestion } from './folderQuestions.ts';
import type { OpenQuestion, Waiting } from './openQuestions.ts';

/**
 * The most characters: `text` for a text on which the decision depends, `part` for a name, path or
 * note. A list shows its first `most` items and counts the rest. So a window of 800 × 600 shows
 * everything down to the warnings. The editor scrolls longer texts.
 */
const longest = { text: 200, part: 50 };
const most = 3;

/**
 * The question before a server starts: whether it may see these folders. If no folder waits for an
 * answer, the question is whether to start, because the user has not agreed to the command yet.
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

/** The question whether a running server may see these folders, too. */
export function foldersQuestion(waiting: Waiting): Question<FolderAnswer> {
  const { server } = waiting;
  const detail = paragraphs([leavesText(server), [toldText(server)]]);
  return dialog(shortQuestion(waiting), detail);
}

/** The question in at most two lines, so that the command below the question stays in sight. */
function shortQuestion(waiting: Waiting): Shown {
  const question = seeQuestion(waiting);
  if (question.length <= roomFor(question, 2 * longest.part)) {
    return question;
  }
  const { server, folders } = waiting;
  const label = brief(server.definition.label);
  return folders.length === 1
    ? t('Allow "{0}" to see a folder?', label)
    : t('Allow "{0}" to see {1} folders?', label, folders.length);
}

function brief(name: string): string {
  return cut(name, roomFor(name, longest.part));
}

/** Returns `characters`, or half of them for a text with letters that may be twice as wide. */
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
 * The message about servers that wait for an answer, because they changed after the user agreed to
 * start them.
 */
export function changedMessage(
  servers: readonly Server[],
  follow: () => Promise<void>,
): Question<void> {
  const names = serverNames(servers);
  const text = t('Servers changed since you agreed to them, and wait for your answer: {0}.', names);
  return { text, buttons: [{ title: t('Review…'), follow }] };
}

/** Why the start of a server waits: its definition changed, or a client wants to use it. */
export type HoldReason = 'changed' | 'wanted';

/** The question whether a waiting server may start. */
export function heldQuestion(server: Server, reason: HoldReason): OpenQuestion {
  const row: Row = { kind: 'server', server };
  const label = shortLabel(server.definition);
  return {
    subject: server,
    ...(reason === 'changed'
      ? {
          text: t('Start "{0}" as it is now?', label),
          detail: t('The server changed since you agreed to it, and needs your answer'),
        }
      : {
          text: t('Start "{0}"? A client wanted to use it.', label),
          detail: t('A client wanted to use the server, and you have not started it'),
        }),
    ask: async () => void (await vscode.commands.executeCommand(Command.startServer, row)),
  };
}

/**
 * The text that a person sees before a server starts. It begins with what matters for the decision:
 * what runs or is reached, and the kind of server, in our own sentences. The lists come below, so
 * even long lists do not hide these sentences.
 *
 * @param former the server's identity at the user's last answer, if it was another identity.
 * @param told the text that names the server's folders.
 * @param needs the paths that the server must read in its sandbox to run.
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
    // Left out for the bundled server: its arguments are ours, and no path depends on its `cwd`.
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
 * The words that decide what runs or is called: the program and the package that it fetches, or the
 * host. {@link restTexts} has the rest of a long command line.
 */
function decidingTexts(definition: ServerDefinition): string[] {
  const { launch } = definition;
  const line = commandLine(launch);
  if (launch.type === 'http') {
    const url = isShort(line) ? line : deciding(originOf(line));
    return [t('{0} give this address: {1}', settingsOf(definition), url)];
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
    `${t('Downloads')}: ${deciding(printableWords(fetched))}`,
  ];
}

/** The arguments, variables and headers. The user's yes covers them, too. */
function restTexts(launch: Launch): string[] {
  const rest = restOf(launchAsShown(launch), isShort(commandLine(launch)));
  const texts = rest.filter(([, text]) => text !== '');
  // All texts together get the space of one text, so each text gets an equal part.
  const share = Math.floor(longest.text / texts.length);
  return texts.map(([label, text]) => `${label}: ${cutMiddle(text, share)}`);
}

type Labelled = readonly [label: string, text: string];

/** Labels and texts of a launch. `isWhole` empties the parts that the text above shows already. */
function restOf(shown: Launch, isWhole: boolean): Labelled[] {
  const words = (values: Readonly<Record<string, string>>) =>
    printableWords(Object.entries(values).map(([name, value]) => `${name}=${value}`));
  if (shown.type === 'http') {
    const path = printable(shown.url).slice(originOf(printable(shown.url)).length);
    return Object.values<Labelled>({
      url: [t('Path'), isWhole ? '' : path],
      headers: [t('Headers'), words(shown.headers)],
      oauth: [t('Signs in as'), words(shown.oauth ?? {})],
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
  return line.length <= roomFor(line, longest.text);
}

function deciding(text: string): string {
  return cutMiddle(text, roomFor(text, longest.text));
}

/** Scheme and host of a URL, which may hold variables. */
function originOf(url: string): string {
  return /^[^:/?#]*:\/\/[^/?#]*/.exec(url)?.[0] ?? url;
}

/** The command line, and which settings ask for it. */
function startedText(definition: ServerDefinition, line: string): string {
  return definition.from
    ? t('{0} start the server with: {1}', settingsOf(definition), line)
    : t('Command: {0}', line);
}

function settingsOf({ from = 'user', isOfMachine }: ServerDefinition): string {
  const whose = {
    machine: t('The settings of the remote machine'),
    workspace: t('The settings of this workspace'),
    user: t('Your user settings'),
  };
  return whose[isOfMachine ? 'machine' : from];
}

/** Says that values are hidden, because the user's yes covers the hidden values, too. */
function hiddenText(launch: Launch): string[] {
  return JSON.stringify(launchAsShown(launch)) === JSON.stringify(launch)
    ? []
    : [t('"{0}[n]" stands for n hidden characters.', hiddenMark)];
}

/** Sentences on the kind of server, and on what the server may do without a question. */
function nature(definition: ServerDefinition): string[] {
  const { id, launch, sandbox } = definition;
  if (launch.type === 'http') {
    return [remoteText(launch.url), t('Roots are guidance, not a sandbox.')];
  }
  if (id === bundledServerId) {
    return [
      t('This server comes with the extension. It refuses every path outside its roots.'),
      ...(isWritingBundledServer(definition)
        ? [t('The server may create, change, move and delete files inside its roots.')]
        : []),
      ...(definition.sandboxIfAny && process.platform === 'linux'
        ? [
            t(
              'If a sandbox is available, the system keeps the server in its folders, and the server has no network.',
            ),
          ]
        : []),
    ];
  }
  if (!sandbox) {
    return [
      t(
        'The server runs with your rights and could read other files. Roots are guidance, not a sandbox.',
      ),
    ];
  }
  const { network, unixSockets } = sandbox;
  return [
    network
      ? t(
          'The system keeps the server in its folders. Outside of them, the server sees only what it needs to run. The network is open.',
        )
      : t(
          'The system keeps the server in its folders. Outside of them, the server sees only what it needs to run. It has no network.',
        ),
    ...(!network && isInstalled(definition)
      ? [t('The download of the program uses the network, but sees no folder.')]
      : []),
    ...(unixSockets ? [t('The server can use unix sockets in its folders.')] : []),
  ];
}

/** The paths that a server can reach in its sandbox, besides its folders. */
export function reachTexts(sandbox: SandboxTerms, needs: readonly string[]): string[] {
  const texts = {
    write: t('Also changes: {0}', reachedPaths(sandbox.write)),
    read: t('Also reads: {0}', reachedPaths(sandbox.read)),
    needs: t('Needs to read: {0}', reachedPaths(needs)),
  };
  return [
    ...(sandbox.write.length > 0 ? [texts.write] : []),
    ...(sandbox.read.length > 0 ? [texts.read] : []),
    ...(needs.length > 0 ? [texts.needs] : []),
  ];
}

/** The shortest paths, because they may contain the most, and the number of other paths. */
function reachedPaths(paths: readonly string[]): string {
  return firstOf([...paths].sort((a, b) => a.length - b.length).map(reachedPath), most);
}

function reachedPath(path: string): string {
  const shown = cutMiddle(printableWords([path]), longest.part);
  if (!holdsHome(path)) {
    return cutMiddle(printableWords([fromHome(path)]), longest.part);
  }
  const all = {
    machine: t('EVERY FILE of this machine ({0})', shown),
    home: t('ALL OF YOUR HOME ({0})', shown),
  };
  return path === '/' ? all.machine : all.home;
}

/** Whether a path is the home, or contains it. */
export function holdsHome(path: string): boolean {
  return isAtOrBelow(homedir(), path);
}

function remoteText(url: string): string {
  return isOnThisMachine(url)
    ? t(
        'This server is another program, reached over HTTP. The server gets the names and paths of these folders.',
      )
    : t(
        'WARNING: this server runs on another machine. The names and paths of these folders LEAVE THIS MACHINE, and the owner of the server can keep them.',
      );
}

/** The ways other than the protocol by which the server gets its roots. */
function routes({ rootsAs }: ServerDefinition): string[] {
  const ways = configurationRoutes(rootsAs).map(configurationText).join(', ');
  const text = 'The server gets the paths {0}. If you revoke a folder, the server is restarted.';
  return ways === '' ? [] : [t(text, ways)];
}

function changeTexts(former: IdentityFields, fields: IdentityFields): string[] {
  const changes = [
    ...changedFields(former, fields).map(({ field, before, after }) =>
      printable(`${field}: ${shortChange(before)} → ${shortChange(after)}`),
    ),
    ...changedSeals(former, fields).map(place =>
      t('{0}: the hidden value changed', printable(cutMiddle(place, longest.part))),
    ),
  ];
  const more = changes.length - most;
  return [
    t('Changed since you last answered:'),
    ...changes.slice(0, most),
    ...(more > 0 ? [t('Further changes: {0}.', more)] : []),
    ...(fields['sandbox'] ? [t('The server keeps the files that it stored in its sandbox.')] : []),
  ];
}

function shortChange(text: string): string {
  return text === '' ? '—' : cutMiddle(text, longest.part);
}

/** The folders that a yes shares: undecided folders first, and folders with notes before others. */
function toldText({ access: { folders }, definition: { offers = [] } }: Server): string {
  const order = (access: FolderAccess) =>
    2 * Number(Boolean(access.root)) + Number(folderDetails(access).length === 0);
  const told = folders
    .filter(({ root, exclusion }) => root || exclusion === 'undecided')
    .sort((a, b) => order(a) - order(b));
  if (told.length === 0) {
    const isUnmatched = folders.every(({ exclusion: reason }) => reason && noOffer.has(reason));
    return offers.length > 0 && isUnmatched
      ? t('No folder is shared, because none matches {0}.', listed(offers.map(shortName)))
      : t('No folder is shared.');
  }
  const more = told.length - most;
  return [
    t('Folders:'),
    ...told.slice(0, most).flatMap(folderLines),
    ...(more > 0 ? [t('More folders: {0}. Choose Folders… lists them.', more)] : []),
  ].join('\n');
}

/** The reasons to leave out a folder that matches no offer of the server's definition. */
const noOffer: ReadonlySet<ExclusionReason> = new Set(['not-offered', 'missing'] as const);

/** The name and path of a folder. The lines below are notes to read before saying yes. */
function folderLines(access: FolderAccess): string[] {
  const { folder, root, isReadOnly } = access;
  const place = `• ${shortName(folder.name)} — ${shortPath(folder.path ?? folder.uri)}`;
  const words = [...(root ? [t('allowed already')] : []), ...(isReadOnly ? [t(readOnlyWord)] : [])];
  return [
    words.length > 0 ? `${place} (${words.join(', ')})` : place,
    ...folderDetails(access)
      .slice(0, most)
      .map(detail => `   ${cutMiddle(detail, longest.part)}`),
  ];
}
