import { l10n } from 'vscode';
import type { Folder } from '../../domain/folders.ts';
import { commandLine } from '../../domain/launch.ts';
import { printable, printableWords } from '../../domain/printable.ts';
import { distinctNames } from '../../domain/roots.ts';
import type { ServerDefinition } from '../../domain/serverDefinition.ts';
import { changedFields, type IdentityFields } from '../../domain/serverIdentity.ts';
import { bundledServerId, isWritingBundledServer } from '../servers/bundledServer.ts';
import type { Server } from '../servers/server.ts';

/** What the consent prompt says below its question. */
export function consentDetail(
  { definition }: Server,
  folders: readonly Folder[],
  former: IdentityFields | undefined,
): string {
  const { launch, fields } = definition;
  const parts = [
    ...(former ? [changeText(former, fields)] : []),
    `${l10n.t('It will be told of:')}\n${folders.map(folderLine).join('\n')}`,
    `${l10n.t('It is started with:')}\n${commandLine(launch)}`,
    ...surroundings(fields),
    l10n.t('Roots tell a server which folders to work in. They are guidance, not a sandbox.'),
    ...nature(definition),
  ];
  return parts.join('\n\n');
}

/** What kind of a server it is, as far as anybody can tell. */
function nature(definition: ServerDefinition): string[] {
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

function changeText(former: IdentityFields, fields: IdentityFields): string {
  const changes = changedFields(former, fields).map(({ field, before, after }) =>
    printable(`${field}: ${before || '—'} → ${after || '—'}`),
  );
  return `${l10n.t('This server has changed since you last answered:')}\n${changes.join('\n')}`;
}

/** What else consent is bound to, as far as the server's definition says it. */
function surroundings({ cwd = '', env = [] }: IdentityFields): string[] {
  return [
    ...(cwd.length > 0
      ? [`${l10n.t('In the working directory:')}\n${printable(String(cwd))}`]
      : []),
    ...(env.length > 0
      ? [`${l10n.t('With the environment:')}\n${printableWords([env].flat())}`]
      : []),
  ];
}

function folderLine({ name, path, uri }: Folder): string {
  return printable(`• ${name} — ${path ?? uri}`);
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
