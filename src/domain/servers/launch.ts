import { fetchedWords } from '../fetchingPrograms.ts';
import { type KeyPath, shownPath } from '../json.ts';
import { printable, printableWords } from '../printable.ts';
import { argumentsAsShown, urlAsShown, valueAsShown } from '../secrets/shownTexts.ts';
import { type Sentence, sentence } from '../sentence.ts';
import { isOfRoots, variablesIn, type WrittenVariable } from '../variables.ts';
import { urlProblem } from './serverUrl.ts';

/** The start of a process that speaks MCP over stdio. Its texts may hold `${variables}`. */
export interface StdioLaunch {
  readonly type: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** `undefined`: the first visible root, else the user's home or, for the hub, an empty folder. */
  readonly cwd: string | undefined;
  /** Variables added to the allow-listed environment. */
  readonly env: Readonly<Record<string, string>>;
  /** A file with further variables; variables in `env` take precedence. */
  readonly envFile: string | undefined;
}

/** The address of a server that speaks MCP over HTTP. Its texts may hold `${variables}`. */
export interface HttpLaunch {
  readonly type: 'http';
  /** The older HTTP with SSE; left out: Streamable HTTP, and the older one as a fallback. */
  readonly transport?: 'sse';
  readonly url: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** The client to sign in as: its `clientId` and, if it is registered with one, `callbackPort`. */
  readonly oauth?: Readonly<Record<string, string>>;
}

/** The start of a server, or its address where it already runs. */
export type Launch = StdioLaunch | HttpLaunch;

/** The form of a value. A path is a text; a relative path starts at a folder. */
type Form = 'text' | 'path' | 'list' | 'named';

/**
 * The keys of a definition that make up its launch, in display order. Consent is bound to these
 * keys, so a launch field that is missing here does not compile.
 */
export const launchKeys: {
  readonly stdio: Readonly<Record<Exclude<keyof StdioLaunch, 'type'>, Form>>;
  readonly http: Readonly<Record<Exclude<keyof HttpLaunch, 'type' | 'transport'>, Form>>;
} = {
  stdio: { command: 'text', args: 'list', cwd: 'path', env: 'named', envFile: 'path' },
  http: { url: 'text', headers: 'named', oauth: 'named' },
};

/** A key of a definition with texts that may hold variables. */
type LaunchKey = keyof typeof launchKeys.stdio | keyof typeof launchKeys.http;

/** One text, texts in an order that matters, or texts by name. */
type LaunchValue = string | readonly string[] | Readonly<Record<string, string>>;

/** The given values of a launch by key, always in the same order. */
export function launchValues(launch: Launch): [key: LaunchKey, value: LaunchValue][] {
  const values: { readonly [K in LaunchKey]?: LaunchValue } = launch;
  const keys = Object.keys(launchKeys[launch.type]) as LaunchKey[];
  return keys.flatMap((key): [LaunchKey, LaunchValue][] => {
    const value = values[key];
    return value === undefined ? [] : [[key, value]];
  });
}

/** Whether a server that may see folders works in the first one, since it names no other. */
export function isInFirstRoot(launch: Launch): boolean {
  return launch.type === 'stdio' && launch.cwd === undefined;
}

/** Whether a start may take minutes, because the program first fetches what it runs. */
export function mayDownload(launch: Launch): boolean {
  return launch.type === 'stdio' && fetchedWords(launch.command, launch.args) !== undefined;
}

/**
 * The launch in a form to show and to store: `…` and the length replace each secret. Parts that
 * decide what is run or called are never hidden: the program, a package it fetches, a path, a host.
 */
export function launchAsShown(launch: Launch): Launch {
  return launch.type === 'http'
    ? { ...launch, url: urlAsShown(launch.url), headers: mapValues(launch.headers, valueAsShown) }
    : {
        ...launch,
        args: argumentsAsShown(launch.command, launch.args),
        env: mapValues(launch.env, valueAsShown),
      };
}

/**
 * The launch in one safe line, for prompts and tooltips: the command line as a person would type
 * it, or the URL.
 */
export function commandLine(
  launch: Pick<StdioLaunch, 'type' | 'command' | 'args'> | Pick<HttpLaunch, 'type' | 'url'>,
): string {
  return launch.type === 'http'
    ? printable(urlAsShown(launch.url))
    : printableWords([launch.command, ...argumentsAsShown(launch.command, launch.args)]);
}

export interface LaunchText {
  readonly key: LaunchKey;
  /** The place of the text. */
  readonly place: KeyPath;
  readonly text: string;
}

/** All texts of a launch, always in the same order. */
export function launchTexts(launch: Launch): LaunchText[] {
  return launchValues(launch).flatMap(([key, value]): LaunchText[] => {
    if (typeof value === 'string') {
      return [{ key, place: [key], text: value }];
    }
    return isList(value)
      ? value.map((text, index) => ({ key, place: [key, index], text }))
      : Object.entries(value).map(([name, text]) => ({ key, place: [key, name], text }));
  });
}

/** The launch with each of its texts changed. The results are not changed again. */
export function mapLaunchTexts(
  launch: Launch,
  change: (text: string) => string,
  changeArgument: (text: string) => readonly string[] = text => [change(text)],
): Launch {
  const changed = (value: LaunchValue) => {
    if (typeof value === 'string') {
      return change(value);
    }
    return isList(value)
      ? value.flatMap(changeArgument)
      : mapValues(value, (_, text) => change(text));
  };
  const values = launchValues(launch).map(([key, value]) => [key, changed(value)]);
  return { ...launch, ...Object.fromEntries(values) };
}

export function launchVariables(launch: Launch): WrittenVariable[] {
  return launchTexts(launch).flatMap(({ text }) => variablesIn(text));
}

export function keysWithRoots(launch: Launch): ReadonlySet<LaunchKey> {
  const texts = launchTexts(launch).filter(({ text }) =>
    variablesIn(text).some(({ variable }) => variable && isOfRoots(variable)),
  );
  return new Set(texts.map(({ key }) => key));
}

export function isList(value: LaunchValue): value is readonly string[] {
  return Array.isArray(value);
}

function mapValues(
  values: Readonly<Record<string, string>>,
  change: (name: string, text: string) => string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, text]) => [name, change(name, text)]),
  );
}

/** The problem of a filled-in launch, which the system's error would repeat; or `undefined`. */
export function launchProblem(launch: Launch): Sentence | undefined {
  if (launch.type === 'http') {
    const problem = urlProblem(launch.url);
    if (problem) {
      return sentence('The "url" {0}', problem);
    }
  } else if (launch.command.trim() === '') {
    return sentence('The "command" is empty.');
  }
  const unfit = launchTexts(launch).find(({ key, text }) => !canHold(key === 'headers', text));
  return (
    unfit &&
    sentence('The "{0}" holds a character that is not allowed there.', shownPath(unfit.place))
  );
}

/** Whether a text can be passed to a process, or sent as a header. */
export function canHold(isHeader: boolean, text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must not be there.
  return !(isHeader ? /[\u0000-\u0008\u000a-\u001f\u007f]|[^\u0000-\u00ff]/ : /\u0000/).test(text);
}
