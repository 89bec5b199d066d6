import type { CallToolResult } from '@modelcontextprotocol/server';
import type { HubServer } from '../../domain/hubConfig/hubServer.ts';
import { cut, printable } from '../../domain/printable.ts';
import { mayDownload } from '../../domain/servers/launch.ts';
import type { RootsRoute } from '../../domain/servers/serverDefinition.ts';
import type { ServerConnection } from '../../mcp/connection.ts';
import { answer } from '../../server/tools/answers.ts';
import type { ConfigFile } from '../config/configFile.ts';
import type { Upstream } from '../upstreams/upstream.ts';

/**
 * `list-servers`: where each server stands, and what is wrong with the configuration.
 *
 * @param upstreams by the names of their servers; a server that is not among them was never
 * started.
 * @param whyNoRoots in finished sentences; `undefined`: there are some.
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
    ...named('Left out until the mistakes below are corrected', leftOut),
    ...named('Switched off in the configuration', switchedOff),
  ];
  const none = servers.length + without.length === 0 ? [noServer] : [];
  const promised = servers.some(({ guard }) => guard === 'on') ? [promise] : [];
  const lines = [...none, ...servers.map(inWords), ...without, ...promised, ...problems];
  return answer({ servers, switchedOff, problems }, lines.join('\n'));
}

/** The answer for a configuration without servers. */
export const noServer = 'The configuration of this hub names no server.';

/** The reach and the limits of the guard. */
const promise =
  'A path that a call names as a path is inside the roots, or the call is refused. That is a ' +
  "courtesy to honest servers and models; the boundary is the operating system's.";

function named(what: string, names: readonly string[]): readonly string[] {
  const shown = names.map(name => `"${printable(name)}"`).join(', ');
  return names.length > 0 ? [`${what}: ${shown}.`] : [];
}

type State = Upstream['state']['kind'] | 'restarting';

/** A server for programs. What is `undefined` is not known, or there is none. */
function describe(server: HubServer, upstream: Upstream | undefined) {
  const { state } = upstream ?? { state: neverStarted };
  const { last, lacksBrowser } = upstream?.managed.record.missed ?? {};
  const kept = upstream?.sandbox;
  const kind: State = upstream?.plan.kind === 'waiting' ? 'restarting' : state.kind;
  // As it says itself, in one printable line each.
  const { title, instructions } = inOneLine(upstream?.managed.link);
  return {
    name: server.name,
    title,
    state: kind,
    protocolVersion: state.kind === 'running' ? state.protocolVersion : undefined,
    rootsReachIt: rootsReach(server, state),
    guard: server.guard.guard ?? 'on',
    sandbox: kept && {
      network: kept.hasNetwork,
      tooLarge: kept.tooLarge,
      missedPath: last?.path,
      lacksBrowser: lacksBrowser || undefined,
    },
    tools: upstream?.offerings.knownTools?.length,
    problem: upstream && problemOf(upstream),
    instructions,
  };
}

type DescribedServer = ReturnType<typeof describe>;

const neverStarted: Upstream['state'] = { kind: 'stopped' };

function problemOf(upstream: Upstream): string | undefined {
  const remarks = [upstream.offerings.toolsRemark ?? [], upstream.ruleProblems].flat();
  const problems = upstream.problem === undefined ? remarks : [upstream.problem];
  const isDownload = upstream.state.kind === 'starting' && mayDownload(upstream.server.launch);
  const download = isDownload ? ['It may be downloading.'] : [];
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
    `It learns of the shared folders ${rootsReachIt}.`,
    ...(guard === 'off' ? ['Paths in its arguments are not checked.'] : []),
    // Of a server that could not be started, nothing is kept anywhere.
    ...(sandbox && state !== 'failed' ? keptInWords(sandbox) : []),
    // Last, because where it ends is not for others to say.
    ...(instructions === undefined ? [] : [`It says of itself: ${instructions}`]),
  ].join(' ');
}

function keptInWords({
  network,
  tooLarge,
  missedPath,
  lacksBrowser,
}: NonNullable<DescribedServer['sandbox']>): string[] {
  const asked = missedPath && `It asked for ${printable(missedPath)}, which it does not see.`;
  return [
    `The system keeps it in its folders, ${network ? 'with' : 'without'} the network.`,
    ...(tooLarge ? [onlyRead(tooLarge)] : []),
    ...(lacksBrowser ? [noBrowser] : []),
    ...(asked ? [asked] : []),
  ];
}

const onlyRead = (folders: readonly string[]) =>
  `It can only read ${folders.map(printable).join(', ')}: too large to find all that other programs run there. Share a smaller folder.`;
const noBrowser =
  'It can\'t start a browser in there: "Kept in its folders by the system" in the help says what that takes.';

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

const states: Readonly<Record<State, string>> = {
  running: 'running',
  starting: 'starting',
  restarting: 'restarting',
  stopping: 'stopping',
  stopped: 'not running, and starts when it is called',
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

/** In characters. */
const longest = { title: 100, instructionsInOneLine: 300, instructions: 4000 };

/** What a server says of itself, printable, each in one line; of long instructions the beginning. */
function inOneLine(said: SelfDescribed | undefined) {
  return {
    title: line(said?.serverInfo?.title, longest.title),
    instructions: line(said?.instructions, longest.instructionsInOneLine),
  };
}

/** The same with all lines of the instructions, and more of them than anybody should write. */
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
