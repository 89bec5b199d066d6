import { foldedName, toolsLeft } from '../../domain/gate/toolsChosen.ts';
import { HumanError } from '../../domain/sentence.ts';
import { shown, shownLine } from '../../domain/shown.ts';
import type { Tool } from '../../mcp/link/connection.ts';
import type { ClientOfServer } from '../gateway/clients.ts';
import type { Server } from '../servers/server.ts';
import { t } from '../text.ts';
import { clientLabel } from '../views/clientItem.ts';
import { hintOf } from '../views/toolItem.ts';
import * as vscode from '../vscode.ts';

/** Turns each tool of a running server on or off for all clients. */
export async function turnTools(server: Server, isOn: (tool: Tool) => boolean): Promise<void> {
  const tools = server.record?.tools ?? (await server.listTools());
  await server.chooseTools(choiceOf(tools, isOn));
}

/**
 * Lets the user pick the tools of one client, from the tools that all clients get.
 *
 * @throws {HumanError} when the tools are unknown, because neither client nor window runs the server.
 */
export async function chooseTools(client: ClientOfServer): Promise<void> {
  const { server, name, session } = client;
  const { label, tools: demands } = server.definition;
  if (name === '') {
    throw new HumanError('The client has not said its name yet. Try again later.');
  }
  const listed: readonly (Pick<Tool, 'name'> & Partial<Tool>)[] = session?.listedTools ?? [];
  const known = listed.length > 0 ? listed : (server.record?.tools ?? (await server.listTools()));
  const tools = toolsLeft(known, demands, server.hiddenTools);
  const items = tools.map(tool => ({
    label: shownLine(tool.name),
    description: shown(hintOf(tool)),
    picked: !client.hiddenTools.has(foldedName(tool.name)),
    tool,
  }));
  const title = t('Tools of "{0}" for {1}', label, clientLabel(client));
  const picked = await vscode.window.showQuickPick(items, { title, canPickMany: true });
  if (picked) {
    const isOn = (tool: object) => picked.some(one => one.tool === tool);
    await server.chooseTools(choiceOf(tools, isOn), name);
  }
}

function choiceOf<T extends Pick<Tool, 'name'>>(tools: readonly T[], isOn: (tool: T) => boolean) {
  const names = (some: readonly T[]) => some.map(({ name }) => name);
  return { on: names(tools.filter(isOn)), off: names(tools.filter(tool => !isOn(tool))) };
}
