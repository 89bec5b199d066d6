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

/** The servers that a settings value defines, and the problems of those left out. */
export interface ReadServers {
  readonly servers: readonly ServerDefinition[];
  /** The ids of the servers that are not to start by themselves, left out by a mistake or not. */
  readonly byHand: ReadonlySet<string>;
  /** Words on sandboxes by the ids of the servers, those with a mistake included. */
  readonly sandboxes: ReadonlyMap<string, SandboxWords>;
  /** Each with its place in the value: the name of the server first. */
  readonly problems: readonly Mistake[];
}

export interface JoinedServers extends Pick<ReadServers, 'servers'> {
  /** The servers that a mistake costs. */
  readonly leftOut: readonly LeftOutServer[];
  /** The servers of the workspace that cannot stand beside those of the user. */
  readonly clashes: readonly Mistake[];
}

export interface LeftOutServer {
  readonly name: string;
  readonly from: 'user' | 'workspace';
  /** At least one; each with its place below the name. */
  readonly mistakes: readonly Mistake[];
}

/**
 * Reads the value of the setting `mcpRoots.servers`: an object from server name to definition, in
 * the form of the editor's `mcp.json`, with the folders of this window and the user's home put in.
 *
 * A mistake costs the server it is in, never the others, and all mistakes of a server are told.
 */
export function readServerSettings(value: unknown, around: Surroundings): ReadServers {
  if (!isJsonObject(value)) {
    const text = sentence('The setting mcpRoots.servers must be an object of servers by name.');
    const problems = [plainMistake([], text)];
    return { servers: [], byHand: new Set(), sandboxes: new Map(), problems };
  }
  const host = { around, keys: Object.keys(definitionKeys.both), checkPath: checkFolderVariables };
  const servers: ServerDefinition[] = [];
  const problems: Mistake[] = [];
  const byHand = new Set<string>();
  const sandboxes = new Map<string, SandboxWords>();
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
    if (read && mistakes.all.length === 0) {
      const { launch, autoStart = defaultTerms.autoStart, roots: offers, ...terms } = read;
      const sandbox = sandboxTerms(terms.sandbox);
      const definition = { ...terms, offers, autoStart, sandbox };
      servers.push(userServer(name, withAbsoluteEnvFile(launch, around), definition));
    }
    problems.push(...placedIn([name], mistakes.all));
  }
  return { servers, byHand, sandboxes, problems };
}

/**
 * The servers of user and workspace. Of two of one name, that of the workspace stands, whole; but it
 * does not start by itself when that of the user must not, and it can only tighten a sandbox of the
 * user's. One called over HTTP runs elsewhere: it takes no place of a server that has a sandbox.
 *
 * @param namedByMachine those of which a remote machine's settings say something, all of it or a variable.
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
        from: 'workspace' as const,
      })),
    ],
    clashes: joined.flatMap(({ name, mistakes }) => placedIn([name], mistakes.all)),
  };
}

/** The servers with these mistakes, in their order. */
function leftOut(
  from: LeftOutServer['from'],
  problems: ReadServers['problems'],
): readonly LeftOutServer[] {
  // A mistake of the whole setting is no server's.
  const named = problems.filter(({ path }) => path.length > 0);
  return [...new Set(named.map(({ path: [name] }) => String(name)))].map(name => ({
    name,
    from,
    mistakes: named.flatMap(({ path: [key, ...path], ...said }) =>
      key === name ? [{ ...said, path }] : [],
    ),
  }));
}

/** A server of the workspace in the sandbox of the user's server of that name, if that has one. */
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
    mistakes.addAt('url', 'cannot be said by the workspace: your user settings have a "sandbox".');
    return { name, server: undefined, mistakes };
  }
  const words = sandboxes.get(server.id);
  if (isLooser(words, terms)) {
    mistakes.addAt('sandbox', 'of the workspace is looser than in your user settings. Those hold.');
  }
  return { name, server: { ...server, sandbox: tightened(terms, words) }, mistakes };
}

/**
 * A relative path counts from the first folder of the window: what the file holds is agreed to before
 * there is a working directory, which follows from the folders that the server may see.
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
