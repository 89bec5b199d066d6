import { fetchedWords } from '../fetchingPrograms.ts';
import { type KeyPath, shownPath } from '../json.ts';
import { printable, printableWords } from '../printable.ts';
import { argumentsAsShown, urlAsShown, valueAsShown } from '../secrets/shownTexts.ts';
import { type Sentence, sentence } from '../sentence.ts';
import { isOfRoots, variablesIn, type WrittenVariable } from '../variables.ts';
import { urlProblem } from './serverUrl.ts';

/** How a process starts that speaks MCP over stdio. Its texts may hold `${variables}`. */
export interface StdioLaunch {
  readonly type: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** The working directory; `undefined`: the first root, else the home (hub: an empty folder). */
  readonly cwd: string | undefined;
  /** Variables added to the allow-listed environment. */
  readonly env: Readonly<Record<string, string>>;
  /** A file with more variables. Variables in `env` replace variables of the file. */
  readonly envFile: string | undefined;
}

/** The address of a server that speaks MCP over HTTP. Its texts may hold `${variables}`. */
export interface HttpLaunch {
  readonly type: 'http';
  /** The older transport, HTTP with SSE; left out: Streamable HTTP first, then the older. */
  readonly transport?: 'sse';
  readonly url: string;
  /** The headers of every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** The OAuth client: its `clientId` and, if it is registered with a port, `callbackPort`. */
  readonly oauth?: Readonly<Record<string, string>>;
}

/** How a server starts, or the address where it already runs. */
export type Launch = StdioLaunch | HttpLaunch;

/** The form of a value. `path`: a text in which a relative path starts at a folder. */
type Form = 'text' | 'path' | 'list' | 'named';

/**
 * The keys of a definition that make up its launch, in display order. Consent covers these keys, so
 * the code does not compile if a field of a launch is missing here.
 */
export const launchKeys: {
  readonly stdio: Readonly<Record<Exclude<keyof StdioLaunch, 'type'>, Form>>;
  readonly http: Readonly<Record<Exclude<keyof HttpLaunch, 'type' | 'transport'>, Form>>;
} = {
  stdio: { command: 'text', args: 'list', cwd: 'path', env: 'named', envFile: 'path' },
  http: { url: 'text', headers: 'named', oauth: 'named' },
};

/** A key of a definition whose texts may hold variables. */
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

/** Whether a server works in its first root, because its definition names no folder. */
export function isInFirstRoot(launch: Launch): boolean {
  return launch.type === 'stdio' && launch.cwd === undefined;
}

/** Whether a start may take minutes, because the program first fetches the server. */
export function mayDownload(launch: Launch): boolean {
  return launch.type === 'stdio' && fetchedWords(launch.command, launch.args) !== undefined;
}

/**
 * The launch in a form to show and to store: `…` and the length replace each secret. Parts that
 * decide which program runs or which host answers stay visible, such as a package or a path.
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

/** Returns a launch in one line that is safe to show: as a person would type it, or the URL. */
export function commandLine(
  launch: Pick<StdioLaunch, 'type' | 'command' | 'args'> | Pick<HttpLaunch, 'type' | 'url'>,
): string {
  return launch.type === 'http'
    ? printable(urlAsShown(launch.url))
    : printableWords([launch.command, ...argumentsAsShown(launch.command, launch.args)]);
}

export interface LaunchText {
  readonly key: LaunchKey;
  /** The place of the text in the definition. */
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

/** Changes each text of a launch once. `changeArgument` may make several arguments of one. */
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

/** Why a filled-in launch can't start, if the system's own error for this would show a value. */
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

/** Whether a process, or a header, can receive a text with these characters. */
export function canHold(isHeader: boolean, text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must not be there.
  return !(isHeader ? /[\u0000-\u0008\u000a-\u001f\u007f]|[^\u0000-\u00ff]/ : /\u0000/).test(text);
}
