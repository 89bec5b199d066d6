import { version } from '../version.ts';

interface CommandOption {
  /** The name of its value in the help; without it, the option is a switch. */
  readonly value?: string;
  readonly short?: string;
  readonly isRepeatable?: boolean;
  /** Whether it has no twin in the environment. */
  readonly isOnlyArgument?: boolean;
  /** Whether it says something of the hub, which `--config` asks for. */
  readonly isOfHub?: boolean;
  readonly help: string;
  /** The mistake in a value, to be read after the name of the option. */
  readonly problemWith: (value: string) => string | undefined;
}

export type OptionName =
  | 'root'
  | 'without-roots'
  | 'allow-write'
  | 'http'
  | 'token-env'
  | 'roots-timeout'
  | 'config'
  | 'audit'
  | 'expose'
  | 'help'
  | 'version';

/**
 * The options of the bundled server, in the order in which they are explained. `help` and `version`
 * stay last: the help says that the last two can't be set in the environment.
 */
export const options: Readonly<Record<OptionName, CommandOption>> = {
  root: {
    value: 'PATH',
    isRepeatable: true,
    help: 'a folder it may reach, and the limit for the roots of a client',
    problemWith: problemOfText,
  },
  'without-roots': {
    value: 'deny|allow',
    help: 'what a client gets that names no roots, when --root gives none (default: deny)',
    problemWith: problemOfDecision,
  },
  'allow-write': {
    help: 'offer the tools that write; without it, nothing is ever changed',
    problemWith: problemOfSwitch,
  },
  http: {
    value: '[HOST:]PORT',
    help: 'serve Streamable HTTP there instead of stdio (default host: 127.0.0.1)',
    problemWith: problemOfAddress,
  },
  'token-env': {
    value: 'NAME',
    help: 'the variable that holds the bearer token which HTTP clients have to send',
    problemWith: problemOfText,
  },
  'roots-timeout': {
    value: 'SECONDS',
    help: 'how long the client may take to name its roots (default: 10)',
    problemWith: problemOfSeconds,
  },
  config: {
    value: 'FILE',
    help: 'be a hub for the servers named there, in the form of mcp.json or of mcpServers',
    problemWith: problemOfText,
  },
  audit: {
    value: 'FILE',
    isOfHub: true,
    help: 'where the hub writes down what it allowed and refused, as JSON Lines',
    problemWith: problemOfText,
  },
  expose: {
    value: 'tools',
    isOfHub: true,
    help: 'offer the tools of the servers under names of their own, as server__tool',
    problemWith: problemOfTools,
  },
  help: {
    short: 'h',
    isOnlyArgument: true,
    help: 'show this and exit',
    problemWith: problemOfSwitch,
  },
  version: {
    short: 'v',
    isOnlyArgument: true,
    help: 'show the version and exit',
    problemWith: problemOfSwitch,
  },
};

/** The text of `--help`. */
export function helpText(): string {
  const rows = Object.entries(options).map(([name, { value, short, help, isRepeatable }]) => {
    const start = `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`;
    return `  ${start.padEnd(29)}${help}${isRepeatable ? '; may be repeated' : ''}`;
  });
  return `MCP Roots ${version}: an MCP server for the files in the folders that its client shares.

It speaks MCP over standard input and output, or over HTTP. Which folders it may reach is said by
the client (roots) or by --root. Every path is checked against them, and without roots nothing is
reachable.

With --config it is a hub, too: it starts the servers named in that file, tells them the same roots,
and checks the paths in every call against these before its server hears of it.

Usage: npx mcp-roots [options]
       npx mcp-roots hub --config FILE [options]

Options:
${rows.join('\n')}

Each option but the last two can be set in the environment, too: --roots-timeout is
MCP_ROOTS_ROOTS_TIMEOUT, --allow-write is MCP_ROOTS_ALLOW_WRITE=1, and MCP_ROOTS_ROOT takes
several paths, separated as in PATH. What is said in the arguments wins.

Over stdio it ends with its input and with the process that started it; over HTTP, with a signal.
`;
}

function problemOfText(value: string): string | undefined {
  return value === '' ? 'needs a value.' : undefined;
}

function problemOfSwitch(value: string): string | undefined {
  return ['true', '1', 'yes', 'false', '0', 'no'].includes(value)
    ? undefined
    : 'is a switch: it is 1 or 0.';
}

function problemOfDecision(value: string): string | undefined {
  return ['deny', 'allow'].includes(value) ? undefined : 'needs deny or allow as its value.';
}

function problemOfTools(value: string): string | undefined {
  return value === 'tools' ? undefined : 'needs tools as its value.';
}

function problemOfAddress(value: string): string | undefined {
  const port = /^(?:(?:[^:[\]]+|\[[^[\]]+\]):)?(\d{1,5})$/.exec(value)?.[1];
  return port !== undefined && Number(port) <= 65_535
    ? undefined
    : 'needs a port from 0 to 65535, or a host, a colon and a port.';
}

function problemOfSeconds(value: string): string | undefined {
  const seconds = Number(value || Number.NaN);
  const isUsable = seconds > 0 && seconds <= 3600;
  return isUsable ? undefined : 'needs a number of seconds from 0.001 to 3600.';
}
