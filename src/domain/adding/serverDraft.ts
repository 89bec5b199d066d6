import { type ConvertedServer, convertServer } from '../import/convertServer.ts';
import { askedLater } from '../import/entryTexts.ts';
import type { ImportSource } from '../import/importSource.ts';
import type { KnownInputs } from '../import/inputIds.ts';
import type { ServerEntry } from '../import/serverEntry.ts';
import { isSecretName } from '../secrets/secretNames.ts';
import type { Sentence } from '../sentence.ts';
import type { RootsRoute } from '../servers/serverDefinition.ts';
import type { Surroundings } from '../settings/folderVariables.ts';
import { withoutSubject } from '../settings/mistakes.ts';
import { readServerSettings } from '../settings/serverSettings.ts';
import { isOfRoots, variablesIn } from '../variables/variableNames.ts';
import { commandWords } from './commandWords.ts';
import { nameFromCommand, nameFromUrl } from './suggestedName.ts';

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
};

/** What is wrong with a draft as far as it goes; `undefined` when it can become a server. */
export function draftProblem(
  draft: ServerDraft,
  { isWindows, around }: DraftTerms,
): Sentence | undefined {
  const words = commandWords(draft.line, isWindows);
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
  const words = commandWords(line, isWindows);
  return words.ok ? nameFromCommand(words.command, words.args) : '';
}

/** Whether the command line says itself how the server gets its roots. */
export function namesRoots({ line }: ServerDraft): boolean {
  return variablesIn(line).some(({ variable }) => variable && isOfRoots(variable));
}

/** The draft as a server, its secrets taken out. To be used only when it has no problem. */
export function serverOf(
  draft: ServerDraft,
  { isWindows, around, known }: DraftTerms,
): ConvertedServer {
  const { rootsAs, ...entry } = entryOf(draft, isWindows);
  const terms = { source: typed, fileInputs: { byId: new Map(), notes: [] }, known, around };
  const converted = convertServer(draft.name, entry, terms);
  const withRoutes = converted.entry && rootsAs ? { ...converted.entry, rootsAs } : converted.entry;
  return { ...converted, entry: withRoutes };
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
  const words = commandWords(line, isWindows);
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
