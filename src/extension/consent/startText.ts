import { l10n } from 'vscode';
import { configurationRoutes } from '../../domain/consent/configuredRoots.ts';
import { cutMiddle } from '../../domain/cut.ts';
import { printable, printableWords } from '../../domain/printable.ts';
import { hiddenMark } from '../../domain/secrets/shownTexts.ts';
import { fetchedWords } from '../../domain/servers/fetchingPrograms.ts';
import { commandLine, type Launch, launchAsShown } from '../../domain/servers/launch.ts';
import { isOnThisMachine } from '../../domain/servers/loopback.ts';
import type { ServerDefinition } from '../../domain/servers/serverDefinition.ts';
import {
  boundLess,
  changedFields,
  changedSeals,
  type IdentityFields,
} from '../../domain/servers/serverIdentity.ts';
import { isWorkspaceProgram } from '../../domain/servers/workspaceProgram.ts';
import { foldersOnDisk } from '../folders/onDisk.ts';
import { bundledServerId, isWritingBundledServer } from '../servers/bundledServer.ts';
import type { Server } from '../servers/server.ts';

/**
 * All of a question has to be seen at once, in a window of 800 × 600, too, whatever the definition
 * holds: so many lines, of so many characters.
 */
const room = { lines: 22, width: 46 };
const longest = { label: 60, change: 60, deciding: 90, value: 1000 };
const mostChanges = 3;

/**
 * What a person sees before a server is started as it is: what is run, first of all, and what is
 * hidden of that; then what to know, and then what else there is to say. The first part is cut as far
 * as the others need the room.
 *
 * @param former what it was when the user last answered on it, unless that was this.
 */
export function startDetail(
  { definition, fields }: Pick<Server, 'definition' | 'fields'>,
  former: IdentityFields | undefined,
  rest: string,
): string {
  const deciding = decidingTexts(definition);
  const hidden = hiddenText(definition.launch);
  const others = [[...nature(definition), ...routes(definition)].join('\n'), rest];
  const left = room.lines - linesOf([...deciding, ...hidden, ...others]) - others.length;
  const changes = former ? changeTexts(former, fields) : [];
  const texts = fitted([...changes, ...moreTexts(definition.launch)], left);
  const what = [...texts.slice(0, changes.length), ...deciding, ...texts.slice(changes.length)];
  return [[...what, ...hidden].join('\n'), ...others].join('\n\n');
}

/** A server's name in a sentence. */
export function shortLabel({ label }: Pick<ServerDefinition, 'label'>): string {
  return cutMiddle(label, longest.label);
}

/**
 * What decides on what is run or called: the program and the package that it fetches, or the host. A
 * line that is longer than these has the rest in {@link moreTexts}, for these are never cut away.
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
      ? [labelled(l10n.t('It fetches'), cutMiddle(printableWords(fetched), longest.deciding))]
      : []),
  ];
}

/** With what it is run or called: all that consent is bound to besides, as far as it is shown. */
function moreTexts(launch: Launch): string[] {
  const shown = launchAsShown(launch);
  const isWhole = isShort(commandLine(launch));
  if (shown.type === 'http') {
    const path = printable(shown.url).slice(originOf(printable(shown.url)).length);
    return [
      ...(isWhole ? [] : [labelled(l10n.t('Path'), path)]),
      ...valuesText(l10n.t('Headers'), shown.headers),
    ];
  }
  const { args, cwd, envFile } = shown;
  return [
    ...(isWhole ? [] : [labelled(l10n.t('Arguments'), printableWords(args))]),
    ...valuesText(l10n.t('Environment'), shown.env),
    ...(envFile === undefined ? [] : [labelled(l10n.t('Environment file'), printable(envFile))]),
    ...(cwd === undefined ? [] : [labelled(l10n.t('Working directory'), printable(cwd))]),
  ];
}

function isShort(line: string): boolean {
  return line.length <= 2 * room.width;
}

