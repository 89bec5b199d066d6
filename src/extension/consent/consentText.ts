import { l10n } from 'vscode';
import type { Access, FolderAccess } from '../../domain/consent/access.ts';
import { configurationRoutes } from '../../domain/consent/configuredRoots.ts';
import type { Folder } from '../../domain/folders/folders.ts';
import { printable, printableWords } from '../../domain/printable.ts';
import { distinctNames } from '../../domain/roots.ts';
import { hiddenSecret } from '../../domain/secrets/shownTexts.ts';
import { commandLine } from '../../domain/servers/launch.ts';
import { isOnThisMachine } from '../../domain/servers/loopback.ts';
import type { ServerDefinition } from '../../domain/servers/serverDefinition.ts';
import { changedFields, type IdentityFields } from '../../domain/servers/serverIdentity.ts';
import { folderDetails } from '../folderText.ts';
import { bundledServerId, isWritingBundledServer } from '../servers/bundledServer.ts';
import type { Server } from '../servers/server.ts';

/** What the consent prompt says below its question. */
export function consentDetail(
  { definition, access }: Server,
  former: IdentityFields | undefined,
): string {
  const { launch, fields } = definition;
  const parts = [
    ...(former ? [changeText(former, fields)] : []),
    toldText(access),
    `${launch.type === 'http' ? l10n.t('It is reached at:') : l10n.t('It is started with:')}\n${commandLine(launch)}`,
    ...originText(definition),
    ...surroundings(fields),
    ...hiddenText(definition),
    l10n.t('Roots tell a server which folders to work in. They are guidance, not a sandbox.'),
    ...nature(definition),
    ...routes(definition),
  ];
  return parts.join('\n\n');
}

/** Whose word it is that this is to be run. */
function originText({ from }: ServerDefinition): string[] {
  switch (from) {
    case 'user':
      return [l10n.t('Your user settings define it.')];
    case 'workspace':
      return [l10n.t('The settings of this workspace define it.')];
    case undefined:
      return [];
  }
}

/** What kind of a server it is, as far as anybody can tell. */
function nature(definition: ServerDefinition): string[] {
  if (definition.launch.type === 'http') {
    return [remoteText(definition.launch.url)];
  }
  if (definition.id !== bundledServerId) {
    return [l10n.t('This server runs with your rights and could read other files, too.')];
  }
  return [
    l10n.t('This server comes with the extension. It refuses every path outside its roots.'),
    ...(isWritingBundledServer(definition)
      ? [l10n.t('Inside its roots it may create, change, move and delete files.')]
      : []),
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

function changeText(former: IdentityFields, fields: IdentityFields): string {
  const changes = changedFields(former, fields).map(({ field, before, after }) =>
    printable(`${field}: ${before || '—'} → ${after || '—'}`),
  );
  return `${l10n.t('This server has changed since you last answered:')}\n${changes.join('\n')}`;
}

/** What a person sees is what is consented to: what was left out is said. */
function hiddenText({ launch, fields }: ServerDefinition): string[] {
  const shown = [commandLine(launch), ...Object.values(fields).flat()];
  return shown.some(text => text.includes(hiddenSecret))
    ? [l10n.t('Where "{0}" stands, there is what looks like a secret.', hiddenSecret)]
    : [];
}

/** What else consent is bound to, as far as the server's definition says it. */
function surroundings(fields: IdentityFields): string[] {
  const { cwd = '', env = [], envFile = '', headers = [] } = fields;
  return [
    ...(headers.length > 0
      ? [`${l10n.t('With the headers:')}\n${printableWords([headers].flat())}`]
      : []),
    ...(cwd.length > 0
      ? [`${l10n.t('In the working directory:')}\n${printable(String(cwd))}`]
      : []),
    ...(env.length > 0
      ? [`${l10n.t('With the environment:')}\n${printableWords([env].flat())}`]
      : []),
    ...(envFile.length > 0
      ? [`${l10n.t('With the variables in the file:')}\n${printable(String(envFile))}`]
      : []),
  ];
}

/** What the server is told of when the answer is yes: what it may see already, and what is asked. */
function toldText({ folders }: Access): string {
  const told = folders.filter(({ root, leftOut }) => root || leftOut === 'undecided');
  return told.length > 0
    ? `${l10n.t('It will be told of:')}\n${told.flatMap(folderLines).join('\n')}`
    : l10n.t('It will be told of no folder.');
}

/** Where a folder is, and below that what should be known before saying yes. */
function folderLines(access: FolderAccess): string[] {
  const { folder, root } = access;
  const place = printable(`• ${folder.name} — ${folder.path ?? folder.uri}`);
  return [
    root ? l10n.t('{0} (allowed already)', place) : place,
    ...folderDetails(access).map(detail => `   ${detail}`),
  ];
}

/** The names of some folders in a sentence; of many only how many there are. */
export function folderNames(folders: readonly Folder[]): string {
  if (folders.length > 3) {
    return l10n.t('{0} folders', folders.length);
  }
  const names = distinctNames(folders).map(name => `"${printable(name)}"`);
  return names.join(', ');
}

/** The same, with the path where there is only one. */
export function folderPlaces(folders: readonly Folder[]): string {
  const [only, ...more] = folders;
  return only && more.length === 0
    ? `${folderNames(folders)} (${printable(only.path ?? only.uri)})`
    : folderNames(folders);
}
