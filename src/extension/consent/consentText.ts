import { l10n } from 'vscode';
import type { Access } from '../../domain/consent/access.ts';
import { configurationRoutes } from '../../domain/consent/configuredRoots.ts';
import type { Folder } from '../../domain/folders/folders.ts';
import { printable, printableWords } from '../../domain/printable.ts';
import { distinctNames } from '../../domain/roots.ts';
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
  folders: readonly Folder[],
  former: IdentityFields | undefined,
): string {
  const { launch, fields } = definition;
  const parts = [
    ...(former ? [changeText(former, fields)] : []),
    `${l10n.t('It will be told of:')}\n${folderLines(folders, access).join('\n')}`,
    `${launch.type === 'http' ? l10n.t('It is reached at:') : l10n.t('It is started with:')}\n${commandLine(launch)}`,
    ...surroundings(fields),
    l10n.t('Roots tell a server which folders to work in. They are guidance, not a sandbox.'),
    ...nature(definition),
    ...routes(definition),
  ];
  return parts.join('\n\n');
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

/** Where each folder is, and below it what should be known before saying yes. */
function folderLines(folders: readonly Folder[], { folders: accesses }: Access): string[] {
  return folders.flatMap(folder => {
    const access = accesses.find(({ folder: { uri } }) => uri === folder.uri);
    const details = access ? folderDetails(access) : [];
    const place = `• ${folder.name} — ${folder.path ?? folder.uri}`;
    return [printable(place), ...details.map(detail => `   ${detail}`)];
  });
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
