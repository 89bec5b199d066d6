import * as vscode from 'vscode';
import type { Logger } from '../../base/logger.ts';
import { printable } from '../../domain/printable.ts';
import { HumanError, isHumanError } from '../../domain/sentence.ts';
import type { CallToolResult, Tool } from '../../mcp/connection.ts';
import { Command } from '../ids.ts';
import { registerCommand } from '../registerCommand.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';
import { pickServer } from './pickServer.ts';
import type { ResultDocuments } from './resultDocuments.ts';
import { withPatience } from './withPatience.ts';

/**
 * `callTool`: picks a tool of a running server, unless called from the row of one; asks for its
 * arguments, and shows what it answers.
 */
export function registerCallTool(
  logger: Logger,
  servers: Servers,
  results: ResultDocuments,
): vscode.Disposable {
  return registerCommand(logger, Command.callTool, async row => {
    const server = await pickServer(servers, row, {
      placeHolder: vscode.l10n.t('Call a tool of which server?'),
      isWanted: ({ state }) => state.kind === 'running',
      none: 'No server is running. Start one first.',
    });
    const tool = row?.kind === 'tool' ? row.tool : server && (await pickTool(server));
    const { askForArguments } = await import('./onDemand.ts');
    const args = tool && (await askForArguments(tool));
    if (server && tool && args) {
      const result = await callWithProgress(server, tool, args);
      if (result) {
        await results.show(tool.name, result);
      }
    }
  });
}

async function pickTool(server: Server): Promise<Tool | undefined> {
  const tools = await server.listTools();
  if (tools.length === 0) {
    throw new HumanError('"{0}" has no tools.', server.definition.label);
  }
  const items = tools.map(tool => ({
    label: printable(tool.name),
    description: printable(tool.title ?? ''),
    detail: printable(tool.description ?? ''),
    tool,
  }));
  const title = vscode.l10n.t('Call a Tool of "{0}"', server.definition.label);
  return (await vscode.window.showQuickPick(items, { title, matchOnDetail: true }))?.tool;
}

/** The result, or `undefined` when the user cancelled the call. */
async function callWithProgress(
  server: Server,
  { name }: Tool,
  args: Record<string, unknown>,
): Promise<CallToolResult | undefined> {
  const abort = new AbortController();
  const calling = server.callTool({ name, arguments: args, signal: abort.signal });
  try {
    return await withPatience(calling, vscode.l10n.t('Calling {0}…', printable(name)), () =>
      abort.abort(),
    );
  } catch (error) {
    if (abort.signal.aborted) {
      return undefined;
    }
    if (isHumanError(error)) {
      throw error;
    }
    // Any other error is the server's own answer, and the user's to read.
    const reason = error instanceof Error ? error.message : String(error);
    throw new HumanError('The call of {0} failed: {1}', printable(name), printable(reason));
  }
}
