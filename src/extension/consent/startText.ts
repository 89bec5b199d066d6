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
 * How many characters of each text are shown, and how many changes: all of a question has to be seen
 * at once, in a small window, too, whatever the definition holds.
 */
const longest = { command: 320, values: 200, change: 120, place: 60, label: 60 };
const mostChanges = 4;

/**
 * What a person sees before a server is started as it is: what is run, first of all, and what is
 * hidden of that, then what to know.
 *
 * @param former what it was when the user last answered on it, unless that was this.
 */
export function startDetail(
  { definition, fields }: Pick<Server, 'definition' | 'fields'>,
  former: IdentityFields | undefined,
): string {
  const what = [
    ...(former ? [changeText(former, fields)] : []),
    ...runText(definition.launch),
    ...hiddenText(definition.launch),
  ];
  const warnings = [...originText(definition), ...nature(definition), ...routes(definition)];
  return `${what.join('\n')}\n\n${warnings.join('\n')}`;
}

/** A server's name in a sentence. */
export function shortLabel({ label }: Pick<ServerDefinition, 'label'>): string {
  return cutMiddle(label, longest.label);
}

/** What is run or called, and with what: all that consent is bound to, as far as it is shown. */
function runText(launch: Launch): string[] {
  const shown = launchAsShown(launch);
  const line = commandLine(launch);
  const start = cutMiddle(line, longest.command);
  if (shown.type === 'http') {
    return [
      l10n.t('It is reached at: {0}', start),
      ...valuesText(l10n.t('Headers'), shown.headers),
    ];
  }
  const { command, args, cwd, envFile } = shown;
  const fetched = start === line ? [] : [...(fetchedWords(command, args) ?? [])];
  return [
    l10n.t('It is started with: {0}', start),
    ...(fetched.length > 0
      ? [labelled(l10n.t('It fetches'), printableWords(fetched.map(index => args[index] ?? '')))]
      : []),
    ...valuesText(l10n.t('Environment'), shown.env),
    ...(envFile === undefined ? [] : [labelled(l10n.t('Environment file'), printable(envFile))]),
    ...(cwd === undefined ? [] : [labelled(l10n.t('Working directory'), printable(cwd))]),
  ];
}

function valuesText(label: string, values: Readonly<Record<string, string>>): string[] {
  const words = Object.entries(values).map(([name, value]) => `${name}=${value}`);
  return words.length > 0 ? [labelled(label, printableWords(words))] : [];
}

function labelled(label: string, text: string): string {
  return `${label}: ${cutMiddle(text, longest.values)}`;
}

/** What a person sees is less than what is consented to: what was left out is said. */
function hiddenText(launch: Launch): string[] {
  return JSON.stringify(launchAsShown(launch)) === JSON.stringify(launch)
    ? []
    : [
        l10n.t(
          'Where "{0}[n]" stands, n characters are hidden, which look like a secret.',
          hiddenMark,
        ),
      ];
}

/** Whose word it is that this is to be run, and whether it may change without another question. */
function originText({ from, launch }: ServerDefinition): string[] {
  const paths = foldersOnDisk().map(({ path }) => path);
  return [
    ...(from === 'user' ? [l10n.t('Your user settings define it.')] : []),
    ...(from === 'workspace' ? [l10n.t('The settings of this workspace define it.')] : []),
    ...(from && isWorkspaceProgram(launch, paths)
      ? [l10n.t('WARNING: it runs a file of this workspace, which may change with it.')]
      : []),
  ];
}

/** What kind of a server it is, as far as anybody can tell. */
function nature(definition: ServerDefinition): string[] {
  if (definition.launch.type === 'http') {
    return [remoteText(definition.launch.url), guidance()];
  }
  if (definition.id !== bundledServerId) {
    return [
      l10n.t('This server runs with your rights and could read other files, too.'),
      guidance(),
    ];
  }
  return [
    l10n.t('This server comes with the extension. It refuses every path outside its roots.'),
    ...(isWritingBundledServer(definition)
      ? [l10n.t('Inside its roots it may create, change, move and delete files.')]
      : []),
  ];
}

function guidance(): string {
  return l10n.t('Roots tell a server which folders to work in. They are guidance, not a sandbox.');
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

function changeText(former: IdentityFields, fields: IdentityFields): string {
  if (boundLess(former) && !boundLess(fields)) {
    return l10n.t(
      'You are asked once more: your earlier answer did not cover all that this server is started with, such as hidden values.',
    );
  }
  const changes = [
    ...changedFields(former, fields).map(({ field, before, after }) =>
      printable(`${field}: ${shortChange(before)} → ${shortChange(after)}`),
    ),
    ...changedSeals(former, fields).map(place =>
      l10n.t('{0}: another hidden value', printable(cutMiddle(place, longest.place))),
    ),
  ];
  const more = changes.length - mostChanges;
  return [
    l10n.t('This server has changed since you last answered:'),
    ...changes.slice(0, mostChanges),
    ...(more > 0 ? [l10n.t('and {0} more changes', more)] : []),
  ].join('\n');
}

function shortChange(text: string): string {
  return text === '' ? '—' : cutMiddle(text, longest.change);
}
