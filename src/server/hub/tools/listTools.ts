import type { CallToolResult } from '@modelcontextprotocol/server';
import { isHumanError } from '../../../domain/errors.ts';
import { searchTools } from '../../../domain/hub/toolSearch.ts';
import { printable } from '../../../domain/printable.ts';
import { answer, refused } from '../../tools/answers.ts';
import type { Child } from '../children/child.ts';
import type { ChildSet } from '../children/childSet.ts';
import { signatureOf } from './signature.ts';

/** Of which server, and by which words; `undefined`: of all, and every tool. */
export interface ToolsQuery {
  readonly serverName: string | undefined;
  readonly search: string | undefined;
}

/** `list-tools`: the tools of servers, which are started for it. One that fails costs only its own. */
export async function listTools(
  { children }: ChildSet,
  { serverName, search }: ToolsQuery,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const asked = [...children.values()].filter(
    ({ server }) => server.name === (serverName ?? server.name),
  );
  if (asked.length === 0 && serverName !== undefined) {
    const names = [...children.keys()].map(printable).join(', ') || 'none';
    return refused(
      `There is no server "${printable(serverName.slice(0, 100))}". There are: ${names}.`,
    );
  }
  const listed = await Promise.all(asked.map(child => toolsOf(child, signal)));
  const all = listed.flatMap(({ tools }) => tools);
  const tools = search === undefined ? all : searchTools(all, search);
  const problems = listed.flatMap(({ problem }) => problem ?? []);
  const none = tools.length === 0 ? [whyNone(all.length, asked.length)] : [];
  return answer({ tools, problems }, [...none, ...tools.map(signatureOf), ...problems].join('\n'));
}

function whyNone(unfound: number, servers: number): string {
  if (unfound > 0) {
    const count = unfound === 1 ? 'There is 1 tool' : `There are ${unfound} tools`;
    return `No tool has all of these words. ${count} without "search".`;
  }
  return servers === 0 ? 'The configuration of this hub names no server.' : 'No tool is known.';
}

async function toolsOf(child: Child, signal: AbortSignal) {
  const { name } = child.server;
  try {
    await child.prepare(signal);
    const tools = await child.offerings.tools();
    const remark = child.offerings.remark('tools');
    return {
      tools: tools.map(tool => ({ ...tool, serverName: name })),
      problem: remark === undefined ? undefined : ofServer(name, remark),
    };
  } catch (error) {
    return { tools: [], problem: problemOf(name, error) };
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
