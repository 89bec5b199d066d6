import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ExistingSettings,
  type ImportFile,
  type ImportPlan,
  planImport,
} from '../../src/domain/adding/importPlan.ts';
import type { ImportSource } from '../../src/domain/gateway/clientFiles.ts';
import type { Sentence } from '../../src/domain/sentence.ts';
import { plainMistake } from '../../src/domain/settings/mistakes.ts';
import { knownVariables } from '../../src/domain/variables.ts';
import { readJson } from '../../src/extension/commands/adding/readPlaces.ts';
import { mistakeBy, saidBy } from './texts.ts';

const folder = join(import.meta.dirname, '..', 'unit', 'fixtures', 'imports');

/** The text of a file as another client wrote it. */
export function fixture(name: string): string {
  return readFileSync(join(folder, name), 'utf8');
}

/** Settings that hold nothing, in a window with the folders `api` and `web`. */
export const emptySettings: ExistingSettings = {
  servers: {},
  inputs: [],
  around: {
    folders: [
      { name: 'api', path: '/proj/api' },
      { name: 'web', path: '/proj/web' },
    ],
    userHome: '/home/user',
  },
};

/** A place in the folder `api`, the first of two folders. */
export function sourceOf(client: string, more: Partial<ImportSource> = {}): ImportSource {
  const label = `${client} file`;
  return { label, at: [], scope: 'workspace', folder: 'api', ...more };
}

/** A fixture as the content of a place. */
export function fileOf(name: string, source: ImportSource): ImportFile {
  const read = readJson(fixture(name));
  return { source, value: read.ok ? read.value : undefined };
}

/** The plan for servers by name, in a file of a client. */
export function planFor(
  servers: unknown,
  source: ImportSource = sourceOf('vscode'),
  existing: ExistingSettings = emptySettings,
): ImportPlan {
  return planImport([{ source, value: { servers } }], existing);
}

/** The visible parts of a plan, in one value. */
export function shownPlan({ candidates, notes }: ImportPlan) {
  return {
    servers: candidates.map(({ name, originalName, status, entry, inputs, kept, ...said }) => ({
      name,
      ...(name !== originalName && { originalName }),
      standing: status,
      ...(entry && { entry }),
      ...(inputs.length > 0 && { inputs }),
      ...(kept.length > 0 && { kept: kept.map(({ inputId }) => inputId) }),
      notes: said.notes.map(noteBy),
    })),
    notes: notes.map(({ note }) => noteBy(note)),
  };
}

/** A note on a server by its name; of a mistake, by its place and the text that says what to write. */
export function noteBy(note: Sentence): string {
  const [place, advice] = note.values;
  return typeof place === 'string' && advice
    ? mistakeBy(plainMistake(['', place], note)).replace(`, ${knownVariables.join(', ')}`, '')
    : saidBy(note).replace(/^convertServer\.(?:conversionNotes\.)?/, '');
}
