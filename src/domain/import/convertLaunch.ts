import { posix, win32 } from 'node:path';
import { type Sentence, sentence } from '../sentence.ts';
import { httpTypes } from '../settings/keys.ts';
import type { EntryReader } from './entryReader.ts';
import type { EntryTexts } from './entryTexts.ts';
import type { ImportSource } from './importSource.ts';
import type { ServerEntry } from './serverEntry.ts';

/** What a server of a file is converted with. */
export interface LaunchParts {
  readonly reader: EntryReader;
  readonly texts: EntryTexts;
  readonly source: ImportSource;
}

/** How the server is started or reached, or why it can't be. */
export type ConvertedLaunch =
  | { readonly ok: true; readonly entry: ServerEntry }
  | { readonly ok: false; readonly refusal: Sentence };

/** Converts the keys that say how a server is started or reached; all others are left to the caller. */
export function convertLaunch(parts: LaunchParts): ConvertedLaunch {
  const { reader } = parts;
  const type = reader.has('type') ? (reader.text('type') ?? '') : undefined;
  if (type !== undefined && type !== 'stdio' && type !== 'sse' && !httpTypes.includes(type)) {
    return { ok: false, refusal: sentence('Its "type" is not known here.') };
  }
  const isHttp =
    type === undefined ? !reader.has('command') && reader.has('url') : type !== 'stdio';
  return isHttp ? convertHttp(parts, type === 'sse' ? type : 'http') : convertStdio(parts);
}

function convertStdio({ reader, texts, source }: LaunchParts): ConvertedLaunch {
  const command = reader.text('command');
  if (command === undefined) {
    return { ok: false, refusal: sentence('It has neither a "command" nor a "url".') };
  }
  const args = reader.texts('args');
  const given = reader.text('cwd');
  const cwd =
    given === undefined
      ? impliedFolder([command, ...(args ?? [])], source)
      : fromHome(given, source);
  const env = reader.record('env');
  const envFile = reader.text('envFile');
  const entry: ServerEntry = {
    type: 'stdio',
    command: texts.text(command, 'command'),
    ...(args && { args: texts.args(command, args) }),
    ...(cwd !== undefined && { cwd: texts.text(cwd, 'cwd') }),
    ...(env && { env: recordOf(env, (text, name) => texts.text(text, `env.${name}`, name)) }),
    ...(envFile && { envFile: texts.text(fromHome(envFile, source), 'envFile') }),
  };
  return { ok: true, entry };
}

function convertHttp({ reader, texts }: LaunchParts, type: 'http' | 'sse'): ConvertedLaunch {
  const given = reader.text('url');
  if (given === undefined) {
    return { ok: false, refusal: sentence('It has no "url".') };
  }
  const headers = reader.record('headers');
  const { url, login } = withoutLogin(given);
  const converted = recordOf(headers ?? [], (text, name) =>
    texts.text(text, `headers.${name}`, name),
  );
  const hasOwn = Object.keys(converted).some(name => name.toLowerCase() === 'authorization');
  const all = { ...converted };
  if (login !== undefined && !hasOwn && !login.includes('$')) {
    all['Authorization'] = `Basic ${texts.hide('Authorization', basic(login))}`;
  } else if (login !== undefined) {
    texts.doubts.push(sentence('The user name and the password in its "url" are not taken over.'));
  }
  const entry: ServerEntry = {
    type,
    url: texts.text(url, 'url'),
    ...((headers || Object.keys(all).length > 0) && { headers: all }),
  };
  return { ok: true, entry };
}

/** Requests take no credentials in a URL: they belong into a header. */
function withoutLogin(url: string): { url: string; login: string | undefined } {
  const [, scheme, login, rest] = /^(https?:\/\/)([^/?#\s]*)@(.*)$/is.exec(url) ?? [];
  return scheme === undefined ? { url, login: undefined } : { url: scheme + rest, login };
}

function basic(login: string): string {
  const [user = '', ...password] = login.split(':').map(decoded);
  return Buffer.from(`${user}:${password.join(':')}`).toString('base64');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // A lone `%` stands for itself.
  }
}

/** Clients start a server of a folder in that folder, and paths in its words may count on it. */
function impliedFolder(words: readonly string[], { folder }: ImportSource): string | undefined {
  return folder && !folder.isOnly && words.some(isRelativePath) ? `\${workspaceFolder}` : undefined;
}

function isRelativePath(word: string): boolean {
  return (
    /^\.{1,2}(?:[\\/]|$)/.test(word) ||
    /^[\w.-]+(?:[\\/][\w.-]+)*\.(?:[cm]?[jt]s|py|rb|sh|jar|dll|exe)$/i.test(word)
  );
}

/** A path that is neither absolute nor begins with a variable is meant from the source's folder. */
function fromHome(path: string, { folder, dialect }: ImportSource): string {
  if (dialect === 'vscode' && /^~(?:[\\/]|$)/.test(path)) {
    return `\${userHome}${path.slice(1)}`;
  }
  const isFixed = posix.isAbsolute(path) || win32.isAbsolute(path) || /^[~$]/.test(path);
  return isFixed || !folder ? path : `\${workspaceFolder}/${path}`.replace(/\/\.(?=$|[\\/])/, '');
}

function recordOf(
  pairs: readonly (readonly [string, string])[],
  convert: (text: string, name: string) => string,
): Record<string, string> {
  return Object.fromEntries(pairs.map(([name, text]) => [name, convert(text, name)]));
}
