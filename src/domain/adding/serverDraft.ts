import { fetchedWords, programName, runsContainers } from '../fetchingPrograms.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import { printable } from '../printable.ts';
import { codeArguments } from '../sandbox/codeArguments.ts';
import { isSecretName } from '../secrets/secretNames.ts';
import { argumentsAsShown } from '../secrets/shownTexts.ts';
import { type Sentence, sentence } from '../sentence.ts';
import { commandWords, joinedWords } from '../servers/commandWords.ts';
import { commandLine } from '../servers/launch.ts';
import { ownName } from '../servers/ownName.ts';
import { nameForms } from '../settings/definitionKeys.ts';
import type { Surroundings } from '../settings/definitionVariables.ts';
import { readServerSettings } from '../settings/serverSettings.ts';
import { variablesIn } from '../variables.ts';
import {
  convertServer,
  type InputEntry,
  inputsIn,
  type KeptValue,
  type KnownInputs,
  SecretInputs,
  sandboxed,
  usableInputs,
} from './convertServer.ts';

/** A server that is being written or changed. */
export interface ServerDraft {
  readonly name: string;
  /** The definition in the form of the settings, with keys that we do not know, without secrets. */
  readonly entry: JsonObject;
  /** The definitions of inputs that the entry uses and the settings get with the draft. */
  readonly inputs: readonly InputEntry[];
  /** The values entered for these inputs. */
  readonly kept: readonly KeptValue[];
  /** How the draft differs from the entered text, and why it may not work. */
  readonly notes: readonly Sentence[];
}

/** The facts about this window that a draft depends on. */
export interface DraftTerms {
  readonly isWindows: boolean;
  readonly around: Surroundings;
  readonly known: KnownInputs;
}

export type Drafted =
  | { readonly ok: true; readonly draft: ServerDraft }
  | { readonly ok: false; readonly problem: Sentence };

/** One server without its name, as a file or a person describes it. */
export interface WrittenServer {
  readonly entry: unknown;
  /** The definitions of its inputs, in the form of `inputs` in `mcp.json`. */
  readonly inputs?: unknown;
}

export function draftOfLine(line: string, terms: DraftTerms): Drafted {
  const words = startCommand(line, terms.isWindows);
  if (!words.ok) {
    return words;
  }
  const { command, args, env } = words;
  const entry = { command, args, ...some('env', env) };
  return draftOf(undefined, { entry }, terms);
}

export function draftOfUrl(url: string, terms: DraftTerms): Drafted {
  return draftOf(undefined, { entry: { url: url.trim() } }, terms);
}

/** Drafts a server in the form of our settings or of `mcp.json`. The draft always has a name. */
export function draftOf(
  given: string | undefined,
  { entry: raw, inputs: defined }: WrittenServer,
  { around, known }: DraftTerms,
): Drafted {
  const name = given ?? nameOf(raw);
  const inputs = usableInputs(defined);
  const { entry, notes, ...rest } = convertServer(name, raw, { inputs, known, around });
  if (!entry) {
    const [problem = sentence('The form of the entry is unknown.')] = notes;
    return { ok: false, problem };
  }
  return { ok: true, draft: { name, entry, notes, inputs: rest.inputs, kept: rest.kept } };
}

export function draftOfExisting(name: string, entry: JsonObject): ServerDraft {
  return { name, entry, inputs: [], kept: [], notes: [] };
}

/** An entry's command line (in the form of {@link lineOf}) or its URL, safe to show. */
export function shownLaunch(entry: JsonObject, isWindows: boolean): string {
  const { command = '', args = [], url = '' } = textsOf(entry);
  if (isCalled({ entry })) {
    return commandLine({ type: 'http', url });
  }
  const line = joinedWords([command, ...argumentsAsShown(command, args)], isWindows);
  return line === undefined ? commandLine({ type: 'stdio', command, args }) : printable(line);
}

export function isCalled({ entry }: Pick<ServerDraft, 'entry'>): boolean {
  return entry['command'] === undefined;
}

/** The command line as a person would type it; `undefined` if no line can express it. */
export function lineOf({ entry }: ServerDraft, isWindows: boolean): string | undefined {
  const { command = '', args = [] } = textsOf(entry);
  const line = joinedWords([command, ...args], isWindows);
  const back = line === undefined ? undefined : startCommand(line, isWindows);
  // At the start of a line, a word like `NAME=value` would set a variable.
  return back?.ok && back.command === command ? line : undefined;
}

