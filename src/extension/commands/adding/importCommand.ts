import { planImport, type SourceNote } from '../../../domain/adding/importPlan.ts';
import { type ImportPlace, importPlaces } from '../../../domain/gateway/clientFiles.ts';
import { sentence } from '../../../domain/sentence.ts';
import { takeOver, thisMachine } from '../../adding/importServers.ts';
import { existingSettings, type ServerKeeping } from '../../adding/writeServers.ts';
import type { SandboxSource } from '../../servers/serverTarget.ts';
import * as vscode from '../../vscode.ts';
import { readPlaces } from './readPlaces.ts';

/**
 * Finds the servers of other clients, shows them, and adds the ticked servers to the settings.
 * Starts nothing, and writes only the settings.
 *
 * @throws {HumanError} when there is nothing to import.
 */
export async function importServers(keeping: ServerKeeping, sandbox: SandboxSource): Promise<void> {
  const places = importPlaces(thisMachine(keeping.editorFolder));
  const { files, notes } = await readPlaces(places);
  const found = planImport(files, existingSettings());
  const plan = { ...found, notes: [...notes, ...found.notes, ...remoteNote(places)] };
  await takeOver(plan, keeping, sandbox);
}

/** A note for a remote window: the user's own file is on another machine, so nobody reads it. */
function remoteNote(places: readonly ImportPlace[]): SourceNote[] {
  const user = places.find(({ source }) => source.scope === 'user');
  const note = sentence("This window is remote, so it can't read your files on other machines.");
  return user && vscode.env.remoteName !== undefined ? [{ source: user.source, note }] : [];
}
