import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { type Shown, shown, withIcon } from '../../domain/shown.ts';
import { Command } from '../ids.ts';
import { t } from '../text.ts';
import * as vscode from '../vscode.ts';
import type { Overview, Summary } from './overview.ts';

/**
 * The status bar item. It says which servers need attention, or else how many servers run. A click
 * opens a menu with everything that needs the user.
 */
export class StatusBar implements IDisposable {
  private readonly store = new DisposableStore();
  private readonly item: vscode.StatusBarItem;

  constructor(overview: Overview) {
    const { Left } = vscode.StatusBarAlignment;
    this.item = this.store.add(vscode.window.createStatusBarItem('mcpRoots.status', Left));
    this.item.name = shown('MCP Roots');
    this.item.command = Command.showStatus;
    this.store.add(overview.onDidChange(summary => this.show(summary)));
    this.show(overview.value);
    this.item.show();
  }

  dispose(): void {
    this.store.dispose();
  }

  private show(summary: Summary): void {
    const { running, visible } = summary;
    const attention = attentionText(summary);
    const lines = [
      t('MCP Roots: running servers: {0}, folders that servers may see: {1}', running, visible),
      ...(attention === undefined ? [] : [attention]),
    ];
    // High contrast themes have no color for a warning, so the icon shows it.
    const icon = summary.failed > 0 ? 'error' : 'question';
    this.item.text =
      attention === undefined
        ? withIcon('root-folder', String(running))
        : withIcon(icon, t('MCP Roots: {0}', attention));
    this.item.tooltip = shown(lines.join('\n'));
    this.item.accessibilityInformation = { label: shown(lines.join('. ')), role: 'button' };
    this.item.backgroundColor =
      attention === undefined
        ? undefined
        : new vscode.ThemeColor('statusBarItem.warningBackground');
  }
}

/** How many servers failed, and how many wait for the user; `undefined` when both numbers are 0. */
export function attentionText({ failed, waiting }: Summary): Shown | undefined {
  if (failed > 0 && waiting > 0) {
    return t('{0} failed, {1} waiting', failed, waiting);
  }
  if (failed > 0) {
    return t('{0} failed', failed);
  }
  return waiting > 0 ? t('{0} waiting', waiting) : undefined;
}
