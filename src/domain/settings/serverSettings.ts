import { isAbsolute, join } from 'node:path';
import { isJsonObject } from '../json.ts';
import {
  isLooser,
  type SandboxTerms,
  type SandboxWords,
  sandboxTerms,
  tightened,
} from '../sandbox/sandboxTerms.ts';
import { sentence } from '../sentence.ts';
import type { Launch } from '../servers/launch.ts';
import {
  defaultTerms,
  type ServerDefinition,
  userServer,
  userServerId,
  userServerName,
} from '../servers/serverDefinition.ts';
import { definitionKeys, readDefinition, readEntry } from './definitionKeys.ts';
import { checkFolderVariables, type Surroundings } from './definitionVariables.ts';
import { type Mistake, Mistakes, placedIn, plainMistake } from './mistakes.ts';

/** The servers that a settings value defines, and the problems of servers with mistakes. */
export interface ReadServers {
  readonly servers: readonly ServerDefinition[];
  /** The ids of all servers that must not start automatically, even of servers with mistakes. */
  readonly byHand: ReadonlySet<string>;
  /** The sandbox settings by server id, even of servers with mistakes. */
  readonly sandboxes: ReadonlyMap<string, SandboxWords>;
  /** The key `tools` by server id, even of servers with mistakes. */
  readonly tools: ReadonlyMap<string, ServerDefinition['tools']>;
  /** The problems. The path of each begins with the server's name. */
  readonly problems: readonly Mistake[];
}

export interface JoinedServers extends Pick<ReadServers, 'servers'> {
  /** The servers that are missing because they have mistakes. */
  readonly leftOut: readonly LeftOutServer[];
  /** The conflicts between the workspace's servers and the user's servers. */
  readonly clashes: readonly Mistake[];
}

export interface LeftOutServer {
  readonly name: string;
  readonly from: 'user' | 'workspace';
  /** At least one mistake. Paths are relative to the server. */
  readonly mistakes: readonly Mistake[];
}

/**
 * Reads the setting `mcpRoots.servers`: an object from server name to definition, in the form of
 * the editor's `mcp.json`. This window's folders and the user's home are filled in.
 *
 * A mistake leaves out only its own server. All mistakes of a server are reported.
 */
export function readServerSettings(value: unknown, around: Surroundings): ReadServers {
  if (!isJsonObject(value)) {
    const text = sentence('The setting mcpRoots.servers must be an object of servers by name.');
    const problems = [plainMistake([], text)];
    return { servers: [], byHand: new Set(), sandboxes: new Map(), tools: new Map(), problems };
  }
  const host = { around, keys: Object.keys(definitionKeys.both), checkPath: checkFolderVariables };
  const servers: ServerDefinition[] = [];
  const problems: Mistake[] = [];
  const byHand = new Set<string>();
  const sandboxes = new Map<string, SandboxWords>();
  const tools = new Map<string, ServerDefinition['tools']>();
  for (const [name, written] of Object.entries(value)) {
    const mistakes = new Mistakes('Server "{0}" in mcpRoots.servers', name);
    const entry = readEntry(name, written, mistakes);
    const read = entry && readDefinition(entry, host, mistakes);
    if (read?.autoStart === false) {
      byHand.add(userServerId(name));
    }
    if (read?.sandbox) {
      sandboxes.set(userServerId(name), read.sandbox);
    }
    tools.set(userServerId(name), read?.tools ?? []);
    if (read && mistakes.all.length === 0) {
      const { launch, roots: offers, ...terms } = read;
      const { autoStart = defaultTerms.autoStart, keepAlive = defaultTerms.keepAlive } = terms;
      const sandbox = sandboxTerms(terms.sandbox);
      const definition = { ...terms, offers, autoStart, keepAlive, sandbox };
      servers.push(userServer(name, withAbsoluteEnvFile(launch, around), definition));
    }
    problems.push(...placedIn([name], mistakes.all));
  }
  return { servers, byHand, sandboxes, tools, problems };
}

