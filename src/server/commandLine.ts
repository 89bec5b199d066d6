import { delimiter } from 'node:path';
import { parseArgs } from 'node:util';
import { version } from '../base/version.ts';
import { isStartedByHub } from '../domain/servers/startedBy.ts';

/** The result of reading the command line and the environment. */
type CommandLine =
  | { readonly kind: 'serve'; readonly request: ServeRequest }
  | { readonly kind: 'print'; readonly text: string }
  | { readonly kind: 'refuse'; readonly message: string };

/** Options for serving. Nobody has checked yet whether their files and folders exist. */
export interface ServeRequest {
  /** The values of `--root`: absolute paths, paths from the working directory, or `file:` URIs. */
  readonly roots: readonly string[];
  readonly withoutRoots: 'deny' | 'allow';
  readonly allowWrite: boolean;
  /** The address to listen at. `undefined`: the server speaks over stdio. */
  readonly http: { readonly host: string; readonly port: number } | undefined;
  readonly token: string | undefined;
  /** The longest time for the client to name its roots, in milliseconds. */
  readonly rootsTimeout: number;
  /** `undefined`: the server runs without a hub. */
  readonly hub: HubRequest | undefined;
}

/** Options of the hub. The files are absolute paths, or paths from the working directory. */
interface HubRequest {
  readonly config: string;
  /** `undefined`: the hub keeps no audit log. */
  readonly audit: string | undefined;
  /** Whether the hub also offers each server's tools as tools of the hub, as `server__tool`. */
  readonly exposeTools: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;
type GivenOptions = Map<OptionName, { readonly where: string; readonly values: readonly string[] }>;

/**
 * Reads the arguments, and the environment's variables for the same options. An argument overrides
 * its variable. Refuses unknown arguments and variables, so that the user notices a typo. If the
 * first argument is `hub`, refuses a missing `--config` with a hint.
 */
export function parseCommandLine(args: readonly string[], env: Environment): CommandLine {
  const given: GivenOptions = new Map();
  const isHub = args[0] === 'hub';
  const problem =
    readArguments(isHub ? args.slice(1) : args, given) ??
    readEnvironment(env, given) ??
    check(given, isHub);
  if (problem) {
    return { kind: 'refuse', message: `${problem} Run with --help to see the options.` };
  }
  if (isOn(given, 'help')) {
    return { kind: 'print', text: helpText() };
  }
  if (isOn(given, 'version')) {
    return { kind: 'print', text: `${version}\n` };
  }
  return serve(given, env);
}

function readArguments(args: readonly string[], given: GivenOptions): string | undefined {
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(options).map(([name, { value, short }]) => [
        name,
        { type: value ? ('string' as const) : ('boolean' as const), ...(short && { short }) },
      ]),
    ),
    strict: false,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind === 'positional') {
      return `Unexpected argument "${token.value}".`;
    }
    if (token.kind === 'option') {
      const { name, rawName, value } = token;
      if (!isOptionName(name)) {
        return `Unknown option ${rawName}.`;
      }
      if (!options[name].value && value !== undefined) {
        return `${rawName} takes no value.`;
      }
      const before = given.get(name)?.values ?? [];
      given.set(name, {
        where: rawName,
        values: [...before, value ?? (options[name].value ? '' : 'true')],
      });
    }
  }
  return undefined;
}

function readEnvironment(env: Environment, given: GivenOptions): string | undefined {
  const tokenVariable = given.get('token-env')?.values.at(-1) ?? env[variableOf('token-env')];
  for (const [variable, value = ''] of Object.entries(env)) {
    const isOption = variable.startsWith(prefix) && variable !== windowVariable;
    if (!isOption || variable === tokenVariable) {
      continue;
    }
    const name = variable.slice(prefix.length).toLowerCase().replaceAll('_', '-');
    if (!isOptionName(name) || options[name].isOnlyArgument) {
      return `The environment has the unknown variable ${variable}. Remove the variable.`;
    }
    if (!given.has(name) && value !== '') {
      const values = options[name].isRepeatable ? value.split(delimiter) : [value];
      given.set(name, { where: variable, values });
    }
  }
  return undefined;
}