/** Scheme and host of a URL, which may hold variables. */
function originOf(url: string): string {
  return /^[^:/?#]*:\/\/[^/?#]*/.exec(url)?.[0] ?? url;
}

/** Whose word it is that this is to be run. */
function startedText(from: ServerDefinition['from'], line: string): string {
  switch (from) {
    case 'user':
      return l10n.t('Your user settings start it with: {0}', line);
    case 'workspace':
      return l10n.t('The settings of this workspace start it with: {0}', line);
    case undefined:
      return l10n.t('It is started with: {0}', line);
  }
}

function reachedText(from: ServerDefinition['from'], line: string): string {
  return from === 'workspace'
    ? l10n.t('The settings of this workspace reach it at: {0}', line)
    : l10n.t('Your user settings reach it at: {0}', line);
}

function valuesText(label: string, values: Readonly<Record<string, string>>): string[] {
  const words = Object.entries(values).map(([name, value]) => `${name}=${value}`);
  return words.length > 0 ? [labelled(label, printableWords(words))] : [];
}

function labelled(label: string, text: string): string {
  return `${label}: ${cutMiddle(text, longest.value)}`;
}

/** What a person sees is less than what is consented to: what was left out is said. */
function hiddenText(launch: Launch): string[] {
  return JSON.stringify(launchAsShown(launch)) === JSON.stringify(launch)
    ? []
    : [l10n.t('Where "{0}[n]" stands, n characters are hidden.', hiddenMark)];
}

/** What kind of a server it is, as far as anybody can tell, and what may change without a question. */
function nature(definition: ServerDefinition): string[] {
  const { id, launch } = definition;
  if (launch.type === 'http') {
    return [remoteText(launch.url), l10n.t('Roots are guidance, not a sandbox.')];
  }
  if (id === bundledServerId) {
    return [
      l10n.t('This server comes with the extension. It refuses every path outside its roots.'),
      ...(isWritingBundledServer(definition)
        ? [l10n.t('Inside its roots it may create, change, move and delete files.')]
        : []),
    ];
  }
  const paths = foldersOnDisk().map(({ path }) => path);
  return [
    ...(isWorkspaceProgram(launch, paths)
      ? [l10n.t('WARNING: it runs a file of this workspace, which may change with it.')]
      : []),
    l10n.t(
      'It runs with your rights and could read other files: roots are guidance, not a sandbox.',
    ),
  ];
}

function remoteText(url: string): string {
  return isOnThisMachine(url)
    ? l10n.t(
        'This server is another program, reached over HTTP. The names and paths of these folders are sent to it.',
      )
    : l10n.t(
        'WARNING: this server runs on another machine. The names and paths of these folders LEAVE THIS MACHINE, and whoever runs the server can keep them.',
      );
}

/** How else than on request the server gets its roots. */
function routes({ rootsAs }: ServerDefinition): string[] {
  return configurationRoutes(rootsAs).length > 0
    ? [
        l10n.t(
          'It gets the paths as arguments or environment, and is restarted when one is taken away.',
        ),
      ]
    : [];
}

function changeTexts(former: IdentityFields, fields: IdentityFields): string[] {
  if (boundLess(former) && !boundLess(fields)) {
    return [
      l10n.t(
        'You are asked once more: your earlier answer did not cover all that this server is started with, such as hidden values.',
      ),
    ];
  }
  const changes = [
    ...changedFields(former, fields).map(({ field, before, after }) =>
      printable(`${field}: ${shortChange(before)} → ${shortChange(after)}`),
    ),
    ...changedSeals(former, fields).map(place =>
      l10n.t('{0}: another hidden value', printable(cutMiddle(place, longest.change))),
    ),
  ];
  const more = changes.length - mostChanges;
  return [
    l10n.t('Changed since you last answered:'),
    ...changes.slice(0, mostChanges),
    ...(more > 0 ? [l10n.t('and {0} more changes', more)] : []),
  ];
}

function shortChange(text: string): string {
  return text === '' ? '—' : cutMiddle(text, longest.change);
}

/** The texts in no more lines than these, if each may have one: the longest lose first. */
function fitted(texts: readonly string[], lines: number): string[] {
  let share = 1;
  const taken = (most: number) =>
    texts.reduce((sum, text) => sum + Math.min(most, linesOf([text])), 0);
  while (taken(share + 1) <= lines && taken(share + 1) > taken(share)) {
    share += 1;
  }
  return texts.map(text =>
    // What says how much was left out takes its place, too.
    linesOf([text]) > share ? cutMiddle(text, share * room.width - 16) : text,
  );
}

/** How many lines texts take about; what is not of the Latin alphabet is often twice as wide. */
function linesOf(texts: readonly string[]): number {
  const width = (line: string) => line.length + (line.match(/[^ -~…•–—]/g)?.length ?? 0);
  return texts
    .flatMap(text => text.split('\n'))
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(width(line) / room.width)), 0);
}