/**
 * Joins the servers of user and workspace. If both define a name, the workspace's definition
 * counts. If the user's server must not start automatically, nor must the workspace's. The
 * workspace can only tighten a sandbox, and can't replace a confined server by a server that is
 * called over HTTP. The `tools` of both must leave a tool in.
 *
 * @param namedByMachine the servers that a remote machine's settings define, fully or in part.
 */
export function joinServers(
  user: ReadServers,
  workspace: ReadServers,
  namedByMachine: readonly string[] = [],
): JoinedServers {
  const ofMachine = ({ id }: ServerDefinition) =>
    namedByMachine.includes(userServerName(id) ?? '') && { isOfMachine: true };
  const joined = workspace.servers.map(server =>
    withinSandbox(server, sandboxTerms(user.sandboxes.get(server.id)), workspace.sandboxes),
  );
  const ofWorkspace = joined.flatMap(({ server }) => server ?? []);
  const own = new Set(ofWorkspace.map(({ id }) => id));
  const byHand = new Set([...user.byHand, ...workspace.byHand]);
  const clashing = joined.filter(({ server }) => !server);
  return {
    leftOut: [
      ...leftOut('user', user.problems),
      ...leftOut('workspace', workspace.problems),
      ...clashing.map(
        ({ name, mistakes }) => ({ name, from: 'workspace', mistakes: mistakes.all }) as const,
      ),
    ],
    servers: [
      ...user.servers
        .filter(({ id }) => !own.has(id))
        .map(server => ({ ...server, from: 'user' as const, ...ofMachine(server) })),
      ...ofWorkspace.map(server => ({
        ...server,
        autoStart: server.autoStart && !byHand.has(server.id),
        tools: [...(user.tools.get(server.id) ?? []), ...server.tools],
        from: 'workspace' as const,
      })),
    ],
    clashes: joined.flatMap(({ name, mistakes }) => placedIn([name], mistakes.all)),
  };
}

/** The servers with these problems, in order, each with its own mistakes. */
function leftOut(
  from: LeftOutServer['from'],
  problems: ReadServers['problems'],
): readonly LeftOutServer[] {
  // A mistake in the setting as a whole belongs to no server.
  const named = problems.filter(({ path }) => path.length > 0);
  return [...new Set(named.map(({ path: [name] }) => String(name)))].map(name => ({
    name,
    from,
    mistakes: named.flatMap(({ path: [key, ...path], ...said }) =>
      key === name ? [{ ...said, path }] : [],
    ),
  }));
}

/** Puts a workspace's server into the sandbox, if any, of the user's server of this name. */
function withinSandbox(
  server: ServerDefinition,
  terms: SandboxTerms | undefined,
  sandboxes: ReadServers['sandboxes'],
) {
  const name = userServerName(server.id) ?? server.label;
  const mistakes = new Mistakes('Server "{0}" in mcpRoots.servers', name);
  if (!terms) {
    return { name, server, mistakes };
  }
  if (server.launch.type === 'http') {
    mistakes.addAt('url', calledElsewhere);
    return { name, server: undefined, mistakes };
  }
  const words = sandboxes.get(server.id);
  if (isLooser(words, terms)) {
    mistakes.addAt('sandbox', looser);
  }
  return { name, server: { ...server, sandbox: tightened(terms, words) }, mistakes };
}

const calledElsewhere =
  'is refused, because your user settings demand a "sandbox". A server at a URL can have no sandbox.';
const looser = 'in the workspace allows more than in your user settings. Your user settings count.';

/**
 * Makes a relative path to an environment file start at the window's first folder. The working
 * directory depends on answers that the user gives after agreeing to the file's contents.
 */
function withAbsoluteEnvFile(launch: Launch, { folders }: Surroundings): Launch {
  const [first] = folders;
  if (launch.type === 'http' || launch.envFile === undefined || !first) {
    return launch;
  }
  const { envFile } = launch;
  const isPlaced = isAbsolute(envFile) || envFile.startsWith('${');
  return isPlaced ? launch : { ...launch, envFile: join(first.path, envFile) };
}
