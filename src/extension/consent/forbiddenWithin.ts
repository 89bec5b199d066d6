import * as vscode from 'vscode';
import type { FolderAccess } from '../../domain/consent/access.ts';
import { printable } from '../../domain/printable.ts';
import type { Server } from '../servers/server.ts';

/** Of folders that are allowed, by URI: the paths within that are never exposed by themselves. */
export type Confirmed = ReadonlyMap<string, readonly string[]>;

/**
 * Asks once more about each folder that holds what `mcpRoots.neverExpose` names, and leaves out
 * those that get no second yes.
 */
export async function confirmForbiddenWithin(
  server: Server,
  allowed: ReadonlySet<string>,
): Promise<Confirmed> {
  const confirmed = new Map<string, readonly string[]>();
  for (const access of server.access.folders.filter(({ folder }) => allowed.has(folder.uri))) {
    const within = forbiddenWithin(access);
    if (within.length === 0 || (await isConfirmed(server, access, within))) {
      confirmed.set(access.folder.uri, within);
    }
  }
  return confirmed;
}

function forbiddenWithin({ notes }: FolderAccess): readonly string[] {
  return notes.flatMap(note => (note.kind === 'holds-forbidden' ? note.paths : []));
}

async function isConfirmed(
  { definition }: Server,
  { folder }: FolderAccess,
  within: readonly string[],
): Promise<boolean> {
  const allow = vscode.l10n.t('Allow All the Same');
  const question = vscode.l10n.t(
    '"{0}" holds folders that are never exposed by themselves. Allow "{1}" to see it all the same?',
    printable(folder.path ?? folder.uri),
    definition.label,
  );
  const detail = [
    vscode.l10n.t('The server could read what is in them:'),
    within.map(path => printable(`• ${path}`)).join('\n'),
  ].join('\n');
  const options = { modal: true, detail };
  return (await vscode.window.showWarningMessage(question, options, allow)) === allow;
}