function check(given: GivenOptions, isHub: boolean): string | undefined {
  if (isHub && !['config', 'help', 'version'].some(name => given.has(name as OptionName))) {
    return 'A hub needs --config with the file that names its servers.';
  }
  for (const [name, { where, values }] of given) {
    const { value, isRepeatable, needs, form = value ? anyText : aSwitch } = options[name];
    if (values.length > 1 && !isRepeatable && value) {
      return `${where} must be given only once.`;
    }
    if (!values.every(form.fits)) {
      return `${where} ${form.otherwise}`;
    }
    if (needs && !given.has(needs)) {
      return `${where} ${whatItNeeds[needs]}`;
    }
  }
  const [http, config] = [given.get('http'), given.get('config')];
  if (http && config) {
    return `A hub serves only the client that starts it, over stdio. Leave out ${http.where} or ${config.where}.`;
  }
  return undefined;
}

const whatItNeeds = {
  config: 'needs a hub: use --config with the file that names its servers.',
  http: 'needs clients over HTTP: use --http with a port.',
} as const;

function serve(given: GivenOptions, env: Environment): CommandLine {
  const last = (name: OptionName) => lastOf(given, name);
  const tokenVariable = last('token-env');
  const token = tokenVariable === undefined ? undefined : env[tokenVariable];
  if (tokenVariable !== undefined && !token) {
    const message = `The variable ${tokenVariable}, named by --token-env, is missing or empty.`;
    return { kind: 'refuse', message };
  }
  if (given.has('config') && isStartedByHub(env)) {
    // If the configuration named this hub itself, hubs would start hubs without end.
    return { kind: 'refuse', message: hubInHub };
  }
  return {
    kind: 'serve',
    request: {
      roots: given.get('root')?.values ?? [],
      withoutRoots: last('without-roots') === 'allow' ? 'allow' : 'deny',
      allowWrite: isOn(given, 'allow-write'),
      http: addressOf(last('http')),
      token,
      rootsTimeout: Number(last('roots-timeout') ?? 10) * 1000,
      hub: hubOf(given),
    },
  };
}

function hubOf(given: GivenOptions): HubRequest | undefined {
  const config = lastOf(given, 'config');
  const exposeTools = given.has('expose');
  return config === undefined ? undefined : { config, audit: lastOf(given, 'audit'), exposeTools };
}

/** The address in a valid `[HOST:]PORT`. Without a host, only this machine can reach it. */
function addressOf(text: string | undefined): ServeRequest['http'] {
  const colon = text?.lastIndexOf(':') ?? -1;
  const host = text?.slice(0, Math.max(0, colon)).replace(/^\[|\]$/g, '') || '127.0.0.1';
  return text === undefined ? undefined : { host, port: Number(text.slice(colon + 1)) };
}

function isOn(given: GivenOptions, name: OptionName): boolean {
  return ['true', '1', 'yes'].includes(lastOf(given, name) ?? '');
}

function lastOf(given: GivenOptions, name: OptionName): string | undefined {
  return given.get(name)?.values.at(-1);
}

function isOptionName(name: string): name is OptionName {
  return Object.hasOwn(options, name);
}

function variableOf(name: OptionName): string {
  return prefix + name.toUpperCase().replaceAll('-', '_');
}

const prefix = 'MCP_ROOTS_';

/** The editor sets this variable in its terminals, for the connector. This server ignores it. */
const windowVariable = 'MCP_ROOTS_WINDOW';

const addressForm = /^(?:(?:[^:[\]]+|\[[^[\]]+\]):)?(\d{1,5})$/;

const hubInHub =
  'A hub cannot run behind another hub. Remove this hub from the configuration of the other hub.';

interface CommandOption {
  /** The name of the option's value in the help. An option without a value is a switch. */
  readonly value?: string;
  readonly short?: string;
  readonly isRepeatable?: boolean;
  /** Whether the option cannot be set in the environment. */
  readonly isOnlyArgument?: boolean;
  /** The option that must also be given. */
  readonly needs?: keyof typeof whatItNeeds;
  readonly help: string;
  /** If absent, {@link anyText} or {@link aSwitch} applies. */
  readonly form?: ValueForm;
}