/** Returns the draft with another command line. Variables before the program go into `env`. */
export function withLine(draft: ServerDraft, line: string, terms: DraftTerms): Drafted {
  const words = startCommand(line, terms.isWindows);
  if (!words.ok) {
    return words;
  }
  const { command, args, env } = words;
  const { entry } = draft;
  return withTexts(draft, without(entry, 'args'), terms, texts => {
    const own = Object.entries(env).map(([name, text]) => [name, texts.text(text, name)]);
    const isShort = args.length === 0 && entry['args'] === undefined;
    return {
      ...entry,
      command: texts.text(command),
      ...(!isShort && { args: texts.args(command, args) }),
      ...some('env', { ...object(entry['env']), ...Object.fromEntries(own) }),
    };
  });
}

export function withUrl(draft: ServerDraft, url: string, terms: DraftTerms): Drafted {
  const rest = without(draft.entry, 'url');
  return withTexts(draft, rest, terms, texts => ({
    ...draft.entry,
    url: texts.text(url.trim()),
  }));
}

/** The environment variables or headers, in their order. */
export function valuesOf({ entry }: ServerDraft): [name: string, text: string][] {
  return Object.entries(object(entry[valuesKey(entry)])).flatMap(([name, text]) =>
    text === null ? [] : [[name, String(text)]],
  );
}

/** True if a variable or header of the server can have this name. */
export function isValueName({ entry }: ServerDraft, name: string): boolean {
  return nameForms[valuesKey(entry)].test(name);
}

/**
 * Changes a variable or header. An empty `value` removes it or, if its name suggests a secret, lets
 * the start ask for it. If the secret is an input already, that input gets the value.
 */
export function withValue(
  draft: ServerDraft,
  name: string,
  value: string,
  terms: DraftTerms,
): Drafted {
  const key = valuesKey(draft.entry);
  const known = askedInput(draft, name);
  if (known !== undefined && isSecretName(name)) {
    const others = draft.kept.filter(({ inputId }) => inputId !== known);
    const kept = value === '' ? others : [...others, { inputId: known, value }];
    return { ok: true, draft: { ...draft, kept } };
  }
  const others = without(object(draft.entry[key]), name);
  const rest = { ...without(draft.entry, key), ...some(key, others) };
  if (value === '' && !isSecretName(name)) {
    return withTexts(draft, rest, terms, () => rest);
  }
  return withTexts(draft, rest, terms, texts => ({
    ...draft.entry,
    [key]: {
      ...object(draft.entry[key]),
      [name]: value === '' ? texts.asked(name) : texts.text(value, name),
    },
  }));
}

/** The id of the input that is the whole value of a variable or header; else `undefined`. */
export function askedInput(draft: ServerDraft, name: string): string | undefined {
  const text = valuesOf(draft).find(([other]) => other === name)?.[1] ?? '';
  const [written] = variablesIn(text);
  const isAll = written?.asWritten === text && written.variable?.kind === 'input';
  return isAll ? written.variable.name : undefined;
}

/** True if a sandbox could confine the server to its folders. */
export function canBeSandboxed(draft: ServerDraft): boolean {
  return !isCalled(draft) && !runsContainers(textsOf(draft.entry).command ?? '');
}

/** Whether the entry wants a sandbox; `undefined` when the entry does not say. */
export function isSandboxed({ entry: { sandbox } }: ServerDraft): boolean | undefined {
  return sandbox === undefined ? undefined : sandbox !== 'off';
}

/** Switches the sandbox on or off. A new sandbox keeps the paths of the earlier entry `before`. */
export function withSandbox(draft: ServerDraft, isOn: boolean, before?: JsonObject): ServerDraft {
  const was = before?.['sandbox'];
  const on = was === undefined || was === 'off' ? sandboxed.sandbox : was;
  return { ...draft, entry: { ...draft.entry, sandbox: isOn ? on : 'off' } };
}

export function withName(draft: ServerDraft, name: string, terms: DraftTerms): Drafted {
  const problem = problemOf(name, draft.entry, terms);
  return problem ? { ok: false, problem } : { ok: true, draft: { ...draft, name } };
}

/** The program that a command line starts, or why the line can't be started. */
type StartCommand =
  | {
      readonly ok: true;
      /** Variables set before the command, as shells allow: `TOKEN=x npx server`. */
      readonly env: Readonly<Record<string, string>>;
      readonly command: string;
      readonly args: readonly string[];
    }
  | { readonly ok: false; readonly problem: Sentence };

