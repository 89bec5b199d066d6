import type { CallToolResult } from '@modelcontextprotocol/server';
import type { HubServer } from '../../../domain/hub/hubServer.ts';
import { printable } from '../../../domain/printable.ts';
import { mayDownload } from '../../../domain/servers/launch.ts';
import type { RootsRoute } from '../../../domain/servers/serverDefinition.ts';
import { answer } from '../../tools/answers.ts';
import type { Child } from '../children/child.ts';
import type { ConfigFile } from '../config/configFile.ts';
import { ruleProblems } from './ruleProblems.ts';
import { inOneLine } from './selfDescription.ts';

/** What is known besides the servers themselves. */
export interface ServersAround {
  readonly config: Pick<ConfigFile, 'current' | 'problems' | 'leftOut' | 'switchedOff'>;
  /** In finished sentences; `undefined`: there are some. */
  readonly whyNoRoots: string | undefined;
}

/**
 * `list-servers`: where each server stands, and what is wrong with the configuration.
 *
 * @param children by the names of their servers; one that is not among them was never started.
 */
export function listServers(
  children: ReadonlyMap<string, Child>,
  { config, whyNoRoots }: ServersAround,
): CallToolResult {
  const { current, leftOut, switchedOff } = config;
  const servers = current.servers.map(server => describe(server, children.get(server.name)));
  const problems = [...config.problems, ...(whyNoRoots === undefined ? [] : [whyNoRoots])];
  const without = [
    ...named('Left out until the mistakes below are corrected', leftOut),
    ...named('Switched off in the configuration', switchedOff),
  ];
  const none = servers.length + without.length === 0 ? [noServer] : [];
  const lines = [...none, ...servers.map(inWords), ...without, ...problems];
  return answer({ servers, switchedOff, problems }, lines.join('\n'));
}

/** What is said of a configuration without a single server. */
export const noServer = 'The configuration of this hub names no server.';

function named(what: string, names: readonly string[]): readonly string[] {
  const shown = names.map(name => `"${printable(name)}"`).join(', ');
  return names.length > 0 ? [`${what}: ${shown}.`] : [];
}

/** A server for programs. */
interface DescribedServer {
  readonly name: string;
  /** This and its instructions: as it says itself, in one printable line; left out: it does not. */
  readonly title?: string;
  readonly state: State;
  readonly protocolVersion?: string;
  readonly rootsReachIt: string;
  readonly guard: 'on' | 'off';
  /** How many; left out: it was not asked yet. */
  readonly tools?: number;
  /** How many calls it has not answered yet; left out: none. */
  readonly callsInFlight?: number;
  readonly problem?: string;
  readonly instructions?: string;
}

type State = Child['state']['kind'] | 'restarting';

function describe(server: HubServer, child: Child | undefined): DescribedServer {
  const { state, plan, callsInFlight = 0 } = child ?? { state: neverStarted };
  const tools = child?.offerings.known('tools')?.length;
  const problem = child && problemOf(child);
  const { title, instructions } = inOneLine(child?.selfDescription);
  return {
    name: server.name,
    ...(title !== undefined && { title }),
    state: plan?.kind === 'waiting' ? 'restarting' : state.kind,
    ...(state.kind === 'running' && { protocolVersion: state.protocolVersion }),
    rootsReachIt: rootsReach(server, state),
    guard: server.guard.guard ?? 'on',
    ...(tools !== undefined && { tools }),
    ...(callsInFlight > 0 && { callsInFlight }),
    ...(problem !== undefined && { problem }),
    ...(instructions !== undefined && { instructions }),
  };
}

const neverStarted: Child['state'] = { kind: 'stopped' };

function problemOf(child: Child): string | undefined {
  const remarks = [child.offerings.remark('tools') ?? [], ruleProblems(child)].flat();
  const problems = child.problem === undefined ? remarks : [child.problem];
  const isDownload = child.state.kind === 'starting' && mayDownload(child.server.launch);
  const download = isDownload ? ['It may be downloading.'] : [];
  return [...download, ...problems, child.proxyProblem ?? []].flat().join(' ') || undefined;
}

function inWords(server: DescribedServer): string {
  const { name, title, state, rootsReachIt, guard, tools, callsInFlight, problem } = server;
  const { instructions } = server;
  const shown = `${printable(name)}${title === undefined ? '' : ` (${title})`}`;
  const count = tools === undefined ? '' : `, with ${counted(tools, 'tool')}`;
  return [
    `${shown}: ${states[state]}${count}.`,
    ...(callsInFlight ? [`It has not answered ${counted(callsInFlight, 'call')} yet.`] : []),
    ...(problem === undefined ? [] : [problem]),
    `It learns of the shared folders ${rootsReachIt}.`,
    ...(guard === 'off' ? ['Paths in its arguments are not checked.'] : []),
    // Last, because where it ends is not for others to say.
    ...(instructions === undefined ? [] : [`It says of itself: ${instructions}`]),
  ].join(' ');
}

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

function rootsReach(server: HubServer, state: Child['state']): string {
  const era = state.kind === 'running' ? state.era : undefined;
  const asking = askings[era ?? 'legacy'];
  const ways: Readonly<Record<RootsRoute, string>> = {
    roots: asking,
    args: 'as arguments',
    env: 'in its environment',
  };
  return server.rootsAs.map(route => ways[route]).join(' and ');
}

const askings = {
  legacy: 'when it asks for them',
  modern: 'when a call asks for them',
} as const;
