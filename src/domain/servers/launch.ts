import { printable, printableWords } from '../printable.ts';
import { argumentsAsShown, urlAsShown, valueAsShown } from '../secrets/shownTexts.ts';
import { fetchedWords } from './fetchingPrograms.ts';

/** How to start a server as a process that speaks MCP over stdio. Its texts may hold `${variables}`. */
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

/** How to reach a server that speaks MCP over HTTP. Its texts may hold `${variables}`. */
export interface HttpLaunch {
  readonly type: 'http';
  /** It is said to speak the older HTTP with SSE; left out: Streamable HTTP, and the older if need be. */
  readonly transport?: 'sse';
  readonly url: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
}

/** How a server is started, or reached where it already runs. */
export type Launch = StdioLaunch | HttpLaunch;

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
    ? { ...launch, url: urlAsShown(launch.url), headers: valuesAsShown(launch.headers) }
    : {
        ...launch,
        args: argumentsAsShown(launch.command, launch.args),
        env: valuesAsShown(launch.env),
      };
}

/**
 * What is run or called as it may be shown, in one printable line, for prompts and tooltips: the
 * command line as a person would type it, or the URL.
 */
export function commandLine(launch: Launch): string {
  const shown = launchAsShown(launch);
  return shown.type === 'http'
    ? printable(shown.url)
    : printableWords([shown.command, ...shown.args]);
}

function valuesAsShown(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, valueAsShown(name, value)]),
  );
}
