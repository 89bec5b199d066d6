import { isJsonObject, isSameJson, type JsonObject } from '../json.ts';
import { printable } from '../printable.ts';
import { type Sentence, sentence } from '../sentence.ts';
import type { Surroundings } from '../settings/definitionVariables.ts';
import { type ConversionTerms, type ConvertedServer, convertServer } from './convertServer.ts';
import { type FileInputs, type InputEntry, readFileInputs } from './importedInputs.ts';
import type { ImportSource } from './importPlaces.ts';

/** The content of one place where servers may be: parsed, of any form. */
export interface ImportFile {
  readonly source: ImportSource;
  readonly value: unknown;
}

/** What the settings hold already, in all their scopes. */
export interface ExistingSettings {
  readonly servers: JsonObject;
  readonly inputs: readonly unknown[];
  /** Where the window is. */
  readonly around: Surroundings;
}

/**
 * How a server found in a file stands: to be taken over, better looked at first, the same as one
 * that is there already, or not to be taken over at all.
 */
export type ImportStatus = 'ready' | 'doubtful' | 'present' | 'impossible';

/** One server found in a file. */
export interface ImportCandidate extends ConvertedServer {
  /** A name that is free in the settings; of one that is present, the name it has there. */
  readonly name: string;
  /** The name it has in the file. */
  readonly originalName: string;
  readonly source: ImportSource;
  readonly status: ImportStatus;
}

/** All servers found, and what is to be said of the files they are in. */
export interface ImportPlan {
  readonly candidates: readonly ImportCandidate[];
  readonly notes: readonly SourceNote[];
}

/** Something to be said of a file as a whole. */
export interface SourceNote {
  readonly source: ImportSource;
  readonly note: Sentence;
}

/** What is planned so far, so that nothing gets a name twice. */
interface PlanTerms extends ConversionTerms {
  readonly servers: Map<string, unknown>;
  readonly known: Map<string, unknown>;
}

/** Lists of servers by the names that clients give them, all of one form. */
const listKeys = ['servers', 'mcpServers'];
const knownKeys = [...listKeys, 'inputs', '$schema'];

/**
 * What can be taken over from these files. Nothing that is in the settings is ever overwritten:
 * another server of the same name gets a name of its own, the same one is not taken again.
 */
export function planImport(files: readonly ImportFile[], existing: ExistingSettings): ImportPlan {
  const servers = new Map(Object.entries(existing.servers));
  const inputs = new Map<string, unknown>(
    existing.inputs.filter(isJsonObject).map(input => [String(input['id']), input]),
  );
  const candidates: ImportCandidate[] = [];
  const notes: SourceNote[] = [];
  for (const { source, value } of files) {
    const { place, problem } = placeIn(value, source.at);
    const fileInputs = readFileInputs(place['inputs'], inputs);
    remember(
      inputs,
      [...fileInputs.byId.values()].map(({ input }) => input),
    );
    const lists = listsIn(place);
    const terms = { source, fileInputs, known: inputs, servers, around: existing.around };
    const found = lists.servers.map(([name, raw]) => candidate(name, raw, terms));
    candidates.push(...found);
    const said = [
      ...problem,
      ...lists.problems,
      ...fileInputs.notes,
      ...restOf(place, source),
      ...unused(fileInputs, found),
    ];
    notes.push(...said.map(note => ({ source, note })));
  }
  return { candidates, notes };
}

function placeIn(
  value: unknown,
  at: readonly string[],
): { place: JsonObject; problem: readonly Sentence[] } {
  const place = at.reduce<unknown>(
    (inside, key) => (isJsonObject(inside) && Object.hasOwn(inside, key) ? inside[key] : {}),
    value,
  );
  return isJsonObject(place) && isJsonObject(value)
    ? { place, problem: [] }
    : { place: {}, problem: [sentence('It is not an object.')] };
}

function listsIn(place: JsonObject) {
  const lists = listKeys.filter(key => Object.hasOwn(place, key));
  const wrong = lists.filter(key => !isJsonObject(place[key]));
  return {
    servers: lists.flatMap(key => Object.entries(isJsonObject(place[key]) ? place[key] : {})),
    problems: wrong.map(key => sentence('"{0}" is not an object of servers by name.', key)),
  };
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
      remember(known, converted.inputs);
      return { ...found, status: converted.doubts.length > 0 ? 'doubtful' : 'ready' };
    }
    if (isSameJson(comparable(servers.get(name)), comparable(converted.entry))) {
      return { ...found, status: 'present' };
    }
  }
}

function remember(inputs: Map<string, unknown>, added: readonly InputEntry[]): void {
  for (const input of added) {
    inputs.set(input.id, input);
  }
}

/**
 * An entry without what makes no other server of it: those in the settings may leave out the type,
 * and may be kept in their folders by the word of the user.
 */
function comparable(entry: unknown): unknown {
  return isJsonObject(entry)
    ? { type: 'command' in entry ? 'stdio' : 'http', ...entry, sandbox: undefined }
    : entry;
}

function restOf(place: JsonObject, source: ImportSource): Sentence[] {
  const rest = Object.keys(place).filter(key => !knownKeys.includes(key));
  return rest.length > 0 && source.isOnlyServers
    ? [sentence('Not taken over: {0}.', rest.map(printable).join(', '))]
    : [];
}

function unused({ byId }: FileInputs, found: readonly ImportCandidate[]): Sentence[] {
  const used = new Set(found.flatMap(({ inputs }) => inputs));
  const rest = [...byId].filter(([, { input }]) => !used.has(input)).map(([id]) => printable(id));
  return rest.length > 0
    ? [
        sentence(
          'Inputs that no server uses, so that they are not taken over: {0}.',
          rest.join(', '),
        ),
      ]
    : [];
}
