import * as vscode from 'vscode';
import { commandLine } from '../../domain/launch.ts';
import { printable } from '../../domain/printable.ts';
import type { ConnectionState } from '../../mcp/connection.ts';
import type { Server } from '../servers/server.ts';
import { stateText, timeText, triggerText } from '../text.ts';

/** How a server looks in the tree. Its `contextValue` is `server.` and its state. */
export function serverItem(server: Server): vscode.TreeItem {
  const { definition, state, access } = server;
  const { label } = definition;
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Expanded);
  const status = statusText(server);
  item.id = definition.id;
  item.contextValue = `server.${state.kind}`;
  item.description = status;
  item.iconPath = icon(state);
  item.tooltip = tooltip(server, status);
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

function statusText({ state, isStoppedForLackOfRoots, rubbishLines }: Server): string {
  if (isStoppedForLackOfRoots) {
    return vscode.l10n.t('stopped: no folder is left that it may see');
  }
  return rubbishLines > 0
    ? vscode.l10n.t('{0} · lines that are no MCP: {1}', stateText(state), rubbishLines)
    : stateText(state);
}

function icon({ kind }: ConnectionState): vscode.ThemeIcon {
  switch (kind) {
    case 'running':
      return new vscode.ThemeIcon('server-process', new vscode.ThemeColor('charts.green'));
    case 'starting':
    case 'stopping':
      return new vscode.ThemeIcon('loading~spin');
    case 'failed':
      return new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
    case 'stopped':
      return new vscode.ThemeIcon('server-process');
  }
}

function tooltip({ definition, state, lastExposure }: Server, status: string): string {
  const lines = [`${definition.label}: ${status}`, commandLine(definition.launch)];
  if (state.kind === 'running') {
    lines.push(vscode.l10n.t('Process {0}', state.pid ?? '?'));
    lines.push(
      lastExposure
        ? vscode.l10n.t(
            'Last told of its roots at {0}: {1}',
            timeText(lastExposure.at),
            triggerText(lastExposure),
          )
        : vscode.l10n.t('It has not asked for its roots yet.'),
    );
  }
  if (state.kind === 'failed' && state.failure.kind === 'ended') {
    lines.push(...state.failure.end.stderr);
  }
  return lines.map(printable).join('\n');
}
