import { isAbsolute, resolve } from 'node:path';
import { isJsonObject, type JsonObject } from '../json.ts';
import { type SandboxWords, sandboxTerms } from '../sandbox/sandboxTerms.ts';
import { runsContainers } from '../servers/fetchingPrograms.ts';
import {
  type HttpLaunch,
  keysWithRoots,
  type Launch,
  launchTexts,
  type StdioLaunch,
} from '../servers/launch.ts';
import {
  bundledServerLabel,
  defaultTerms,
  protocols,
  type RootsRoute,
  rootsRoutes,
  type ServerTerms,
} from '../servers/serverDefinition.ts';
import { urlProblem } from '../servers/serverUrl.ts';
import {
  checkVariables,
  type DefinitionHost,
  readPath,
  withFolders,
} from './definitionVariables.ts';
import {
  checkCharacters,
  checkKnown,
  type Form,
  type Key,
  type Mistakes,
  nearestTo,
  noteUnknown,
  readChoice,
  readKeys,
  readNamedTexts,
  readSwitch,
  readText,
  readTexts,
  text,
  texts,
} from './mistakes.ts';
import { replaceVariables, variablesIn } from './variables.ts';

/** The forms of the names that a process and a request can be given. */
export const nameForms = { env: /^[^=\0]+$/, headers: /^[\w!#$%&'*+.^`|~-]+$/ };

type Keys<Values> = { readonly [K in keyof Values]: Key<Values[K], [DefinitionHost]> };

const named: Form = {
  type: 'object',
  additionalProperties: { type: ['string', 'number', 'null'] },
};

const stdio: Keys<Omit<StdioLaunch, 'type'>> = {
  command: { form: text, read: readCommand },
  args: {
    form: texts,
    // With something for each of them, so that other mistakes are told with the right number.
    read: (value, mistakes) => readTexts(value, mistakes, ['']) ?? [],
  },
  cwd: {
    form: text,
    read: (value, mistakes) => readText(value, mistakes, 'must be the path of a folder.'),
  },
  env: {
    form: named,
    read: (value, mistakes) =>
      readNamedTexts(
        value,
        mistakes,
        nameForms.env,
        'must be the name of a variable, without "=".',
      ),
  },
  envFile: {
    form: text,
    read: (value, mistakes) => readText(value, mistakes, 'must be the path of a file.'),
  },
};

const http: Keys<Omit<HttpLaunch, 'type' | 'transport'>> = {
  url: { form: text, read: readUrl },
  headers: {
    form: named,
    read: (value, mistakes) => {
      const advice = 'must be the name of a header: letters, digits and hyphens.';
      return readNamedTexts(value, mistakes, nameForms.headers, advice);
    },
  },
};

const sandboxKeys = {
  read: { form: texts, read: readPaths },
  write: { form: texts, read: readPaths },
  network: { form: { type: 'boolean', default: true }, read: readOpening },
  unixSockets: { form: { type: 'boolean', default: false }, read: readOpening },
};

const types = ['stdio', 'http', 'sse'] as const;

const both = {
  sandbox: {
    form: {
      anyOf: [{ enum: ['off', 'on'] }, { type: 'object', properties: sandboxKeys }],
      default: 'off',
    },
    read: readSandbox,
  },
  type: {
    form: { enum: types, default: 'stdio' },
    read: (value, mistakes) => readChoice(value, mistakes, types),
  },
  roots: { form: texts, read: readOffers },
  rootsAs: {
    form: {
      anyOf: [{ enum: rootsRoutes }, { type: 'array', items: { enum: rootsRoutes } }],
      default: 'roots',
    },
    read: readRoutes,
  },
  protocol: {
    form: { enum: protocols, default: 'auto' },
    read: (value, mistakes) => readChoice(value, mistakes, protocols) ?? defaultTerms.protocol,
  },
  autoStart: { form: { type: 'boolean', default: true }, read: readSwitch },
  // `roots` are the folders that are offered.
} satisfies Keys<Record<'type' | 'roots' | Exclude<keyof ServerTerms, 'offers'>, unknown>>;

/**
 * The keys of a definition: those of a process, those of a server reached over HTTP, and those of
 * both. `npm run schemas` makes the JSON schemas of them, with the texts of package.nls.json.
 */
export const definitionKeys = { stdio, http, both };

/** The keys that a definition in the settings may have. */
export function serverKeys(): readonly string[] {
  return Object.values(definitionKeys).flatMap(keys => Object.keys(keys));
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
  } else if (isNameOf(bundledServerLabel, name)) {
    // A question about it would read as one about ours.
    mistakes.add('The server that comes with the extension has this name. Choose another one.');
  }
  if (isJsonObject(value)) {
    return value;
  }
  mistakes.add('It must be an object with a "command" or a "url".');
  return undefined;
}

/** True if two names are hard to tell apart: by letter case or white space alone. */
function isNameOf(label: string, name: string): boolean {
  const [one, other] = [label, name].map(text => text.replace(/\s+/g, '').toLowerCase());
  return one === other;
}

/** The definition, as far as it can be read. To be used only when no mistake was noted. */
export function readDefinition(entry: JsonObject, host: DefinitionHost, mistakes: Mistakes) {
  const { type, rootsAs, ...terms } = readKeys(entry, both, mistakes, host);
  const [meant] = Object.keys(entry).flatMap(key => meantBy(key, entry) ?? []);
  // What is misspelt is not missing, too: one mistake is told once.
  const whole = meant === undefined ? entry : { ...entry, [meant]: 'https://sample' };
  const { url, command } = whole;
  const isCalled = type ? type !== 'stdio' : url !== undefined && command === undefined;
  checkKeys(entry, isCalled, host, mistakes);
  const written: Launch = isCalled
    ? {
        type: 'http',
        ...(type === 'sse' && { transport: type }),
        ...readKeys(whole, http, mistakes, host),
      }
    : { type: 'stdio', ...readKeys(whole, stdio, mistakes, host) };
  checkCharacters(launchTexts(written), mistakes);
  checkVariables(written, mistakes, host.variableProblem);
  const routed = withRoutes(written, rootsAs, mistakes);
  checkSandboxed(written, terms.sandbox, mistakes);
  return { ...terms, ...routed, launch: withFolders(routed.launch, host.around, mistakes) };
}

/** The missing key, that of the program or the URL, for which a misspelt one stands; `undefined`: none. */
export function meantBy(key: string, { command, url }: JsonObject): string | undefined {
  const meant = nearestTo(key, serverKeys());
  const isNeeded = command === undefined && url === undefined;
  return isNeeded && (meant === 'command' || meant === 'url') ? meant : undefined;
}

/** Notes keys that no server of the host has, and those of the other transport. */
function checkKeys(
  entry: JsonObject,
  isCalled: boolean,
  { keys }: DefinitionHost,
  mistakes: Mistakes,
): void {
  const [own, foreign] = isCalled ? [http, stdio] : [stdio, http];
  const common = keys.filter(key => !(isCalled && key === 'sandbox'));
  const known = [...Object.keys(own), ...common];
  for (const key of Object.keys(entry)) {
    if (Object.hasOwn(foreign, key)) {
      mistakes.addAt(key, isCalled ? ofProcess : ofCalled);
    } else if (isCalled && key === 'sandbox') {
      mistakes.addAt(key, 'cannot be kept: a server with a "url" runs elsewhere. Leave it out.');
    } else if (!known.includes(key)) {
      noteUnknown(key, known, mistakes);
    }
  }
}

const ofCalled =
  'belongs to a server reached over HTTP. Leave out this, or "command" with its keys.';
const ofProcess =
  'belongs to a server started as a process. Leave out this, or "url" and "headers".';

function readCommand(value: unknown, mistakes: Mistakes): string {
  if (value === undefined) {
    mistakes.addAt([], 'must name the program to start (or "url" the server to call).');
  }
  return readText(value, mistakes, 'must name the program to start.') ?? '';
}

function readUrl(value: unknown, mistakes: Mistakes, { secret }: DefinitionHost): string {
  const url = typeof value === 'string' ? value : '';
  const problem = urlProblem(withSamples(url), secret);
  if (problem) {
    mistakes.addAt([], problem);
  }
  return url;
}

/** The URL with something in the place of each variable that could stand there. */
function withSamples(url: string): string {
  // A digit can stand in a host, a port, a path and a query. Before those stands the scheme.
  const whole = url.replace(/^\$\{[^}]*\}(?=$|[/?#:])/, 'https://sample');
  return replaceVariables(whole, () => '1');
}

function readOffers(value: unknown, mistakes: Mistakes, host: DefinitionHost) {
  return readTexts(value, mistakes)?.map((text, index) => {
    if (text.trim() === '') {
      mistakes.addAt([index], 'must be the name or the path of a folder.');
    }
    return readPath(text, [index], mistakes, host);
  });
}

function readRoutes(value: unknown, mistakes: Mistakes): readonly RootsRoute[] | undefined {
  if (value === undefined) {
    return undefined;
  }
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (items.length === 0 || !items.every(isRoute)) {
    mistakes.addAt([], 'must be "roots", "args" or "env", or a list of some of them.');
    return undefined;
  }
  return rootsRoutes.filter(route => items.includes(route));
}

function isRoute(value: unknown): value is RootsRoute {
  return rootsRoutes.some(route => route === value);
}

/** The routes of roots to a server, and its launch, with the roots among its arguments if need be. */
interface Routed {
  readonly rootsAs: readonly RootsRoute[];
  readonly launch: Launch;
}

/**
 * The routes that were chosen. Where none were, roots travel as requests, and by every way that the
 * launch names them.
 */
function withRoutes(
  launch: Launch,
  rootsAs: readonly RootsRoute[] | undefined,
  mistakes: Mistakes,
): Routed {
  const named = namedRoutes(launch);
  if (!rootsAs) {
    return { rootsAs: ['roots', ...named], launch };
  }
  if (launch.type === 'http') {
    if (rootsAs.some(route => route !== 'roots')) {
      mistakes.addAt('rootsAs', 'must be "roots" for a server called over HTTP.');
    }
    return { rootsAs: ['roots'], launch };
  }
  for (const route of named.filter(route => !rootsAs.includes(route))) {
    mistakes.addAt('rootsAs', leavesOut[route]);
  }
  if (rootsAs.includes('env') && !named.includes('env')) {
    mistakes.addAt('rootsAs', namesNoVariable);
  }
  const isToAppend = rootsAs.includes('args') && !keysWithRoots(launch).has('args');
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

/** Reads the value of the key `sandbox`. What is not understood opens nothing: it is for a sandbox. */
function readSandbox(
  value: unknown,
  mistakes: Mistakes,
  host: DefinitionHost,
): SandboxWords | undefined {
  if (value === undefined || value === 'off') {
    return value;
  }
  if (!isJsonObject(value) && value !== 'on') {
    const form = '"off", "on" or { "read": ["/path"], "write": ["/path"], "network": true }';
    mistakes.addAt([], 'must be {0}.', form);
    return { read: [], write: [], network: false };
  }
  const words = value === 'on' ? {} : value;
  checkKnown(words, Object.keys(sandboxKeys), mistakes);
  return readKeys(words, sandboxKeys, mistakes, host);
}

function readOpening(value: unknown, mistakes: Mistakes): boolean | undefined {
  return value === undefined ? undefined : (readSwitch(value, mistakes) ?? false);
}

/** The paths, each once and in order. One in a folder that this window has not is left out. */
function readPaths(value: unknown, mistakes: Mistakes, host: DefinitionHost) {
  if (value === undefined) {
    return undefined;
  }
  const paths = readTexts(value, mistakes, [''])?.flatMap((text, index) => {
    const written = text.replace(/^~(?=$|\/)/, '${userHome}');
    const path = readPath(written, [index], mistakes, host);
    if (variablesIn(path).length > 0) {
      return [];
    }
    if (!isAbsolute(path)) {
      mistakes.addAt([index], 'must be an absolute path; it may begin with "~/".');
      return [];
    }
    return [resolve(path)];
  });
  return [...new Set(paths)].sort();
}

/** Notes a sandbox that would keep from a program all that it works with. */
function checkSandboxed(
  launch: Launch,
  sandbox: SandboxWords | undefined,
  mistakes: Mistakes,
): void {
  if (sandboxTerms(sandbox) && launch.type === 'stdio' && runsContainers(launch.command)) {
    mistakes.addAt('sandbox', ofContainers);
  }
}

const ofContainers =
  'cannot be kept: a program that runs containers works over a socket that no sandbox shows. Leave it out.';
