import type { CallToolResult } from '@modelcontextprotocol/server';
import type { HubServer } from '../../domain/hubConfig/hubServer.ts';
import { cut, printable } from '../../domain/printable.ts';
import { lackWords } from '../../domain/sandbox/lacks.ts';
import type { RootsRoute } from '../../domain/servers/serverDefinition.ts';
import type { ServerConnection } from '../../mcp/link/connection.ts';
import { answer } from '../../server/tools/answers.ts';
import type { ConfigFile } from '../config/configFile.ts';
import type { Upstream } from '../upstreams/upstream.ts';

/**
 * `list-servers`: the state of each server, and the problems of the configuration.
 *
 * @param upstreams by server names. A server without an upstream was never started.
 * @param whyNoRoots in finished sentences. `undefined`: the session has roots.
 */
export function listServers(
  upstreams: ReadonlyMap<string, Upstream>,
  config: Pick<ConfigFile, 'current' | 'problems' | 'leftOut' | 'switchedOff'>,
  whyNoRoots: string | undefined,
): CallToolResult {
  const { current, leftOut, switchedOff } = config;
  const servers = current.servers.map(server => describe(server, upstreams.get(server.name)));
  const problems = [...config.problems, ...(whyNoRoots === undefined ? [] : [whyNoRoots])];
  const without = [
    ...named('Servers that the hub does not use, because of the mistakes below', leftOut),
    ...named('Servers that the configuration switches off', switchedOff),
  ];
  const none = servers.length + without.length === 0 ? [noServer] : [];
  const promised = servers.some(({ guard }) => guard === 'on') ? [promise] : [];
  const lines = [...none, ...servers.map(inWords), ...without, ...promised, ...problems];
  return answer({ servers, switchedOff, problems }, lines.join('\n'));
}

/** The text for a configuration without servers. */
export const noServer = 'The configuration of this hub names no servers.';

/** Says what the guard, the check of paths, does and what it cannot do. */
const promise =
  'If an argument for paths names a path outside the roots, the hub refuses the call. This check helps honest servers and models. Only the operating system can confine a server.';

function named(what: string, names: readonly string[]): readonly string[] {
  const shown = names.map(name => `"${printable(name)}"`).join(', ');
  return names.length > 0 ? [`${what}: ${shown}.`] : [];
}

type State = Upstream['state']['kind'] | 'restarting';

/** The facts about a server, for programs. `undefined` values are unknown or absent. */
function describe(server: HubServer, upstream: Upstream | undefined) {
  const { state } = upstream ?? { state: neverStarted };
  const { last, lack } = upstream?.managed.record.missed ?? {};
  const kept = upstream?.sandbox;
  const kind: State = upstream?.plan.kind === 'waiting' ? 'restarting' : state.kind;
  // The server chooses both texts. Each gets one printable line.
  const { title, instructions } = inOneLine(upstream?.managed.link);
  return {
    name: server.name,
    title,
    state: kind,
    protocolVersion: state.kind === 'running' ? state.protocolVersion : undefined,
    rootsReachIt: rootsReach(server, state),
    guard: server.guard.check ?? 'on',
    sandbox: kept && {
      network: kept.hasNetwork,
      tooLarge: kept.tooLarge,
      missedPath: last?.path,
      lacks: lack,
    },
    tools: upstream?.offerings.shownTools?.length,
    problem: upstream && problemOf(upstream),
    instructions,
  };
}

type DescribedServer = ReturnType<typeof describe>;

const neverStarted: Upstream['state'] = { kind: 'stopped' };

function problemOf(upstream: Upstream): string | undefined {
  const remarks = [upstream.offerings.toolsRemark ?? [], upstream.ruleProblems].flat();
  const problems = upstream.problem === undefined ? remarks : [upstream.problem];
  const isDownload = upstream.state.kind === 'starting' && upstream.mayDownload;
  const download = isDownload ? ['The server may be downloading its program.'] : [];
  return [...download, ...problems, upstream.proxyProblem ?? []].flat().join(' ') || undefined;
}

function inWords(server: DescribedServer): string {
  const { name, title, state, rootsReachIt, guard, tools, problem } = server;
  const { instructions, sandbox } = server;
  const shown = `${printable(name)}${title === undefined ? '' : ` (${title})`}`;
  const count = tools === undefined ? '' : `, with ${counted(tools, 'tool')}`;
  return [
    `${shown}: ${states[state]}${count}.`,
    ...(problem === undefined ? [] : [problem]),
    `The server gets the shared folders ${rootsReachIt}.`,
    ...(guard === 'off' ? ['The hub does not check the paths in calls to this server.'] : []),
    // No sandbox confines a server that could not start.
    ...(sandbox && state !== 'failed' ? keptInWords(sandbox) : []),
    // Comes last, because the server's instructions could imitate lines after them.
    ...(instructions === undefined ? [] : [`Instructions of the server: ${instructions}`]),
  ].join(' ');
}

function keptInWords({
  network,
  tooLarge,
  missedPath,
  lacks,
}: NonNullable<DescribedServer['sandbox']>): string[] {
  const asked =
    missedPath && `The server asked for ${printable(missedPath)}, which its sandbox hides.`;
  return [
    `The system keeps the server in its folders, ${network ? 'with' : 'without'} access to the network.`,
    ...(tooLarge ? [onlyRead(tooLarge)] : []),
    ...(lacks ? [lackWords[lacks] + whatHelps] : []),
    ...(asked ? [asked] : []),
  ];
}

const onlyRead = (folders: readonly string[]) =>
  `The server can only read ${folders.map(printable).join(', ')}, because the hub could not protect all files there that other programs run (.git, .vscode). To let the server change files, share a smaller folder.`;
const whatHelps =
  '. For a browser or a unix socket, see "Kept in its folders by the system" in the help.';

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

const states: Readonly<Record<State, string>> = {
  running: 'running',
  starting: 'starting',
  restarting: 'restarting',
  stopping: 'stopping',
  stopped: 'not running until a call starts it',
  failed: 'failed',
};

function rootsReach(server: HubServer, state: Upstream['state']): string {
  const isModern = state.kind === 'running' && state.era === 'modern';
  const ways: Readonly<Record<RootsRoute, string>> = {
    roots: `when ${isModern ? 'a call' : 'it'} asks for them`,
    args: 'as arguments',
    env: 'in its environment',
  };
  return server.rootsAs.map(route => ways[route]).join(' and ');
}

/** The longest texts of a server, in characters. */
const longest = { title: 100, instructionsInOneLine: 300, instructions: 4000 };

/** A server's title and instructions, each in one printable line. Long instructions are cut. */
function inOneLine(said: SelfDescribed | undefined) {
  return {
    title: line(said?.serverInfo?.title, longest.title),
    instructions: line(said?.instructions, longest.instructionsInOneLine),
  };
}

/** A server's title, and its instructions with all their lines. Both are cut at a generous length. */
export function atLength(said: SelfDescribed | undefined) {
  const instructions = cut((said?.instructions ?? '').trim(), longest.instructions)
    .split(/\r\n|\r|\n/)
    .map(one => printable(one.replace(/\s/g, ' ').trimEnd()))
    .join('\n');
  return { ...inOneLine(said), instructions: instructions || undefined };
}

type SelfDescribed = Pick<ServerConnection, 'serverInfo' | 'instructions'>;

function line(text = '', most: number): string | undefined {
  return printable(cut(text.trim(), most).replace(/\s+/g, ' ')) || undefined;
}
