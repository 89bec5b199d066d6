import * as vscode from 'vscode';
import type { ServerStanding } from '../../domain/servers/serverStanding.ts';
import type { Server } from '../servers/server.ts';
import { serverDetails, standingOf, statusText } from './serverText.ts';

/**
 * How a server looks in the tree. Its `contextValue` is `server.` and its state, followed by
 * `.stale` when a restart brings it what it may see, `.waiting` when it is started again by itself,
 * and `.given-up` when it is not any more.
 */
export function serverItem(server: Server): vscode.TreeItem {
  const { definition, state, access } = server;
  const { label } = definition;
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Expanded);
  const status = statusText(server);
  const standing = standingOf(server);
  item.id = definition.id;
  item.contextValue = `server.${state.kind}${contextOf(standing)}`;
  item.description = status;
  item.iconPath = icon(server, standing);
  item.tooltip = serverDetails(server).join('\n');
  item.accessibilityInformation = {
    label: vscode.l10n.t(
      'Server {0}, {1}, may see {2} folders',
      label,
      status,
      access.roots.length,
    ),
  };
  return item;
}

function contextOf({ kind }: ServerStanding): string {
  switch (kind) {
    case 'outdated':
    case 'neglecting':
      return '.stale';
    case 'waiting':
    case 'given-up':
      return `.${kind}`;
    default:
      return '';
  }
}

function icon({ state }: Server, { kind }: ServerStanding): vscode.ThemeIcon {
  switch (state.kind) {
    case 'running': {
      const isStale = kind === 'outdated' || kind === 'neglecting';
      const color = isStale ? 'charts.yellow' : 'charts.green';
      return new vscode.ThemeIcon('server-process', new vscode.ThemeColor(color));
    }
    case 'starting':
    case 'stopping':
      return new vscode.ThemeIcon('loading~spin');
    case 'failed':
      return kind === 'waiting'
        ? new vscode.ThemeIcon('watch', new vscode.ThemeColor('charts.yellow'))
        : new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
    case 'stopped':
      return new vscode.ThemeIcon('server-process');
  }
}
