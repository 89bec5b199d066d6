import { type ImportSource, serverLists } from '../gateway/clientFiles.ts';
import { isJsonObject, isSameJson, type JsonObject, partAt } from '../json.ts';
import { type Sentence, sentence } from '../sentence.ts';
import type { Surroundings } from '../settings/definitionVariables.ts';
import { readServerSettings } from '../settings/serverSettings.ts';
import {
  type ConversionTerms,
  type ConvertedServer,
  convertServer,
  inputsById,
  usableInputs,
} from './convertServer.ts';

/** The parsed content of a file that may hold servers, in any form. */
export interface ImportFile {
  readonly source: ImportSource;
  readonly value: unknown;
}

export interface ExistingSettings {
  readonly servers: JsonObject;
  readonly inputs: readonly unknown[];
  /** The folders of the window. A definition's variables may name them. */
  readonly around: Surroundings;
}

export interface ImportCandidate extends ConvertedServer {
  /** The server's name in the settings: its present name if they have the server, or a new name. */
  readonly name: string;
  /** The server's name in the file. */
  readonly originalName: string;
  readonly source: ImportSource;
  /** `present`: the settings have the server already. `impossible`: the server has mistakes. */
  readonly status: 'ready' | 'present' | 'impossible';
}

/** All servers found, and notes on their files. */
export interface ImportPlan {
  readonly candidates: readonly ImportCandidate[];
  readonly notes: readonly SourceNote[];
}

export interface SourceNote {
  readonly source: ImportSource;
  readonly note: Sentence;
}

interface PlanTerms extends ConversionTerms {
  readonly source: ImportSource;
  readonly servers: Map<string, unknown>;
  readonly known: Map<string, unknown>;
}

/**
 * The servers that can be imported from these files. Import overwrites nothing in the settings: a
 * server whose name is taken gets a new name. A server that the settings have is not imported.
 */
export function planImport(files: readonly ImportFile[], existing: ExistingSettings): ImportPlan {
  const servers = new Map(Object.entries(existing.servers));
  const known = inputsById(existing.inputs);
  const candidates: ImportCandidate[] = [];
  const notes: SourceNote[] = [];
  for (const { source, value } of files) {
    const place = source.at.length === 0 ? value : (partAt(value, source.at) ?? {});
    if (!isJsonObject(place)) {
      notes.push({ source, note: sentence('The part with the servers must be an object.') });
      continue;
    }
    const inputs = usableInputs(place['inputs']);
    const terms = { source, inputs, known, servers, around: existing.around };
    for (const key of serverLists().filter(key => Object.hasOwn(place, key))) {
      const list = place[key];
      if (isJsonObject(list)) {
        candidates.push(...Object.entries(list).map(([name, raw]) => candidate(name, raw, terms)));
      } else {
        const note = sentence('"{0}" is not an object of servers by name.', key);
        notes.push({ source, note });
      }
    }
  }
  return { candidates, notes };
}

/** Takes the first of `name`, `name-2`, … that is free or already names the same server. */
function candidate(originalName: string, raw: unknown, terms: PlanTerms): ImportCandidate {
  const { source, servers, known, around } = terms;
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? originalName : `${originalName}-${count}`;
    const converted = convertServer(name, raw, terms);
    const found = { ...converted, name, originalName, source };
    if (converted.entry === undefined) {
      return { ...found, status: 'impossible' };
    }
    if (!servers.has(name)) {
      servers.set(name, converted.entry);
      for (const input of converted.inputs.filter(({ id }) => !known.has(id))) {
        known.set(input.id, input);
      }
      return { ...found, status: 'ready' };
    }
    if (isSameJson(launchOf(servers.get(name), around), launchOf(converted.entry, around))) {
      return { ...found, status: 'present' };
    }
  }
}

/** Whether only this workspace can use a server, judged by its file or the folder it names. */
export function isOfWorkspace({ entry, source }: Partial<ImportCandidate>): boolean {
  const isOfFile = source?.scope === 'workspace' || source?.at[0] === 'projects';
  return isOfFile || JSON.stringify(entry).includes('${workspaceFolder');
}

/** The program or address of an entry. Entries with the same value are the same server. */
function launchOf(entry: unknown, around: Surroundings): unknown {
  const { sandbox: _, ...rest } = isJsonObject(entry) ? entry : {};
  return readServerSettings({ it: rest }, around).servers[0]?.launch ?? entry;
}
