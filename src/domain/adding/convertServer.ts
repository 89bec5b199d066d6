import { posix, win32 } from 'node:path';
import { isJsonObject, type JsonObject } from '../json.ts';
import { printable } from '../printable.ts';
import { type Sentence, sentence } from '../sentence.ts';
import { runsContainers } from '../servers/fetchingPrograms.ts';
import type { Surroundings } from '../settings/definitionVariables.ts';
import { httpTypes } from '../settings/launchSettings.ts';
import { readServerSettings } from '../settings/serverSettings.ts';
import { EntryTexts } from './entryTexts.ts';
import {
  type FileInputs,
  type InputEntry,
  type KeptValue,
  type KnownInputs,
  ServerInputs,
} from './importedInputs.ts';
import type { ImportSource } from './importPlaces.ts';

/** One server in the form of the setting `mcpRoots.servers`: what is written there. */
export interface ServerEntry {
  readonly type: 'stdio' | 'http' | 'sse';
  readonly command?: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly envFile?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly autoStart?: boolean;
  readonly sandbox?: 'on';
}

/** What an entry holds of a server that the system is to keep in its folders. */
export const sandboxed = { sandbox: 'on' } as const;

/** Where a server comes from, and what is there already. */
export interface ConversionTerms {
  readonly source: ImportSource;
  readonly fileInputs: FileInputs;
  readonly known: KnownInputs;
  readonly around: Surroundings;
}

/** A server of a file in our form, with all there is to say about it. */
export interface ConvertedServer {
  /** `undefined`: it can't be taken over, and `doubts` say why. */
  readonly entry: ServerEntry | undefined;
  /** The inputs that the entry uses, to be defined with it. */
  readonly inputs: readonly InputEntry[];
  readonly kept: readonly KeptValue[];
  /** What is different here, or left behind, without harm. */
  readonly notes: readonly Sentence[];
  /** Why it may not work as it is. */
  readonly doubts: readonly Sentence[];
}

/** What only our own settings say of a server. */
const ownKeys = ['roots', 'rootsAs', 'protocol', 'autoStart', 'sandbox'];

/** A server with more text than this is none that a person wrote. */
const maxLength = 100_000;

/**
 * Converts one server of another client's file. It never throws, keeps each key or names it in the
 * notes, and holds no literal secret but in `kept`.
 *
 * @param name under which it will be in the settings: its own inputs are called after it.
 */
export function convertServer(
  name: string,
  raw: unknown,
  { source, fileInputs, known, around }: ConversionTerms,
): ConvertedServer {
  if (!isJsonObject(raw)) {
    return refused([sentence('It is not an object.')]);
  }
  if (name === '__proto__') {
    // Code that copies settings key by key would change the object it copies to.
    return refused([sentence('A server can not have this name.')]);
  }
  if (JSON.stringify(raw).length > maxLength) {
    return refused([sentence('It is too long to be a server.')]);
  }
  const serverInputs = new ServerInputs(name, known);
  const texts = new EntryTexts(source, fileInputs, serverInputs);
  const reader = new EntryReader(raw);
  const isDisabled = reader.flag('disabled') ?? false;
  const launch = convertLaunch(reader, texts, source);
  if (!launch.ok) {
    return refused([launch.refusal, ...reader.doubts]);
  }
  const entry = {
    ...launch.entry,
    ...(isDisabled && { autoStart: false }),
    ...(source.dialect === 'own' && reader.asWritten(ownKeys)),
  };
  const problem = readServerSettings({ [name]: entry }, around).problems[0]?.said;
  return {
    entry: problem ? undefined : entry,
    inputs: serverInputs.all,
    kept: serverInputs.values,
    notes: [
      ...(isDisabled ? [sentence('It is disabled, so it will not start with the window.')] : []),
      ...texts.notes,
      ...reader.notes,
    ],
    doubts: [...(problem ? [problem] : []), ...reader.doubts, ...texts.doubts],
  };
}

function refused(doubts: readonly Sentence[]): ConvertedServer {
  return { entry: undefined, inputs: [], kept: [], notes: [], doubts };
}

/** How the server is started or reached, or why it can't be. */
type ConvertedLaunch =
  | { readonly ok: true; readonly entry: ServerEntry }
  | { readonly ok: false; readonly refusal: Sentence };

