import type { CallToolResult } from '@modelcontextprotocol/server';
import { isHumanError } from '../../../domain/errors.ts';
import { searchTools } from '../../../domain/hub/toolSearch.ts';
import { printable } from '../../../domain/printable.ts';
import { answer, refused } from '../../tools/answers.ts';
import type { Child } from '../children/child.ts';
import type { ChildSet } from '../children/childSet.ts';
import type { ConfigFile } from '../config/configFile.ts';
import { noServer } from './listServers.ts';
import { ruleProblems } from './ruleProblems.ts';
import { atLength } from './selfDescription.ts';
import { signatureOf } from './signature.ts';
import { unknownServer } from './unknownServer.ts';

/** Which tools are asked for. */
export interface ToolsQuery {
  /** `undefined`: the tools of all servers. */
  readonly serverName: string | undefined;
  /** Words that a tool has to have; `undefined`: none. */
  readonly search: string | undefined;
  /** Knows why a server is not there. */
  readonly config: Pick<ConfigFile, 'leftOut' | 'switchedOff' | 'whyLeftOut'>;
}

/**
 * `list-tools`: the tools of servers, which are started for it. One that fails costs only its own.
 * A server that is asked for by its name is told of in its own words, too.
 *
 * @param ready settles when a child can be called, or says why it can't.
 */
export async function listTools(
  { children }: ChildSet,
  { serverName, search, config }: ToolsQuery,
  ready: (child: Child) => Promise<void>,
): Promise<CallToolResult> {
  const asked = [...children.values()].filter(
    ({ server }) => server.name === (serverName ?? server.name),
  );
  if (asked.length === 0 && serverName !== undefined) {
    return refused(unknownServer(serverName, children.keys(), config));
  }
  const listed = await Promise.all(asked.map(child => toolsOf(child, ready)));
  const all = listed.flatMap(({ tools }) => tools);
  const tools = search === undefined ? all : searchTools(all, search);
  const leftOut = serverName === undefined ? config.leftOut : [];
  const problems = [
    ...listed.flatMap(one => one.problems),
    ...leftOut.map(name => `"${printable(name)}" is left out: ${config.whyLeftOut(name)}`),
  ];
  const named = asked.length + leftOut.length + config.switchedOff.length;
  const none = tools.length === 0 ? [whyNone(all.length, named)] : [];
  const said = serverName === undefined ? {} : atLength(asked[0]?.selfDescription);
  return answer(
    { tools, problems, ...said },
    [...none, ...tools.map(signatureOf), ...problems].join('\n'),
    // Apart from the tools, because its lines could be taken for those of others.
    said.instructions ? `${printable(serverName ?? '')} says of itself:\n${said.instructions}` : '',
  );
}

function whyNone(unfound: number, servers: number): string {
  if (unfound > 0) {
    const count = unfound === 1 ? 'There is 1 tool' : `There are ${unfound} tools`;
    return `No tool has all of these words. ${count} without "search".`;
  }
  return servers === 0 ? noServer : 'No tool is known.';
}

async function toolsOf(child: Child, ready: (child: Child) => Promise<void>) {
  const { name } = child.server;
  try {
    await ready(child);
    const tools = await child.offerings.tools();
    const remark = child.offerings.remark('tools');
    return {
      tools: tools.map(tool => ({ ...tool, serverName: name })),
      problems: [...(remark === undefined ? [] : [ofServer(name, remark)]), ...ruleProblems(child)],
    };
  } catch (error) {
    return { tools: [], problems: [problemOf(name, error)] };
  }
}

function problemOf(name: string, error: unknown): string {
  if (isHumanError(error)) {
    return ofServer(name, error.message);
  }
  const reason = error instanceof Error ? error.message : String(error);
  return ofServer(name, `It did not say which tools it has: ${printable(reason.slice(0, 500))}`);
}

/** Where it does not name the server itself. */
function ofServer(name: string, sentences: string): string {
  const shown = printable(name);
  return sentences.startsWith(`The server "${shown}"`) ? sentences : `${shown}: ${sentences}`;
}
