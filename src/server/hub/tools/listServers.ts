import type { CallToolResult } from '@modelcontextprotocol/server';
import { printable } from '../../../domain/printable.ts';
import type { RootsRoute } from '../../../domain/servers/serverDefinition.ts';
import { answer } from '../../tools/answers.ts';
import type { Child } from '../children/child.ts';
import type { ChildSet } from '../children/childSet.ts';
import type { ConfigFile } from '../config/configFile.ts';
import { toolRuleProblems } from './toolRules.ts';

/** `list-servers`: where each server stands, and what is wrong with the configuration. */
export function listServers(
  { children }: ChildSet,
  { problems, leftOut }: Pick<ConfigFile, 'problems' | 'leftOut'>,
): CallToolResult {
  const servers = [...children.values()].map(describe);
  const without = leftOut.length > 0 ? [leftOutText(leftOut)] : [];
  const none = servers.length + leftOut.length === 0 ? [noServer] : [];
  const lines = [...none, ...servers.map(inWords), ...without, ...problems];
  return answer({ servers, problems: [...problems] }, lines.join('\n'));
}

/** What is said of a configuration without a single server. */
export const noServer = 'The configuration of this hub names no server.';

function leftOutText(names: readonly string[]): string {
  const shown = names.map(name => `"${printable(name)}"`).join(', ');
  return `Left out until the mistakes below are corrected: ${shown}.`;
}

/** A server for programs. */
interface DescribedServer {
  readonly name: string;
  readonly state: State;
  readonly protocolVersion?: string;
  readonly rootsReachIt: string;
  readonly guard: 'on' | 'off';
  /** How many; left out: it was not asked yet. */
  readonly tools?: number;
  readonly problem?: string;
}

type State = Child['state']['kind'] | 'restarting';

function describe(child: Child): DescribedServer {
  const { server, state, plan, offerings } = child;
  const tools = offerings.known('tools')?.length;
  const remarks = [offerings.remark('tools') ?? [], toolRuleProblems(child)].flat().join(' ');
  const problem = child.problem ?? (remarks || undefined);
  return {
    name: server.name,
    state: plan.kind === 'waiting' ? 'restarting' : state.kind,
    ...(state.kind === 'running' && { protocolVersion: state.protocolVersion }),
    rootsReachIt: rootsReach(child),
    guard: server.guard.guard ?? 'on',
    ...(tools !== undefined && { tools }),
    ...(problem !== undefined && { problem }),
  };
}

function inWords({ name, state, rootsReachIt, guard, tools, problem }: DescribedServer): string {
  const count = tools === undefined ? '' : `, with ${tools} ${tools === 1 ? 'tool' : 'tools'}`;
  return [
    `${printable(name)}: ${states[state]}${count}.`,
    ...(problem === undefined ? [] : [problem]),
    `It learns of the shared folders ${rootsReachIt}.`,
    ...(guard === 'off' ? ['Paths in its arguments are not checked.'] : []),
  ].join(' ');
}

const states: Readonly<Record<State, string>> = {
  running: 'running',
  starting: 'starting',
  restarting: 'restarting',
  stopping: 'stopping',
  stopped: 'not running, and starts when it is called',
  failed: 'failed',
};

function rootsReach({ server, state }: Child): string {
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
