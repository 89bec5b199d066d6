import type { Called } from '../../domain/activity.ts';
import { foldedName, isLeftIn, toolsLeft } from '../../domain/gate/toolsChosen.ts';
import { printable } from '../../domain/printable.ts';
import { isHumanError } from '../../domain/sentence.ts';
import { type Shown, shown, shownLine } from '../../domain/shown.ts';
import type { Tool } from '../../mcp/link/connection.ts';
import type { ConnectionState } from '../../mcp/link/link.ts';
import { Command } from '../ids.ts';
import type { Row, ToolProblemRow, ToolRow, ToolsRow } from '../rows.ts';
import type { Server } from '../servers/server.ts';
import { localized, spoken, t, timeText } from '../text.ts';
import * as vscode from '../vscode.ts';

/** The row above a server's tools, closed at first. When it is opened, the tools are listed. */
export function toolsItem({ server }: ToolsRow): vscode.TreeItem {
  const { definition, record, hiddenTools } = server;
  const label = t('Tools');
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Collapsed);
  item.contextValue = 'tools';
  item.iconPath = new vscode.ThemeIcon('tools');
  item.tooltip = t('What "{0}" can do', definition.label);
  item.accessibilityInformation = { label: t('Tools of {0}.', definition.label) };
  if (record?.tools) {
    const left = toolsLeft(record.tools, definition.tools, hiddenTools);
    const counts = toolCounts(left.length, record.tools.length);
    item.description = t('{0} · about {1} tokens', counts, tokensOf(left).toLocaleString());
  }
  return item;
}

/** How many of a server's tools are left for clients: "12 of 16". */
export function toolCounts(left: number, all: number): Shown {
  return left === all ? shown(`${all}`) : t('{0} of {1}', left, all);
}

/** About how many tokens a list of tools costs a model. Definitions have 4.2 to 4.8 characters a token. */
function tokensOf(tools: readonly Tool[]): number {
  const texts = tools.map(({ name, description, inputSchema }) =>
    JSON.stringify({ name, description, inputSchema }),
  );
  return Number((texts.join('').length / 4.4).toPrecision(2));
}

/** The row of a tool. Its effects are claims of the server, and the texts say so. */
export function toolItem(row: ToolRow): vscode.TreeItem {
  const { server, tool } = row;
  const { definition } = server;
  const name = shownLine(tool.name);
  const hint = hintOf(tool);
  const about = printable(tool.title ?? firstLine(tool.description ?? ''));
  const item = new vscode.TreeItem(name);
  item.contextValue = 'tool';
  item.command = { title: t('Call Tool…'), command: Command.callTool, arguments: [row] };
  item.iconPath = new vscode.ThemeIcon('symbol-method');
  const folded = foldedName(tool.name);
  const isOffered = isLeftIn(folded, definition.tools);
  const calls = server.callsOf(tool.name);
  const count = calls ? countText(calls.count) : '';
  const words = [isOffered ? '' : t('left out by the definition'), count, hint, about];
  const description = shown(words.filter(text => text !== '').join(' · '));
  item.description = description;
  item.tooltip = tooltip(tool, hint, calls && lastCallText(calls.last));
  item.checkboxState = isOffered ? checkbox(name, !server.hiddenTools.has(folded)) : undefined;
  item.accessibilityInformation = {
    label: description
      ? t('Tool {0} of {1}: {2}.', name, definition.label, spoken(description))
      : t('Tool {0} of {1}.', name, definition.label),
  };
  return item;
}

function checkbox(name: Shown, isOn: boolean): vscode.TreeItem['checkboxState'] {
  const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
  const tooltip = isOn
    ? t('Untick to turn off {0} for agents and clients', name)
    : t('Tick to turn on {0} for agents and clients', name);
  return {
    state: isOn ? Checked : Unchecked,
    tooltip,
    accessibilityInformation: { label: tooltip, role: 'checkbox' },
  };
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

function countText(calls: number): Shown {
  return calls === 1 ? t('1 call') : t('{0} calls', calls.toLocaleString());
}

/** When the last call came, from whom, and how it ended. */
function lastCallText({ at, client, outcome, took }: Called): Shown {
  const from = client ? printable(client) : t('you');
  return t(lastCallTexts[outcome], timeText(at), from, took.toLocaleString());
}

const lastCallTexts: Readonly<Record<Called['outcome'], string>> = {
  answered: 'Last call at {0} by {1}, answered after {2} ms',
  failed: 'Last call at {0} by {1}, failed after {2} ms',
  cancelled: 'Last call at {0} by {1}, cancelled after {2} ms',
};

function tooltip({ name, description = '' }: Tool, hint: string, lastCall?: Shown): Shown {
  return shown(
    [
      printable(name),
      ...description.split(/\r?\n/).map(printable),
      ...(hint ? [t('According to the server: {0}', hint)] : []),
      ...(lastCall ? [lastCall] : []),
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
