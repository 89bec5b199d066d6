import { type HubConfig, readHubConfig, serverLists } from '../../../domain/hub/hubConfig.ts';
import { keyTwice } from '../../../domain/hub/hubConfigTwice.ts';
import { printable } from '../../../domain/printable.ts';
import { inEnglish, type Sentence } from '../../../domain/sentence.ts';
import type { KeyPath } from '../../../domain/servers/keyPath.ts';
import { isJsonObject, type JsonObject } from '../../../domain/settings/values.ts';
import { type ConfigTree, readTree } from './configTree.ts';

/** What a configuration says, or the problem for which it says nothing. */
export type ReadConfig =
  | {
      readonly ok: true;
      readonly config: HubConfig;
      /** The same for two texts that say the same. It holds secrets. */
      readonly said: string;
      /** Each server as it is written, by its name. It holds secrets. */
      readonly entries: ReadonlyMap<string, string>;
      /** The servers that are kept for later, by their names. */
      readonly switchedOff: readonly string[];
      /** Of each server that was left out because of its mistakes, the first one. */
      readonly leftOut: ReadonlyMap<string, string>;
      readonly problems: readonly string[];
    }
  | { readonly ok: false; readonly problem: string };

/** Where a text is from. */
export interface ConfigOrigin {
  /** What the problems call the file. */
  readonly file: string;
  readonly userHome: string;
}

const maxProblems = 100;
const maxLength = 500;

/** Reads the text of a `servers.json`. Problems are finished sentences that begin with their place. */
export function readConfig(text: string, { file, userHome }: ConfigOrigin): ReadConfig {
  const at = (offset: number, said: string) =>
    shortened(`${printable(file)}:${lineAndColumn(text, offset)}: ${said}`);
  const read = readTree(text);
  if (!read.ok) {
    return { ok: false, problem: at(read.offset, read.reason) };
  }
  const { tree } = read;
  if (!isJsonObject(tree.value)) {
    return { ok: false, problem: at(tree.offsetOf([]), 'It must be an object: { … }.') };
  }
  const { servers, switchedOff, mistakes } = readHubConfig(tree.value, userHome);
  const twice = tree.twice.map(({ path, offset }) => ({ offset, ...keyTwice(path) }));
  const ambiguous = new Set(twice.map(({ server }) => server));
  const ofServers = mistakes.map(({ path, text }) => ({ path, text, server: serverAt(path) }));
  const told = toldInOrder([...twice, ...ofServers], tree).map(({ offset, said, server }) => ({
    server,
    problem: at(offset, said),
  }));
  return {
    ok: true,
    config: { servers: servers.filter(({ name }) => !ambiguous.has(name)) },
    said: JSON.stringify([tree.value, twice.map(({ server }) => server)]),
    entries: entriesOf(tree.value),
    switchedOff: switchedOff.filter(name => !ambiguous.has(name)),
    leftOut: new Map([...untold(ofServers), ...firstOfEach(told)]),
    problems: told.map(({ problem }) => problem),
  };
}

function entriesOf(value: JsonObject): ReadonlyMap<string, string> {
  const lists = serverLists.map(list => value[list]).filter(isJsonObject);
  const entries = lists.flatMap(list => Object.entries(list));
  return new Map(entries.map(([name, entry]) => [name, JSON.stringify(entry)]));
}

/** The server that a mistake costs; `undefined`: none. */
function serverAt([list, name]: KeyPath): string | undefined {
  return typeof name === 'string' && serverLists.some(known => known === list) ? name : undefined;
}

/** Those whose mistakes may be among the many that are not told. */
function untold(found: readonly Found[]): ReadonlyMap<string, string> {
  const text = 'It has a mistake that is not shown, because there are too many.';
  return new Map(found.flatMap(({ server }) => (server === undefined ? [] : [[server, text]])));
}

function firstOfEach(told: readonly ToldProblem[]): ReadonlyMap<string, string> {
  const first = new Map<string, string>();
  for (const { server, problem } of told) {
    if (server !== undefined && !first.has(server)) {
      first.set(server, problem);
    }
  }
  return first;
}

interface ToldProblem {
  readonly server: string | undefined;
  readonly problem: string;
}

/** A mistake whose place is known, or is to be looked up. */
type Found = { readonly text: Sentence; readonly server: string | undefined } & (
  | { readonly offset: number }
  | { readonly path: KeyPath }
);

/** As somebody who goes through the file meets them; nobody goes on for ever. */
function toldInOrder(found: readonly Found[], tree: ConfigTree) {
  const told = found
    .slice(0, maxProblems)
    .map(one => ({
      offset: 'offset' in one ? one.offset : tree.offsetOf(one.path),
      said: inEnglish(one.text),
      server: one.server,
    }))
    .sort((a, b) => a.offset - b.offset);
  const rest = found.length - told.length;
  const offset = told.at(-1)?.offset ?? 0;
  const more = { offset, said: `There are ${rest} more mistakes.`, server: undefined };
  return rest > 0 ? [...told, more] : told;
}

function lineAndColumn(text: string, offset: number): string {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return `${lines.length}:${(lines.at(-1) ?? '').length + 1}`;
}

/** A key may be as long as the file. */
function shortened(text: string): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
