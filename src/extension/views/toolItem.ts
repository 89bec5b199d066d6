import * as vscode from 'vscode';
import { printable } from '../../domain/printable.ts';
import type { Tool } from '../../mcp/connection.ts';
import type { ToolProblemRow, ToolRow, ToolsRow } from './rows.ts';

/** The row above a server's tools, closed at first: opening it lists them. */
export function toolsItem({ server: { definition } }: ToolsRow): vscode.TreeItem {
  const label = vscode.l10n.t('Tools');
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = `${definition.id} tools`;
  item.contextValue = 'tools';
  item.iconPath = new vscode.ThemeIcon('tools');
  item.tooltip = vscode.l10n.t('What "{0}" can do', definition.label);
  item.accessibilityInformation = { label: vscode.l10n.t('Tools of {0}', definition.label) };
  return item;
}

/** How a tool looks. What it is said to do is the server's word, and shown as that. */
export function toolItem({ server: { definition }, tool }: ToolRow): vscode.TreeItem {
  const name = printable(tool.name);
  const hint = hintOf(tool);
  const about = printable(tool.title ?? firstLine(tool.description ?? ''));
  const item = new vscode.TreeItem(name);
  item.id = `${definition.id} tool ${tool.name}`;
  item.contextValue = 'tool';
  item.iconPath = new vscode.ThemeIcon('symbol-method');
  item.description = [hint, about].filter(text => text !== '').join(' · ');
  item.tooltip = tooltip(tool, hint);
  item.accessibilityInformation = {
    label: vscode.l10n.t('Tool {0} of {1}: {2}', name, definition.label, item.description),
  };
  return item;
}

/** The row that says why a server's tools can't be shown. */
export function toolProblemItem({ server, reason }: ToolProblemRow): vscode.TreeItem {
  const item = new vscode.TreeItem(reason);
  item.id = `${server.definition.id} tool-problem`;
  item.contextValue = 'tool-problem';
  item.iconPath = new vscode.ThemeIcon('warning');
  item.tooltip = reason;
  item.accessibilityInformation = {
    label: vscode.l10n.t('Tools of {0}: {1}', server.definition.label, reason),
  };
  return item;
}

/** What the server says of the tool's effects; empty when it says nothing. */
function hintOf({ annotations: { readOnlyHint, destructiveHint } = {} }: Tool): string {
  if (readOnlyHint) {
    return vscode.l10n.t('only reads');
  }
  return destructiveHint ? vscode.l10n.t('may destroy') : '';
}

function tooltip({ name, description = '' }: Tool, hint: string): string {
  return [
    printable(name),
    ...description.split(/\r?\n/).map(printable),
    ...(hint ? [vscode.l10n.t('According to the server: {0}', hint)] : []),
  ].join('\n');
}

function firstLine(text: string): string {
  return text.trimStart().split(/\r?\n/, 1)[0] ?? '';
}
