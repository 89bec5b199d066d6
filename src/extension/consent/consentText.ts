import { l10n } from 'vscode';
import type { Folder } from '../../domain/folders.ts';
import { commandLine } from '../../domain/launch.ts';
import { printable } from '../../domain/printable.ts';
import { changedFields, type IdentityFields } from '../../domain/serverIdentity.ts';
import { bundledServerId } from '../servers/bundledServer.ts';
import type { Server } from '../servers/server.ts';

/** What the consent prompt says below its question. */
export function consentDetail(
  { definition }: Server,
  folders: readonly Folder[],
  former: IdentityFields | undefined,
): string {
  const { id, launch, fields } = definition;
  const parts = [
    ...(former ? [changeText(former, fields)] : []),
    `${l10n.t('It will be told of:')}\n${folders.map(folderLine).join('\n')}`,
    `${l10n.t('It is started with:')}\n${printable(commandLine(launch))}`,
    id === bundledServerId
      ? l10n.t('This server comes with the extension. It refuses every path outside these folders.')
      : l10n.t(
          'Roots tell a server which folders to work in. They are guidance, not a sandbox: the server runs with your rights and could read other files too.',
        ),
  ];
  return parts.join('\n\n');
}

function changeText(former: IdentityFields, fields: IdentityFields): string {
  const changes = changedFields(former, fields).map(({ field, before, after }) =>
    printable(`${field}: ${before || '—'} → ${after || '—'}`),
  );
  return `${l10n.t('This server has changed since you last answered:')}\n${changes.join('\n')}`;
}

function folderLine({ name, path, uri }: Folder): string {
  return printable(`• ${name} — ${path ?? uri}`);
}

/** The names of some folders in a sentence: all of a few, else how many. */
export function folderNames(folders: readonly Folder[]): string {
  return folders.length <= 3
    ? folders.map(({ name }) => `"${printable(name)}"`).join(', ')
    : l10n.t('{0} folders', folders.length);
}