/** Reads a command line. Refuses a line that needs a shell: servers start without a shell. */
export function startCommand(line: string, isWindows: boolean): StartCommand {
  const { words, operators, isOpen } = commandWords(line, isWindows);
  const [operator] = operators;
  if (isOpen) {
    return { ok: false, problem: sentence(refusals.open) };
  }
  if (operator !== undefined) {
    return { ok: false, problem: sentence(refusals.shell, operator) };
  }
  const at = words.findIndex(word => !/^[A-Za-z_]\w*=/.test(word));
  const [command = '', ...args] = at < 0 ? [] : words.slice(at);
  if (command === '') {
    return { ok: false, problem: sentence(refusals.nothing) };
  }
  const settings = words.slice(0, at).map(word => {
    const equals = word.indexOf('=');
    return [word.slice(0, equals), word.slice(equals + 1)];
  });
  return { ok: true, env: Object.fromEntries(settings), command, args };
}

const refusals = {
  open: 'A closing quotation mark is missing.',
  shell: '"{0}" needs a shell. Enter a single program, or sh -c "…".',
  nothing: 'Enter the program to start and its arguments.',
};

function nameOf(entry: unknown): string {
  const { command, args = [], url } = textsOf(object(entry));
  return command === undefined ? nameFromUrl(url ?? '') : nameFromCommand(command, args);
}

/** Changes the entry, except `rest`. Inputs for new secrets get ids that `rest` does not use. */
function withTexts(
  draft: ServerDraft,
  rest: JsonObject,
  terms: DraftTerms,
  change: (secrets: SecretInputs) => JsonObject,
): Drafted {
  const taken = inputsIn(rest).map(id => [id, undefined] as const);
  const added = new SecretInputs(draft.name, new Map([...terms.known, ...taken]));
  const entry = change(added);
  const problem = problemOf(draft.name, entry, terms);
  if (problem) {
    return { ok: false, problem };
  }
  const others = new Set(inputsIn(rest));
  const changed = {
    ...draft,
    entry,
    inputs: [...draft.inputs.filter(({ id }) => others.has(id)), ...added.inputs],
    kept: [...draft.kept.filter(({ inputId }) => others.has(inputId)), ...added.kept],
  };
  return { ok: true, draft: changed };
}

function problemOf(name: string, entry: JsonObject, { around }: DraftTerms): Sentence | undefined {
  return readServerSettings({ [name]: entry }, around).problems[0]?.said;
}

function textsOf({ command, args, url }: JsonObject) {
  return {
    command: typeof command === 'string' ? command : undefined,
    args: Array.isArray(args) ? args.map(String) : undefined,
    url: typeof url === 'string' ? url : undefined,
  };
}

function valuesKey(entry: JsonObject): 'env' | 'headers' {
  return isCalled({ entry }) ? 'headers' : 'env';
}

function object(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

function without(entry: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(entry).filter(([other]) => other !== key));
}

function some<K extends string>(key: K, values: JsonObject) {
  return Object.keys(values).length > 0 ? ({ [key]: values } as Record<K, JsonObject>) : {};
}

/** A name for a server with this command line, made from its package, script or program. */
export function nameFromCommand(command: string, args: readonly string[]): string {
  const program = programName(command);
  const fetched = [...(fetchedWords(command, args) ?? [])].flatMap(at => args[at] ?? []);
  const [script] = codeArguments(program, args)?.scripts ?? [];
  return ownName(fetched.at(-1) ?? script ?? program);
}

/** A name for a server at this URL, made from the name in its host. */
function nameFromUrl(url: string): string {
  const hostname = URL.parse(url)?.hostname ?? '';
  if (/^[\d.]+$|^\[|^localhost$/.test(hostname)) {
    return 'local';
  }
  const labels = hostname.split('.').filter(label => !/^(?:www|mcp|api|server)$/.test(label));
  // In `example.co.uk`, the name is the third part from the end.
  const suffix = /^(?:com?|org|net|ac|gov)$/.test(labels.at(-2) ?? '') ? 3 : 2;
  return ownName(labels.at(-suffix) ?? labels[0] ?? '');
}

/** The name, or the first of `name-2`, `name-3`, … that is free. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  let free = name;
  for (let count = 2; isTaken(free); count += 1) {
    free = `${name}-${count}`;
  }
  return free;
}
