import { serverLists } from '../gateway/clientFiles.ts';
import { isJsonObject, type JsonObject, partAt } from '../json.ts';
import { type Sentence, sentence } from '../sentence.ts';
import { inOurForm } from '../settings/otherForms.ts';
import type { WrittenServer } from './serverDraft.ts';

type EnteredText =
  | { readonly kind: 'line'; readonly line: string }
  | { readonly kind: 'url'; readonly url: string }
  /** JSON, possibly with comments. */
  | { readonly kind: 'json'; readonly json: string };

/**
 * Tells from the beginning of a text whether it is a command line, a URL or JSON. The text may come
 * from a one-line field, which replaces each line break with a blank.
 */
export function enteredText(text: string): EnteredText {
  const trimmed = text.trim();
  if (/^https?:\/\/\S*$/i.test(trimmed)) {
    return { kind: 'url', url: trimmed };
  }
  const json = trimmed.includes('\n') ? trimmed : withoutComments(trimmed).trim();
  if (json.startsWith('{')) {
    return { kind: 'json', json };
  }
  // The text is a server's name and entry, as copied from a file.
  return /^"(?:\\.|[^"\\])*"\s*:\s*\{/.test(json)
    ? { kind: 'json', json: `{${json.replace(/,$/, '')}}` }
    : { kind: 'line', line: trimmed.replace(continuation, (_, quoted = ' ') => quoted) };
}

/** A line continuation of a shell. Quoted text matches first, so that it stays unchanged. */
const continuation = /("(?:\\.|[^"\\])*"|'[^']*'|\\["'])|(?<!\s)\s+[\\^`]\s+|\\(?:\r?\n|\s{2,})/gs;

/**
 * Removes the comments from JSON that lost its line breaks. A `//` comment ends before an indented
 * word, or before the last closing brackets. If the end of a comment is unclear, the comment stays.
 */
function withoutComments(line: string): string {
  const comment =
    /\/\/(?!\s{2,}["{}[\]]).*?(?=(?<!\s)\s{2,}["{}[\]]|(?<![}\]\s])\s[}\]][}\]\s]*$|$)/;
  const parts = new RegExp(`("(?:\\\\.|[^"\\\\])*")|/\\*.*?\\*/|${comment.source}`, 'g');
  return line.replace(parts, (_, text = '') => text);
}

/** True if the first word of a line looks like an address without `http:` or `https:`. */
export function isLikeAddress(word: string): boolean {
  return /^[a-z][\w+.-]*:\/\/|^[\w-]+(?:\.[\w-]+)+\/|^[\w.-]+:\d+(?:\/|$)/i.test(word);
}

/** The servers in a JSON value that a person entered. */
type EnteredServers =
  /** @property name left out when the server has no name. */
  | { readonly kind: 'one'; readonly name: string | undefined; readonly server: WrittenServer }
  /** Servers by name, as in a file. */
  | { readonly kind: 'several'; readonly file: JsonObject }
  | { readonly kind: 'none'; readonly problem: Sentence };

/** Finds the servers in a value: one server, servers by name, or a list of servers as in files. */
export function serversIn(value: unknown): EnteredServers {
  if (isServer(value)) {
    const { name, ...entry } = value;
    return { kind: 'one', name: usableName(name), server: { entry } };
  }
  const list = listIn(value);
  const [server, ...others] = Object.entries(list ?? {}).filter(([, one]) => isJsonObject(one));
  if (!list || !server) {
    const problem =
      'Unknown form. Enter an object with a "command" or a "url", or an object of servers by name.';
    return { kind: 'none', problem: sentence(problem) };
  }
  const inputs = [['inputs'], ['mcp', 'inputs'], ['mcpRoots.inputs']]
    .map(keys => partAt(value, keys))
    .find(Boolean);
  const [name, entry] = server;
  return others.length === 0
    ? { kind: 'one', name: usableName(name), server: { entry, inputs } }
    : { kind: 'several', file: { servers: list, inputs } };
}

/**
 * The object that holds the servers, maybe among other things. A list with a known name comes
 * first, because settings list other programs, too. Outer objects come before inner objects.
 */
function listIn(value: unknown): JsonObject | undefined {
  const lists = [{ name: '', list: isJsonObject(value) ? value : {} }];
  for (const { list: outer } of lists) {
    for (const [name, list] of Object.entries(outer)) {
      if (isJsonObject(list) && !isServer(list)) {
        lists.push({ name, list });
      }
    }
  }
  // OpenCode and Crush use the key `mcp`. Amp and others put their name in front: `amp.mcpServers`.
  const known = [...serverLists(), 'mcp'].flatMap(key =>
    lists.filter(({ name }) => name.split('.').at(-1) === key),
  );
  const hasServer = ({ list }: { list: JsonObject }) => Object.values(list).some(isServer);
  return (known.length > 0 ? known : lists).find(hasServer)?.list;
}

function isServer(value: unknown): value is JsonObject {
  const { command, url } = isJsonObject(value) ? inOurForm(value) : {};
  return typeof command === 'string' || typeof url === 'string';
}

function usableName(name: unknown): string | undefined {
  return typeof name === 'string' && name.trim() !== '' ? name.trim() : undefined;
}