/** Converts the keys that say how a server is started or reached; all others are left to the caller. */
function convertLaunch(
  reader: EntryReader,
  texts: EntryTexts,
  source: ImportSource,
): ConvertedLaunch {
  const type = reader.has('type') ? (reader.text('type') ?? '') : undefined;
  if (type !== undefined && type !== 'stdio' && type !== 'sse' && !httpTypes.includes(type)) {
    return { ok: false, refusal: sentence('Its "type" is not known here.') };
  }
  const isHttp =
    type === undefined ? !reader.has('command') && reader.has('url') : type !== 'stdio';
  return isHttp
    ? convertHttp(reader, texts, type === 'sse' ? type : 'http')
    : convertStdio(reader, texts, source);
}

function convertStdio(
  reader: EntryReader,
  texts: EntryTexts,
  source: ImportSource,
): ConvertedLaunch {
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
  const isSandboxed = !runsContainers(command) && (reader.flag('sandboxEnabled') ?? false);
  const entry: ServerEntry = {
    type: 'stdio',
    command: texts.text(command, 'command'),
    ...(args && { args: texts.args(command, args) }),
    ...(cwd !== undefined && { cwd: texts.text(cwd, 'cwd') }),
    ...(env && { env: recordOf(env, (text, name) => texts.text(text, `env.${name}`, name)) }),
    ...(envFile && { envFile: texts.text(fromHome(envFile, source), 'envFile') }),
    ...(isSandboxed && sandboxed),
  };
  return { ok: true, entry };
}

function convertHttp(
  reader: EntryReader,
  texts: EntryTexts,
  type: 'http' | 'sse',
): ConvertedLaunch {
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

/** Reads one server of a file key by key, and knows which keys were not taken over. */
class EntryReader {
  /** The keys whose values are of the wrong type. */
  readonly doubts: Sentence[] = [];
  private readonly raw: JsonObject;
  private readonly taken = new Set<string>();
  private readonly lost: string[] = [];

  constructor(raw: JsonObject) {
    this.raw = raw;
  }

  /** What a person should know of the keys that were not taken over. */
  get notes(): Sentence[] {
    const rest = Object.keys(this.raw).filter(key => !this.taken.has(key));
    const names = [...rest, ...this.lost].map(printable).join(', ');
    return names ? [sentence('Not taken over: {0}.', names)] : [];
  }

  has(key: string): boolean {
    return Object.hasOwn(this.raw, key);
  }

  /** Those of the keys that are there, for others to read. */
  asWritten(keys: readonly string[]): JsonObject {
    const there = keys.filter(key => this.has(key));
    for (const key of there) {
      this.taken.add(key);
    }
    return Object.fromEntries(there.map(key => [key, this.raw[key]]));
  }

  /** `undefined`: there is none, or it is no text. */
  text(key: string): string | undefined {
    return this.take(key, isText, sentence('"{0}" is not a text.', key));
  }

  flag(key: string): boolean | undefined {
    const isFlag = (value: unknown) => typeof value === 'boolean';
    return this.take(key, isFlag, sentence('"{0}" is not true or false.', key));
  }

  /** Numbers and switches in it become texts. */
  texts(key: string): string[] | undefined {
    const isList = (value: unknown): value is unknown[] =>
      Array.isArray(value) && value.every(isScalar);
    return this.take(key, isList, sentence('"{0}" is not a list of texts.', key))?.map(String);
  }

  /** Texts by name. Values of another type, and a name that no object can have, are noted as lost. */
  record(key: string): [name: string, text: string][] | undefined {
    const doubt = sentence('"{0}" is not an object of texts.', key);
    const record = this.take(key, isJsonObject, doubt);
    return (
      record &&
      Object.entries(record).flatMap(([name, value]): [string, string][] => {
        if (isScalar(value) && name !== '__proto__') {
          return [[name, String(value)]];
        }
        this.lost.push(`${key}.${name}`);
        return [];
      })
    );
  }

  private take<T>(
    key: string,
    isWanted: (value: unknown) => value is T,
    doubt: Sentence,
  ): T | undefined {
    const value = this.has(key) ? this.raw[key] : undefined;
    if (isWanted(value)) {
      this.taken.add(key);
      return value;
    }
    if (value !== undefined && value !== null && value !== '') {
      this.doubts.push(doubt);
    }
    return undefined;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
