import { type ImportSource, serverLists } from '../gateway/clientFiles.ts';
import { isJsonObject, isSameJson, type JsonObject } from '../json.ts';
import { type Sentence, sentence } from '../sentence.ts';
import type { Surroundings } from '../settings/definitionVariables.ts';
import {
  type ConversionTerms,
  type ConvertedServer,
  convertServer,
  inputsById,
  usableInputs,
} from './convertServer.ts';

/** The content of one place where servers may be: parsed, of any form. */
export interface ImportFile {
  readonly source: ImportSource;
  readonly value: unknown;
}

export interface ExistingSettings {
  readonly servers: JsonObject;
  readonly inputs: readonly unknown[];
  /** The folders of the window, for the variables of a definition. */
  readonly around: Surroundings;
}

/** Whether a server can be taken over: one that is there already is not, and one with mistakes can't. */
type ImportStatus = 'ready' | 'present' | 'impossible';

export interface ImportCandidate extends ConvertedServer {
  /** A name that is free in the settings; of one that is present, the name it has there. */
  readonly name: string;
  /** The name it has in the file. */
  readonly originalName: string;
  readonly source: ImportSource;
  readonly status: ImportStatus;
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
 * The servers that can be taken over from these files. Nothing that is in the settings is ever overwritten:
 * another server of the same name gets a name of its own, the same one is not taken again.
 */
export function planImport(files: readonly ImportFile[], existing: ExistingSettings): ImportPlan {
  const servers = new Map(Object.entries(existing.servers));
  const known = inputsById(existing.inputs);
  const candidates: ImportCandidate[] = [];
  const notes: SourceNote[] = [];
  for (const { source, value } of files) {
    const place = placeIn(value, source.at);
    if (!isJsonObject(place)) {
      notes.push({ source, note: sentence('It is not an object.') });
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

/** An empty object where there is nothing. */
function placeIn(value: unknown, at: readonly string[]): unknown {
  const [key, ...rest] = at;
  if (key === undefined || !isJsonObject(value)) {
    return value;
  }
  return Object.hasOwn(value, key) ? placeIn(value[key], rest) : {};
}

/** The first of `name`, `name-2`, … that is free, or under which this very server is. */
function candidate(originalName: string, raw: unknown, terms: PlanTerms): ImportCandidate {
  const { source, servers, known } = terms;
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
    if (isSameJson(comparable(servers.get(name)), comparable(converted.entry))) {
      return { ...found, status: 'present' };
    }
  }
}

/**
 * An entry without what makes no other server of it: it may leave out the type, and be kept in its
 * folders by the word of the user.
 */
function comparable(entry: unknown): unknown {
  return isJsonObject(entry)
    ? { type: 'command' in entry ? 'stdio' : 'http', ...entry, sandbox: undefined }
    : entry;
}
