import { isJsonObject, type JsonObject } from '../json.ts';
import {
  type HttpLaunch,
  keysWithRoots,
  type Launch,
  launchKeys,
  type StdioLaunch,
} from '../servers/launch.ts';
import type { RootsRoute } from '../servers/serverDefinition.ts';
import { type SecretVariable, urlProblem } from '../servers/serverUrl.ts';
import {
  type Mistakes,
  type NamedValues,
  noteUnknown,
  readNamedTexts,
  readText,
  readTexts,
} from './mistakes.ts';
import { replaceVariables } from './variables.ts';

/** The keys of every server, however it is reached. */
export const commonKeys: readonly string[] = ['type', 'roots', 'rootsAs', 'protocol', 'autoStart'];

/** The keys that a server in the settings may have. */
export function serverKeys(): readonly string[] {
  return [...keysOf('stdio'), ...keysOf('http'), ...commonKeys];
}

function keysOf(transport: Transport): readonly string[] {
  const keys = Object.keys(launchKeys[transport]);
  return transport === 'stdio' ? [...keys, 'sandbox'] : keys;
}

/** Words of other clients for `http`, the Streamable HTTP of the protocol. */
export const httpTypes: readonly unknown[] = [
  'http',
  'streamable-http',
  'streamableHttp',
  'streamable_http',
  'streamable',
  'http-stream',
];

/** The definition under a name; notes a name that no server can have. `undefined`: it is no object. */
export function readEntry(
  name: string,
  value: unknown,
  mistakes: Mistakes,
): JsonObject | undefined {
  if (name.trim() === '') {
    mistakes.add('Its name must not be empty.');
  } else if (name === '__proto__') {
    // Code that copies values by name would change the object it copies to.
    mistakes.add('A server cannot have this name.');
  }
  if (isJsonObject(value)) {
    return value;
  }
  mistakes.add('It must be an object with a "command" or a "url".');
  return undefined;
}

type Transport = 'stdio' | 'http';

/** The transport, as far as the keys tell; notes a `type` that there is not. */
export function readTransport({ type, command, url }: JsonObject, mistakes: Mistakes): Transport {
  if (type === 'stdio' || type === 'http') {
    return type;
  }
  if (type === 'sse') {
    return 'http';
  }
  if (type !== undefined) {
    mistakes.addAt('type', 'must be "stdio", "http" or "sse".');
  }
  return url !== undefined && command === undefined ? 'http' : 'stdio';
}

/** Notes keys that no server has, and those of the other transport. */
export function checkKeys(
  entry: JsonObject,
  transport: Transport,
  mistakes: Mistakes,
  common: readonly string[] = commonKeys,
): void {
  const own = [...keysOf(transport), ...common];
  const foreign = keysOf(transport === 'http' ? 'stdio' : 'http');
  for (const key of Object.keys(entry)) {
    if (foreign.includes(key)) {
      mistakes.addAt(key, key === 'sandbox' ? runsElsewhere : belongsElsewhere[transport]);
    } else if (!own.includes(key)) {
      noteUnknown(key, own, mistakes);
    }
  }
}

const belongsElsewhere: Readonly<Record<Transport, string>> = {
  stdio: 'belongs to a server reached over HTTP. Leave out this, or "command" with its keys.',
  http: 'belongs to a server started as a process. Leave out this, or "url" and "headers".',
};

const runsElsewhere = 'cannot be kept: a server with a "url" runs elsewhere. Leave it out.';

const variables: NamedValues = {
  place: 'env',
  name: /^[^=\0]+$/,
  advice: 'must be the name of a variable, without "=".',
};

