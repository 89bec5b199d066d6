import { isSecretName } from '../secrets/secretNames.ts';
import { type Sentence, sentence } from '../sentence.ts';
import { commandWords } from '../servers/commandWords.ts';
import { runsContainers } from '../servers/fetchingPrograms.ts';
import type { RootsRoute } from '../servers/serverDefinition.ts';
import type { Surroundings } from '../settings/definitionVariables.ts';
import { withoutSubject } from '../settings/mistakes.ts';
import { readServerSettings } from '../settings/serverSettings.ts';
import { isOfRoots, variablesIn } from '../settings/variables.ts';
import {
  type ConvertedServer,
  convertServer,
  type ServerEntry,
  sandboxed,
} from './convertServer.ts';
import { askedLater } from './entryTexts.ts';
import type { KnownInputs } from './importedInputs.ts';
import type { ImportSource } from './importPlaces.ts';
import { nameFromCommand, nameFromUrl } from './serverNames.ts';

/** What a person has entered of a new server so far. */
export interface ServerDraft {
  readonly transport: 'stdio' | 'http';
  /** The command line, as typed. */
  readonly line: string;
  readonly url: string;
  readonly name: string;
  /** Environment variables or headers by name. A secret that is empty is asked for at the start. */
  readonly values: Readonly<Record<string, string>>;
  /** `undefined`: as the arguments say. */
  readonly rootsAs: readonly RootsRoute[] | undefined;
  /** Whether the system is to keep it in its folders. */
  readonly isSandboxed: boolean;
}

/** Where a draft is to become a server. */
export interface DraftTerms {
  readonly isWindows: boolean;
  readonly around: Surroundings;
  readonly known: KnownInputs;
}

/** A draft of which nothing was entered. */
export const emptyDraft: ServerDraft = {
  transport: 'stdio',
  line: '',
  url: '',
  name: '',
  values: {},
  rootsAs: undefined,
  isSandboxed: false,
};

/** What is wrong with a draft as far as it goes; `undefined` when it can become a server. */
export function draftProblem(
  draft: ServerDraft,
  { isWindows, around }: DraftTerms,
): Sentence | undefined {
  const words = startCommand(draft.line, isWindows);
  if (draft.transport === 'stdio' && !words.ok) {
    return words.problem;
  }
  const name = draft.name || suggestedName(draft, isWindows);
  const [problem] = readServerSettings({ [name]: entryOf(draft, isWindows) }, around).problems;
  return problem && withoutSubject(problem);
}

/** A name for the server, after the package or the host that it is. */
export function suggestedName({ transport, line, url }: ServerDraft, isWindows: boolean): string {
  if (transport === 'http') {
    return nameFromUrl(url);
  }
  const words = startCommand(line, isWindows);
  return words.ok ? nameFromCommand(words.command, words.args) : '';
}

/** Whether the command line says itself how the server gets its roots. */
export function lineNamesRoots({ line }: ServerDraft): boolean {
  return variablesIn(line).some(({ variable }) => variable && isOfRoots(variable));
}

/** The draft as a server, its secrets taken out. To be used only when it has no problem. */
export function serverOf(
  draft: ServerDraft,
  { isWindows, around, known }: DraftTerms,
): ConvertedServer {
  const { rootsAs, ...entered } = entryOf(draft, isWindows);
  const terms = { source: typed, fileInputs: { byId: new Map(), notes: [] }, known, around };
  const converted = convertServer(draft.name, entered, terms);
  const entry = converted.entry && {
    ...converted.entry,
    ...(rootsAs && { rootsAs }),
    ...(draft.isSandboxed && sandboxed),
  };
  return { ...converted, entry };
}

/** Whether the draft is one of a server that a sandbox could keep in its folders. */
export function canBeSandboxed({ transport, line }: ServerDraft, isWindows: boolean): boolean {
  const words = startCommand(line, isWindows);
  return transport === 'stdio' && words.ok && !runsContainers(words.command);
}

function entryOf(
  { transport, line, url, values, rootsAs }: ServerDraft,
  isWindows: boolean,
): ServerEntry {
  const given = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      isLater(name, value) ? askedLater : value,
    ]),
  );
  if (transport === 'http') {
    return { type: 'http', url: url.trim(), ...some('headers', given) };
  }
  const words = startCommand(line, isWindows);
  const { env, command, args } = words.ok ? words : { env: {}, command: '', args: [] };
  return {
    ...{ type: 'stdio', command, args },
    ...some('env', { ...env, ...given }),
    ...(rootsAs && { rootsAs }),
  };
}

function isLater(name: string, value: string): boolean {
  return value === '' && isSecretName(name);
}

function some<K extends string>(key: K, values: Readonly<Record<string, string>>) {
  return Object.keys(values).length > 0 ? ({ [key]: values } as Record<K, typeof values>) : {};
}

/** Not from a file: typed in, with the variables of our own settings. */
const typed: ImportSource = {
  dialect: 'own',
  label: '',
  at: [],
  isOnlyServers: true,
  scope: 'user',
  folder: undefined,
  separator: '/',
};

/** How a command line starts a program, or why it starts none. */
type StartCommand =
  | {
      readonly ok: true;
      /** Variables set before the command, as shells allow: `TOKEN=x npx server`. */
      readonly env: Readonly<Record<string, string>>;
      readonly command: string;
      readonly args: readonly string[];
    }
  | { readonly ok: false; readonly problem: Sentence };

/** Reads a command line. What needs a shell is refused: a server is started without one. */
export function startCommand(line: string, isWindows: boolean): StartCommand {
  const { words, operators, isOpen } = commandWords(line, isWindows);
  const [operator] = operators;
  if (isOpen) {
    return { ok: false, problem: sentence('A quote is not closed.') };
  }
  if (operator !== undefined) {
    const problem = 'Only one program can be started here; "{0}" needs a shell (sh -c "…").';
    return { ok: false, problem: sentence(problem, operator) };
  }
  const at = words.findIndex(word => !/^[A-Za-z_]\w*=/.test(word));
  const [command = '', ...args] = at < 0 ? [] : words.slice(at);
  if (command === '') {
    return { ok: false, problem: sentence('Enter the program to start and its arguments.') };
  }
  const settings = words.slice(0, at).map(word => {
    const equals = word.indexOf('=');
    return [word.slice(0, equals), word.slice(equals + 1)];
  });
  return { ok: true, env: Object.fromEntries(settings), command, args };
}
