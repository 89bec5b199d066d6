import { printable, printableWords } from '../printable.ts';
import { argumentsAsShown, textAsShown } from '../secrets/shownTexts.ts';
import { shownUrl } from './shownUrl.ts';

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

/** How to reach a server that speaks MCP over Streamable HTTP. Its texts may hold `${variables}`. */
export interface HttpLaunch {
  readonly type: 'http';
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

/**
 * What is run or called, in one printable line, for prompts and tooltips: the command line as a
 * person would type it, or the URL without credentials and values of its query. Where a secret
 * stands, `…` does.
 */
export function commandLine(launch: Launch): string {
  return launch.type === 'http'
    ? printable(textAsShown(shownUrl(launch.url)))
    : printableWords([launch.command, ...argumentsAsShown(launch.args)]);
}