const headers: NamedValues = {
  place: 'headers',
  name: /^[\w!#$%&'*+.^`|~-]+$/,
  advice: 'must be the name of a header: letters, digits and hyphens.',
};

/** The launch of a server. To be used only when no mistake was noted. */
export function readLaunch(
  entry: JsonObject,
  transport: Transport,
  mistakes: Mistakes,
  secret?: SecretVariable,
): Launch {
  return transport === 'http' ? readHttp(entry, mistakes, secret) : readStdio(entry, mistakes);
}

function readStdio(entry: JsonObject, mistakes: Mistakes): StdioLaunch {
  const { command, args, cwd, env, envFile } = entry;
  if (command === undefined) {
    mistakes.addAt('command', 'must name the program to start (or "url" the server to call).');
  }
  const program = 'must name the program to start.';
  return {
    type: 'stdio',
    command: readText(command, 'command', program, mistakes) ?? '',
    // With something for each of them, so that other mistakes are told with the right number.
    args: readTexts(args, 'args', mistakes, ['']) ?? [],
    cwd: readText(cwd, 'cwd', 'must be the path of a folder.', mistakes),
    env: readNamedTexts(env, variables, mistakes),
    envFile: readText(envFile, 'envFile', 'must be the path of a file.', mistakes),
  };
}

function readHttp(entry: JsonObject, mistakes: Mistakes, secret?: SecretVariable): HttpLaunch {
  const url = typeof entry.url === 'string' ? entry.url : '';
  const problem = urlProblem(withSamples(url), secret);
  if (problem) {
    mistakes.addAt('url', problem);
  }
  return {
    type: 'http',
    ...(entry.type === 'sse' && { transport: 'sse' }),
    url,
    headers: readNamedTexts(entry.headers, headers, mistakes),
  };
}

/** The URL with something in the place of each variable that could stand there. */
function withSamples(url: string): string {
  // A digit can stand in a host, a port, a path and a query. Before those stands the scheme.
  const whole = url.replace(/^\$\{[^}]*\}(?=$|[/?#:])/, 'https://sample');
  return replaceVariables(whole, () => '1');
}

const routes: readonly RootsRoute[] = ['roots', 'args', 'env'];

/** The routes of roots to a server, and its launch, with the roots among its arguments if need be. */
interface Routed {
  readonly rootsAs: readonly RootsRoute[];
  readonly launch: Launch;
}

/**
 * Reads the key `rootsAs`. Where it is left out, roots travel as requests, and by every way that the
 * launch names them.
 */
export function readRoutes(value: unknown, launch: Launch, mistakes: Mistakes): Routed {
  const named = namedRoutes(launch);
  const chosen = value === undefined ? undefined : chosenRoutes(value, mistakes);
  if (!chosen) {
    return { rootsAs: ['roots', ...named], launch };
  }
  const rootsAs = routes.filter(route => chosen.includes(route));
  if (launch.type === 'http') {
    if (rootsAs.some(route => route !== 'roots')) {
      mistakes.addAt('rootsAs', 'must be "roots" for a server called over HTTP.');
    }
    return { rootsAs: ['roots'], launch };
  }
  for (const route of named.filter(route => !chosen.includes(route))) {
    mistakes.addAt('rootsAs', leavesOut[route]);
  }
  if (chosen.includes('env') && !named.includes('env')) {
    mistakes.addAt('rootsAs', namesNoVariable);
  }
  const isToAppend = chosen.includes('args') && !keysWithRoots(launch).has('args');
  return {
    rootsAs,
    launch: isToAppend ? { ...launch, args: [...launch.args, '${roots}'] } : launch,
  };
}

type RouteOfLaunch = Exclude<RootsRoute, 'roots'>;

const leavesOut: Readonly<Record<RouteOfLaunch, string>> = {
  args: 'must have "args", because "args" or "cwd" name roots.',
  env: 'must have "env", because "env" names roots.',
};

const namesNoVariable =
  'says "env", but no variable in "env" names roots. Write for example "env": { "ALLOWED_DIRS": "${rootsJoined::}" }.';

function namedRoutes(launch: Launch): RouteOfLaunch[] {
  const keys = keysWithRoots(launch);
  return [
    ...(keys.has('args') || keys.has('cwd') ? ['args' as const] : []),
    ...(keys.has('env') ? ['env' as const] : []),
  ];
}

function chosenRoutes(value: unknown, mistakes: Mistakes): readonly RootsRoute[] | undefined {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  const chosen = items.filter(isRoute);
  if (items.length > 0 && chosen.length === items.length) {
    return chosen;
  }
  mistakes.addAt('rootsAs', 'must be "roots", "args" or "env", or a list of some of them.');
  return undefined;
}

function isRoute(value: unknown): value is RootsRoute {
  return routes.some(route => route === value);
}
