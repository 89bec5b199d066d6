import { serverLists } from '../gateway/clientFiles.ts';
import { isJsonObject, type JsonObject, partAt } from '../json.ts';
import { type Sentence, sentence } from '../sentence.ts';
import type { WrittenServer } from './serverDraft.ts';

type EnteredText =
  | { readonly kind: 'line'; readonly line: string }
  | { readonly kind: 'url'; readonly url: string }
  /** A text to be read as JSON with comments. */
  | { readonly kind: 'json'; readonly json: string };

/** Tells a command line from a URL and from JSON, by how it begins. */
export function enteredText(text: string): EnteredText {
  const trimmed = text.trim();
  if (/^https?:\/\/\S*$/i.test(trimmed)) {
    return { kind: 'url', url: trimmed };
  }
  if (trimmed.startsWith('{')) {
    return { kind: 'json', json: trimmed };
  }
  // An entry with its name, as it stands between others in a file.
  return /^"(?:\\.|[^"\\])*"\s*:\s*\{/.test(trimmed)
    ? { kind: 'json', json: `{${trimmed.replace(/,$/, '')}}` }
    : { kind: 'line', line: trimmed };
}

/** True if a word that names no program looks like an address: of another scheme, or of none. */
export function isLikeAddress(word: string): boolean {
  return /^[a-z][\w+.-]*:\/\/|^[\w-]+(?:\.[\w-]+)+\/|^[\w.-]+:\d+(?:\/|$)/i.test(word);
}

/** The servers of a JSON value that a person entered. */
type EnteredServers =
  /** @property name left out: it has none. */
  | { readonly kind: 'one'; readonly name: string | undefined; readonly server: WrittenServer }
  /** In the form of a file of theirs. */
  | { readonly kind: 'several'; readonly file: JsonObject }
  | { readonly kind: 'none'; readonly problem: Sentence };

/** The lists of servers that settings have, by the keys that lead to them. */
const settingsLists = [['mcp', 'servers'], ['mcpRoots.servers']] as const;

/** Finds the servers in a value: one alone, by their names, or in a list as files have them. */
export function serversIn(value: unknown): EnteredServers {
  if (!isJsonObject(value)) {
    return none();
  }
  if (isServer(value)) {
    const { name, ...entry } = value;
    return { kind: 'one', name: usableName(name), server: { entry } };
  }
  const lists = [...serverLists().map(key => [key]), ...settingsLists];
  const [list] = lists.map(keys => partAt(value, keys)).filter(isList);
  const servers = Object.entries(list ?? value);
  if (servers.length === 0 || !servers.every(([, entry]) => isServer(entry))) {
    return none();
  }
  const inputs = list
    ? (value['inputs'] ?? partAt(value, ['mcp', 'inputs']) ?? value['mcpRoots.inputs'])
    : undefined;
  const [[name, entry] = ['', {}], ...others] = servers;
  return others.length === 0
    ? { kind: 'one', name: usableName(name), server: { entry, inputs } }
    : { kind: 'several', file: { servers: Object.fromEntries(servers), inputs } };
}

function none(): EnteredServers {
  const problem =
    'This is no server: neither an object with a "command" or a "url", nor one of servers by name.';
  return { kind: 'none', problem: sentence(problem) };
}

/** A server may be called like a list. */
function isList(value: unknown): value is JsonObject {
  return isJsonObject(value) && !isServer(value);
}

function isServer(value: unknown): value is JsonObject {
  return isJsonObject(value) && ['command', 'url'].some(key => typeof value[key] === 'string');
}

function usableName(name: unknown): string | undefined {
  return typeof name === 'string' && name.trim() !== '' ? name.trim() : undefined;
}
