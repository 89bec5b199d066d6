import * as vscode from 'vscode';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { View } from '../ids.ts';
import type { Overview, Summary } from './overview.ts';

/** The status bar item: running servers, folders they may see, and a warning on open questions. */
export class StatusBar implements IDisposable {
  private readonly store = new DisposableStore();
  private readonly item: vscode.StatusBarItem;

  constructor(overview: Overview) {
    const { Left } = vscode.StatusBarAlignment;
    this.item = this.store.add(vscode.window.createStatusBarItem('mcpRoots.status', Left));
    this.item.name = 'MCP Roots';
    this.item.command = `${View.servers}.focus`;
    this.store.add(overview.onDidChange(summary => this.show(summary)));
    this.show(overview.value);
    this.item.show();
  }

  dispose(): void {
    this.store.dispose();
  }

  private show({ running, visible, waiting }: Summary): void {
    const sentences = [
      vscode.l10n.t('MCP Roots: servers running: {0}, folders they may see: {1}', running, visible),
      ...(waiting > 0 ? [vscode.l10n.t('{0} waiting for your answer', waiting)] : []),
    ];
    const question = waiting > 0 ? ` $(warning) ${waiting}` : '';
    this.item.text = `$(server-process) ${running} $(root-folder) ${visible}${question}`;
    this.item.tooltip = sentences.join('\n');
    this.item.accessibilityInformation = { label: sentences.join(', ') };
    this.item.backgroundColor =
      waiting > 0 ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
  }
}
