import { applyEdits, modify } from 'jsonc-parser';
import { type ClientEntry, entryValue, tomlTable } from '../../domain/gateway/clientEntries.ts';
import { type Client, knownClient } from '../../domain/gateway/clientFiles.ts';
import { isJsonObject, isSameJson } from '../../domain/json.ts';
import { type Sentence, sentence } from '../../domain/sentence.ts';

import { formOf } from '../adding/settingsText.ts';
import { readJson } from './adding/readPlaces.ts';

/** The text of a client's file with entries in it, or why the text can't hold the entries. */
type ClientFileText =
  | {
      readonly ok: true;
      readonly text: string;
      /** The names of the existing entries that had other values. */
      readonly replaced: readonly string[];
    }
  | { readonly ok: false; readonly problem: Sentence };

/** Adds entries to the text of a client's file. Everything else stays, also comments. */
export function withEntries(
  client: Client,
  text: string,
  entries: readonly ClientEntry[],
): ClientFileText {
  const { serversKey, isToml } = knownClient(client);
  const values = entries.map(entry => [entry.name, entryValue(client, entry)] as const);
  return isToml ? inToml(text, serversKey, entries) : inJson(text, serversKey, values);
}

function inJson(
  before: string,
  key: string,
  values: readonly (readonly [name: string, value: object])[],
): ClientFileText {
  const read = readJson(before);
  if (!read.ok) {
    return read;
  }
  const servers = isJsonObject(read.value) ? (read.value[key] ?? {}) : undefined;
  if (!isJsonObject(servers)) {
    return { ok: false, problem: sentence('The file must have the form "{0}": { … }.', key) };
  }
  const [mark = ''] = /^\ufeff?/.exec(before) ?? [];
  const formattingOptions = formOf(before);
  const replaced: string[] = [];
  let text = before.slice(mark.length);
  for (const [name, value] of values) {
    const there = Object.hasOwn(servers, name);
    if (!there || !isSameJson(servers[name], value)) {
      text = applyEdits(text, modify(text, [key, name], value, { formattingOptions }));
      replaced.push(...(there ? [name] : []));
    }
  }
  return { ok: true, text: mark + text, replaced };
}

/**
 * Adds tables at the end. This code does not parse TOML. It adds nothing if a table may be there
 * already, or if the servers are not in the form that the client itself writes.
 */
function inToml(before: string, key: string, entries: readonly ClientEntry[]): ClientFileText {
  const lines = before.split(/\r?\n/).filter(line => line.split('#')[0]?.includes(key));
  const header = new RegExp(`^\\s*\\[${key}\\.("[^"\\\\]*"|[\\w-]+)[\\].]`);
  const names = lines.map(line => header.exec(line)?.[1]?.replaceAll('"', ''));
  const tables = entries.map(entry => ({ ...entry, table: tomlTable(key, entry) }));
  const added = tables.filter(({ table }) => !before.includes(table));
  const isClear = added.every(({ name }) => !names.includes(name));
  if (names.includes(undefined) || !isClear) {
    return { ok: false, problem: sentence(inTheWay) };
  }
  const more = added.map(({ table }) => `\n${table}`).join('');
  const start = before === '' || before.endsWith('\n') ? before : `${before}\n`;
  const text = added.length === 0 ? before : start + (start === '' ? more.slice(1) : more);
  return { ok: true, text, replaced: [] };
}

const inTheWay =
  'The file has a server with this name already, or has servers in a form that MCP Roots does not know.';
