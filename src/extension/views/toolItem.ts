import { printable } from '../../domain/printable.ts';
import { isHumanError } from '../../domain/sentence.ts';
import { type Shown, shown, shownLine } from '../../domain/shown.ts';
import type { Tool } from '../../mcp/link/connection.ts';
import type { ConnectionState } from '../../mcp/link/link.ts';
import { Command } from '../ids.ts';
import type { Row, ToolProblemRow, ToolRow, ToolsRow } from '../rows.ts';
import type { Server } from '../servers/server.ts';
import { localized, spoken, t } from '../text.ts';
import * as vscode from '../vscode.ts';

/** The row above a server's tools, closed at first. When it is opened, the tools are listed. */
export function toolsItem({ server: { definition } }: ToolsRow): vscode.TreeItem {
  const label = t('Tools');
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Collapsed);
  item.contextValue = 'tools';
  item.iconPath = new vscode.ThemeIcon('tools');
  item.tooltip = t('What "{0}" can do', definition.label);
  item.accessibilityInformation = { label: t('Tools of {0}.', definition.label) };
  return item;
}

/** The row of a tool. Its effects are claims of the server, and the texts say so. */
export function toolItem(row: ToolRow): vscode.TreeItem {
  const {
    server: { definition },
    tool,
  } = row;
  const name = shownLine(tool.name);
  const hint = hintOf(tool);
  const about = printable(tool.title ?? firstLine(tool.description ?? ''));
  const item = new vscode.TreeItem(name);
  item.contextValue = 'tool';
  item.command = { title: t('Call Tool…'), command: Command.callTool, arguments: [row] };
  item.iconPath = new vscode.ThemeIcon('symbol-method');
  const description = shown([hint, about].filter(text => text !== '').join(' · '));
  item.description = description;
  item.tooltip = tooltip(tool, hint);
  item.accessibilityInformation = {
    label: description
      ? t('Tool {0} of {1}: {2}.', name, definition.label, spoken(description))
      : t('Tool {0} of {1}.', name, definition.label),
  };
  return item;
}

/** The row that says why a server's tools can't be shown. */
export function toolProblemItem({ server, reason }: ToolProblemRow): vscode.TreeItem {
  const item = new vscode.TreeItem(reason);
  item.contextValue = 'tool-problem';
  item.iconPath = new vscode.ThemeIcon('warning');
  item.tooltip = reason;
  item.accessibilityInformation = {
    label: t('Tools of {0}: {1}', server.definition.label, reason),
  };
  return item;
}

/** The server's claim about the tool's effects; empty when it claims nothing. */
export function hintOf(tool: Pick<Tool, 'annotations'>): string {
  const { readOnlyHint, destructiveHint } = tool.annotations ?? {};
  if (readOnlyHint) {
    return t('only reads');
  }
  return destructiveHint ? t('may destroy data') : '';
}

function tooltip({ name, description = '' }: Tool, hint: string): Shown {
  return shown(
    [
      printable(name),
      ...description.split(/\r?\n/).map(printable),
      ...(hint ? [t('According to the server: {0}', hint)] : []),
    ].join('\n'),
  );
}

function firstLine(text: string): string {
  return text.trimStart().split(/\r?\n/, 1)[0] ?? '';
}

/** The rows below "Tools". A server lists its tools once, however often the rows are drawn. */
export class ToolRows {
  /** By a server's running state: the request for its tools, if it is open or has failed. */
  private readonly listings = new WeakMap<ConnectionState, Promise<readonly Tool[]>>();

  /** The rows of a server's tools, or a row that says why there are none. Never rejects. */
  async of(server: Server): Promise<Row[]> {
    try {
      const tools = server.record?.tools ?? (await this.list(server));
      return tools.length === 0
        ? [{ kind: 'tool-problem', server, reason: t('The server has no tools.') }]
        : tools.map(tool => ({ kind: 'tool', server, tool }));
    } catch (error) {
      return [{ kind: 'tool-problem', server, reason: reasonOf(error) }];
    }
  }

  /** Makes the next call of `of` list the tools again, if the last listing failed. */
  forget(server: Server): void {
    this.listings.delete(server.state);
  }

  private async list(server: Server): Promise<readonly Tool[]> {
    const { state } = server;
    const listing = this.listings.get(state) ?? server.listTools();
    this.listings.set(state, listing);
    const tools = await listing;
    this.listings.delete(state);
    return tools;
  }
}

function reasonOf(error: unknown): Shown {
  if (isHumanError(error)) {
    return localized(error.sentence);
  }
  // The reason is the server's own answer, and the user should read it.
  return t('The tools could not be listed: {0}', printable(String(error)));
}