/** A check of an option's value. If it fails, the message is the option's name and `otherwise`. */
interface ValueForm {
  readonly fits: (value: string) => boolean;
  readonly otherwise: string;
}

const anyText: ValueForm = { fits: value => value !== '', otherwise: 'needs a value.' };

const aSwitch: ValueForm = {
  fits: value => ['true', '1', 'yes', 'false', '0', 'no'].includes(value),
  otherwise: 'is a switch: write 1 or 0.',
};

const table = {
  root: {
    value: 'PATH',
    isRepeatable: true,
    help: 'a folder that the server may reach. The roots of a client can only narrow this access',
  },
  'without-roots': {
    value: 'deny|allow',
    help: 'if --root is not set: whether a client that does not support roots reaches all files (default: deny)',
    form: {
      fits: value => ['deny', 'allow'].includes(value),
      otherwise: 'accepts only the words deny and allow.',
    },
  },
  'allow-write': {
    help: 'offer the tools that write. Without this option, the server changes nothing',
  },
  http: {
    value: '[HOST:]PORT',
    help: 'serve Streamable HTTP at this address instead of stdio (default host: 127.0.0.1)',
    form: {
      fits: value => Number(addressForm.exec(value)?.[1]) <= 65_535,
      otherwise: 'needs a port from 0 to 65535, or a host, a colon and a port.',
    },
  },
  'token-env': {
    value: 'NAME',
    needs: 'http',
    help: 'the environment variable with the bearer token that HTTP clients must send',
  },
  'roots-timeout': {
    value: 'SECONDS',
    help: 'how many seconds the client may take to name its roots (default: 10)',
    form: {
      fits: value => Number(value) > 0 && Number(value) <= 3600,
      otherwise: 'needs a number of seconds, more than 0 and at most 3600.',
    },
  },
  config: {
    value: 'FILE',
    help: 'be a hub for the servers in this file, which has the form of mcp.json or of mcpServers',
  },
  audit: {
    value: 'FILE',
    needs: 'config',
    help: 'the file where the hub writes the calls that it allowed and refused, as JSON Lines',
  },
  expose: {
    value: 'tools',
    needs: 'config',
    help: 'offer each tool of the servers as a separate tool, named server__tool',
    form: { fits: value => value === 'tools', otherwise: 'accepts only the word tools.' },
  },
  help: {
    short: 'h',
    isOnlyArgument: true,
    help: 'show this help and exit',
  },
  version: {
    short: 'v',
    isOnlyArgument: true,
    help: 'show the version and exit',
  },
} as const satisfies Readonly<Record<string, CommandOption>>;

type OptionName = keyof typeof table;

/**
 * The options of the bundled server, in the order of the help. `help` and `version` must be last,
 * because the help says that the environment can't set the last two options.
 */
export const options: Readonly<Record<OptionName, CommandOption>> = table;

/** The text of `--help`. */
function helpText(): string {
  const rows = Object.entries(options).map(([name, { value, short, help, isRepeatable }]) => {
    const start = `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`;
    return `  ${start.padEnd(29)}${help}${isRepeatable ? '; may be repeated' : ''}`;
  });
  return `MCP Roots ${version}: an MCP server for the files in the folders that its client shares.

The server speaks MCP over standard input and output, or over HTTP. The client (with roots) or --root
names the folders that the server may reach. The server checks every path against these folders.
Without roots, nothing is reachable.

With --config, the server is also a hub. It starts the servers that the file names, and gives them
the same roots. It checks the paths in a call against the roots before it sends the call on.

Usage: mcp-roots [options]
       mcp-roots hub --config FILE [options]

Options:
${rows.join('\n')}

All options except the last two can also be set in the environment: --roots-timeout is
MCP_ROOTS_ROOTS_TIMEOUT, --allow-write is MCP_ROOTS_ALLOW_WRITE=1, and MCP_ROOTS_ROOT takes
several paths, separated as in PATH. An argument overrides the variable.

Over stdio, the server ends with its input or with the process that started it. Over HTTP, a signal ends it.
`;
}
