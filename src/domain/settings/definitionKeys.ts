import { isAbsolute, resolve } from 'node:path';
import { runsContainers } from '../fetchingPrograms.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import { type SandboxWords, sandboxTerms } from '../sandbox/sandboxTerms.ts';
import {
  type HttpLaunch,
  keysWithRoots,
  type Launch,
  type LaunchText,
  launchTexts,
  type StdioLaunch,
} from '../servers/launch.ts';
import {
  bundledServerLabel,
  configurationRoutes,
  defaultTerms,
  protocols,
  type RootsRoute,
  type RouteOfLaunch,
  rootsRoutes,
  type ServerTerms,
} from '../servers/serverDefinition.ts';
import { urlProblem } from '../servers/serverUrl.ts';
import { replaceVariables, variablesIn } from '../variables.ts';
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

/** The valid names of environment variables and headers. */
export const nameForms = { env: /^[^=\0]+$/, headers: /^[\w!#$%&'*+.^`|~-]+$/ };

type Keys<Values> = { readonly [K in keyof Values]: Key<Values[K], [DefinitionHost]> };

const named: Form = {
  type: 'object',
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
};

const stdio: Keys<Omit<StdioLaunch, 'type'>> = {
  command: { form: text, read: readCommand },
  args: {
    form: texts,
    // An item with a mistake becomes an empty text, so that later mistakes have the right index.
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

const http: Keys<Required<Omit<HttpLaunch, 'type' | 'transport'>>> = {
  url: { form: text, read: readUrl },
  headers: {
    form: named,
    read: (value, mistakes) => {
      const advice = 'must be the name of a header: letters, digits and hyphens.';
      return readNamedTexts(value, mistakes, nameForms.headers, advice);
    },
  },
  oauth: {
    form: {
      type: 'object',
      properties: {
        clientId: { form: text },
        callbackPort: { form: { type: ['number', 'string'] } },
      },
    },
    read: (value, mistakes) =>
      readNamedTexts(value, mistakes, /^(?:clientId|callbackPort)$/, 'is not a known key.'),
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
  keepAlive: { form: { type: 'boolean', default: false }, read: readSwitch },
  tools: { form: texts, read: readTools },
  // `offers` is missing, because its key is `roots`.
} satisfies Keys<Record<'type' | 'roots' | Exclude<keyof ServerTerms, 'offers'>, unknown>>;

/**
 * The keys of a definition: for a process, for a server reached over HTTP, and for both. `npm run
 * schemas` turns them into JSON schemas, with the texts of package.nls.json.
 */
export const definitionKeys = { stdio, http, both };

/** The keys that a server in the settings may have. */
export function serverKeys(): readonly string[] {
  return Object.values(definitionKeys).flatMap(keys => Object.keys(keys));
}

/** The definition with this name; `undefined` if it is not an object. Notes impossible names. */
export function readEntry(
  name: string,
  value: unknown,
  mistakes: Mistakes,
): JsonObject | undefined {
  if (name.trim() === '') {
    mistakes.add('The name of the server must not be empty.');
  } else if (name === '__proto__') {
    // An object's `__proto__` is not a normal key: a copy could change the object itself.
    mistakes.add('A server cannot have this name.');
  } else if (isNameOf(bundledServerLabel, name)) {
    // In a question, this name would look like our own server.
    mistakes.add('The server that comes with the extension has this name. Choose another name.');
  }
  if (isJsonObject(value)) {
    return value;
  }
  mistakes.add('The server must be an object with a "command" or a "url".');
  return undefined;
}

/** True if two names differ only in letter case or white space. */
function isNameOf(label: string, name: string): boolean {
  const [one, other] = [label, name].map(text => text.replace(/\s+/g, '').toLowerCase());
  return one === other;
}

/** Reads a definition, as far as possible. Use the result only if no mistake was noted. */
export function readDefinition(entry: JsonObject, host: DefinitionHost, mistakes: Mistakes) {
  const { type, rootsAs, ...terms } = readKeys(entry, both, mistakes, host);
  const [meant] = Object.keys(entry).flatMap(key => meantBy(key, entry) ?? []);
  // If a key is misspelled, only the spelling is reported, not also a missing key.
  const whole = meant === undefined ? entry : { ...entry, [meant]: 'https://sample' };
  const { url, command } = whole;
  const isCalled = type ? type !== 'stdio' : url !== undefined && command === undefined;
  checkKeys(entry, isCalled, host, mistakes);
  const written: Launch = isCalled
    ? { ...(type === 'sse' && { transport: type }), ...readCalled(whole, host, mistakes) }
    : { type: 'stdio', ...readKeys(whole, stdio, mistakes, host) };
  checkCharacters(launchTexts(written), mistakes);
  checkVariables(written, mistakes, host.variableProblem);
  const routed = withRoutes(written, rootsAs, mistakes);
  const isSandboxed = written.type === 'stdio' && sandboxTerms(terms.sandbox) !== undefined;
  if (isSandboxed && runsContainers(written.command)) {
    mistakes.addAt('sandbox', ofContainers);
  }
  return { ...terms, ...routed, launch: withFolders(routed.launch, host.around, mistakes) };
}

function readCalled(entry: JsonObject, host: DefinitionHost, mistakes: Mistakes): HttpLaunch {
  const { oauth, ...called } = readKeys(entry, http, mistakes, host);
  return { type: 'http', ...called, ...(Object.keys(oauth).length > 0 && { oauth }) };
}

/** Returns `command` or `url`, if that key is missing and `key` is a misspelling of it. */
export function meantBy(key: string, { command, url }: JsonObject): string | undefined {
  const meant = nearestTo(key, serverKeys());
  const isNeeded = command === undefined && url === undefined;
  return isNeeded && (meant === 'command' || meant === 'url') ? meant : undefined;
}

/** Notes keys that this host's servers never have, and keys of the other transport. */
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
      mistakes.addAt(key, ofCalledServer);
    } else if (!known.includes(key)) {
      noteUnknown(key, known, mistakes);
    }
  }
}

const ofCalled =
  'belongs to a server reached over HTTP. Leave out this key, or "command" and its keys.';
const ofProcess =
  'belongs to a server started as a process. Leave out this key, or "url" and "headers".';

function readCommand(value: unknown, mistakes: Mistakes): string {
  if (value === undefined) {
    mistakes.addAt([], 'must name the program to start. For a URL, write "url" instead.');
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

/** The URL with a sample for each variable. */
function withSamples(url: string): string {
  // A variable at the start may hold scheme and host. Elsewhere, a digit is valid.
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

/** Reads the key `tools`. A value with a mistake leaves out every tool. */
function readTools(value: unknown, mistakes: Mistakes): readonly (readonly string[])[] {
  const patterns = readTexts(value, mistakes, ['!*']) ?? (value === undefined ? undefined : ['!*']);
  if (patterns?.length === 0 || patterns?.some(one => /^!?$|\$\{/.test(one))) {
    mistakes.addAt([], 'must name tools, such as "get_*" or "!delete_*", without variables.');
  }
  return patterns ? [patterns] : [];
}

function readRoutes(value: unknown, mistakes: Mistakes): readonly RootsRoute[] | undefined {
  if (value === undefined) {
    return undefined;
  }
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (items.length === 0 || !items.every(isRoute)) {
    const named = rootsRoutes.map(route => `"${route}"`).join(', ');
    mistakes.addAt([], 'must be {0}, or a list of some of them.', named);
    return undefined;
  }
  return rootsRoutes.filter(route => items.includes(route));
}

function isRoute(value: unknown): value is RootsRoute {
  return rootsRoutes.some(route => route === value);
}

/**
 * The launch and the chosen routes. By default, a server gets its roots when it asks, and wherever
 * the launch names them. If `rootsAs` demands it, the roots are added to the launch's arguments.
 */
function withRoutes(
  launch: Launch,
  rootsAs: readonly RootsRoute[] | undefined,
  mistakes: Mistakes,
): { readonly rootsAs: readonly RootsRoute[]; readonly launch: Launch } {
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
    const keys = launchRoutes[route].map(key => `"${key}"`).join(' or ');
    mistakes.addAt(
      'rootsAs',
      'must have "{0}", because the definition names roots in {1}.',
      route,
      keys,
    );
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

/** The keys of a launch that name roots, by the route that the roots then take. */
const launchRoutes: Readonly<Record<RouteOfLaunch, readonly LaunchText['key'][]>> = {
  args: ['args', 'cwd'],
  env: ['env'],
};

const namesNoVariable =
  'includes "env", but no variable under the key "env" names roots. Write for example "env": { "ALLOWED_DIRS": "${rootsJoined::}" }.';

function namedRoutes(launch: Launch): RouteOfLaunch[] {
  const named = keysWithRoots(launch);
  return configurationRoutes(rootsRoutes).filter(route =>
    launchRoutes[route].some(key => named.has(key)),
  );
}

/** Reads the key `sandbox`. A value of a wrong form means a sandbox that opens nothing. */
function readSandbox(
  value: unknown,
  mistakes: Mistakes,
  host: DefinitionHost,
): SandboxWords | undefined {
  if (value === undefined || value === 'off') {
    return value;
  }
  if (!isJsonObject(value) && value !== 'on') {
    mistakes.addAt([], sandboxForm);
    return { read: [], write: [], network: false };
  }
  const words = value === 'on' ? {} : value;
  checkKnown(words, Object.keys(sandboxKeys), mistakes);
  return readKeys(words, sandboxKeys, mistakes, host);
}

const sandboxForm =
  'must be "off", "on" or { "read": ["/path"], "write": ["/path"], "network": true }.';

function readOpening(value: unknown, mistakes: Mistakes): boolean | undefined {
  return value === undefined ? undefined : (readSwitch(value, mistakes) ?? false);
}

/** The paths, each once and sorted. Paths in folders that this window lacks are left out. */
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
      mistakes.addAt([index], 'must be an absolute path, or a path that begins with "~/".');
      return [];
    }
    return [resolve(path)];
  });
  return [...new Set(paths)].sort();
}

const ofCalledServer = 'is only for a server started as a process. Leave out this key.';
const ofContainers =
  'is not possible, because a program that runs containers needs a socket that no sandbox shows. Leave out this key.';
