import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as vscode from 'vscode';
import { editorName } from '../../../src/domain/gateway/clientNames.ts';
import type { Server } from '../../../src/extension/servers/server.ts';
import { extensionId } from '../../support/extensionId.ts';
import { eventually } from '../../ui/support/eventually.ts';

/** Offers a server to the agents of the editor, or withdraws it, as from the menu of its row. */
export async function offer(
  server: Server,
  command: 'offerToAgents' | 'withdrawFromAgents' = 'offerToAgents',
): Promise<void> {
  await vscode.commands.executeCommand(`mcpRoots.${command}`, { kind: 'server', server });
}

/** The tools that agents have of the server of that name. */
export function toolsOf(name: string): string[] {
  const prefix = prefixOf(name);
  return vscode.lm.tools.flatMap(tool =>
    tool.name.startsWith(prefix) ? tool.name.slice(prefix.length) : [],
  );
}

/**
 * The editor's prefix for the names of that server's tools: the server's name in the handshake, or
 * in the oldest supported editor the name that the editor uses.
 */
export function prefixOf(name: string): string {
  const known = editorName(name)
    .toLowerCase()
    .replace(/[^a-z0-9_.-]+/g, '_');
  const oldest = `mcp_${known.slice(0, 13)}_`;
  const names = vscode.lm.tools.map(tool => tool.name);
  if (names.some(tool => tool.startsWith(oldest))) {
    return oldest;
  }
  // A second tool of that name ends in a number.
  const numbered = new RegExp(`^mcp_${name}\\d*_`);
  return names.map(tool => numbered.exec(tool)?.[0]).find(Boolean) ?? `mcp_${name}_`;
}

/** Settles when agents have a tool. Not every version of the editor asks for tools unprompted. */
export function hasTool(name: string, tool: string): Promise<void> {
  return eventually(async () => {
    await vscode.commands.executeCommand(
      'workbench.mcp.startServer',
      `${extensionId}/${editorName(name)}`,
    );
    assert.ok(toolsOf(name).includes(tool), `There are: ${vscode.lm.tools.map(one => one.name)}`);
  });
}

/** Calls a tool as agents do, which answers with text. */
export async function invokeForText(name: string, tool: string, input = {}): Promise<string> {
  const options = { input, toolInvocationToken: undefined };
  const { content } = await vscode.lm.invokeTool(prefixOf(name) + tool, options);
  return content
    .map(part => (part instanceof vscode.LanguageModelTextPart ? part.value : ''))
    .join('');
}

/** Settles when no connector to the server of that name runs. Windows has no such list of processes. */
export async function connectorsEnded(name: string): Promise<void> {
  const list = () => execFileSync('ps', ['-Ao', 'args='], { encoding: 'utf8' }).split('\n');
  const isConnector = (line: string) => line.trim().endsWith(` --server ${name}`);
  if (process.platform !== 'win32') {
    await eventually(() => assert.deepEqual(list().filter(isConnector), []));
  }
}
