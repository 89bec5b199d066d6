import { type KeyPath, shownPath } from '../json.ts';
import { printable, printableWords } from '../printable.ts';
import { argumentsAsShown, urlAsShown, valueAsShown } from '../secrets/shownTexts.ts';
import { type Sentence, sentence } from '../sentence.ts';
import { isOfRoots, variablesIn, type WrittenVariable } from '../settings/variables.ts';
import { fetchedWords } from './fetchingPrograms.ts';
import { urlProblem } from './serverUrl.ts';

/** The start of a server as a process that speaks MCP over stdio. Its texts may hold `${variables}`. */
export interface StdioLaunch {
  readonly type: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** `undefined`: the first visible root, else the user's home or, for the hub, an empty folder. */
  readonly cwd: string | undefined;
  /** Variables added to the allow-listed environment. */
  readonly env: Readonly<Record<string, string>>;
  /** A file of further variables, which those of `env` overrule. */
  readonly envFile: string | undefined;
}

/** The address of a server that speaks MCP over HTTP. Its texts may hold `${variables}`. */
export interface HttpLaunch {
  readonly type: 'http';
  /** It is said to speak the older HTTP with SSE; left out: Streamable HTTP, and the older if need be. */
  readonly transport?: 'sse';
  readonly url: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The start of a server, or its address where it already runs. */
export type Launch = StdioLaunch | HttpLaunch;

/** The form of a value. A path is a text, and a relative one counts from a folder. */
type Form = 'text' | 'path' | 'list' | 'named';

/**
 * The keys of a definition that make up its launch, in the order in which they are told. Consent is
 * bound to these, so a field of a launch that is missing here does not compile.
 */
export const launchKeys: {
  readonly stdio: Readonly<Record<Exclude<keyof StdioLaunch, 'type'>, Form>>;
  readonly http: Readonly<Record<Exclude<keyof HttpLaunch, 'type' | 'transport'>, Form>>;
} = {
  stdio: { command: 'text', args: 'list', cwd: 'path', env: 'named', envFile: 'path' },
  http: { url: 'text', headers: 'named' },
};

/** A key of a definition whose texts may hold variables. */
type LaunchKey = keyof typeof launchKeys.stdio | keyof typeof launchKeys.http;

/** One text, texts in an order that matters, or texts by name. */
type LaunchValue = string | readonly string[] | Readonly<Record<string, string>>;

/** The given values of a launch by key, in an order that is always the same. */
export function launchValues(launch: Launch): [key: LaunchKey, value: LaunchValue][] {
  const values: { readonly [K in LaunchKey]?: LaunchValue } = launch;
  const keys = Object.keys(launchKeys[launch.type]) as LaunchKey[];
  return keys.flatMap((key): [LaunchKey, LaunchValue][] => {
    const value = values[key];
    return value === undefined ? [] : [[key, value]];
  });
}

/** Whether a server that may see folders works in the first of them, since it names no other. */
export function isInFirstRoot(launch: Launch): boolean {
  return launch.type === 'stdio' && launch.cwd === undefined;
}

/** Whether a start may take minutes, because the program first fetches what it runs. */
export function mayDownload(launch: Launch): boolean {
  return launch.type === 'stdio' && fetchedWords(launch.command, launch.args) !== undefined;
}

/**
 * The launch as it may be shown and remembered: where a secret stands, `…` does, with its length. What
 * decides on what is run or called is never hidden: the program, a package it fetches, a path, a host.
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
 * The launch as it may be shown, in one printable line, for prompts and tooltips: the
 * command line as a person would type it, or the URL.
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
  /** Its place. */
  readonly place: KeyPath;
  readonly text: string;
}

/** All texts of a launch, in an order that is always the same. */
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

/** The launch with each of its texts changed. What it is changed to is looked at no further. */
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

/** The problem of a launch with its values, which the system's own error would repeat; `undefined`: none. */
export function launchProblem(launch: Launch): Sentence | undefined {
  if (launch.type === 'http') {
    const problem = urlProblem(launch.url);
    if (problem) {
      return sentence('Its "url" {0}', problem);
    }
  } else if (launch.command.trim() === '') {
    return sentence('Its "command" is empty.');
  }
  const unfit = launchTexts(launch).find(({ key, text }) => !canHold(key === 'headers', text));
  return (
    unfit &&
    sentence('Its "{0}" holds a character that cannot stand there.', shownPath(unfit.place))
  );
}

/** Whether a text can be handed to a process, or sent as a header. */
export function canHold(isHeader: boolean, text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must not be there.
  return !(isHeader ? /[\u0000-\u0008\u000a-\u001f\u007f]|[^\u0000-\u00ff]/ : /\u0000/).test(text);
}
