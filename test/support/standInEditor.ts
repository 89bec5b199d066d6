import { registerHooks } from 'node:module';
import type * as vscode from 'vscode';
import { Emitter } from '../../src/base/emitter.ts';
import { inEnglish, sentence } from '../../src/domain/sentence.ts';

// As much of the editor as rows and the list of servers take from it. Node loads this before the tests,
// and it is `vscode` for whatever they import.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode'
      ? { url: import.meta.url, shortCircuit: true }
      : next(specifier, context),
});

const never = new Emitter<never>().event;
const nothing = () => undefined;

export { Emitter as EventEmitter };

export class CancellationTokenSource {
  cancel() {}
  dispose() {}
}

export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };
export const TreeItemCheckboxState = { Unchecked: 0, Checked: 1 };

export const LogLevel = { Off: 0, Trace: 1, Debug: 2, Info: 3, Warning: 4, Error: 5 };

export class TreeItem implements vscode.TreeItem {
  readonly label: string;
  readonly collapsibleState: vscode.TreeItemCollapsibleState;

  constructor(label: string, collapsibleState = TreeItemCollapsibleState.None) {
    this.label = label;
    this.collapsibleState = collapsibleState;
  }
}

export class ThemeIcon implements vscode.ThemeIcon {
  readonly id: string;
  readonly color: ThemeIcon | undefined;

  constructor(id: string, color?: ThemeIcon) {
    this.id = id;
    this.color = color;
  }
}

export { ThemeIcon as ThemeColor };

export const Uri = { file: (fsPath: string) => ({ scheme: 'file', fsPath }) };

const folder = { name: 'api', uri: Uri.file('/proj/api') };

export const FileType = { File: 1, Directory: 2 };

/** A trusted window with one folder and no settings, without events. */
export const workspace = {
  isTrusted: true,
  workspaceFolders: [folder],
  getWorkspaceFolder: (uri: typeof folder.uri) =>
    uri.fsPath === folder.uri.fsPath ? folder : undefined,
  getConfiguration: () => ({ get: nothing, inspect: nothing }),
  onDidChangeConfiguration: never,
  onDidChangeWorkspaceFolders: never,
  onDidGrantWorkspaceTrust: never,
  fs: { stat: async () => ({ type: FileType.Directory }) },
};

/** Dialogs are left without an answer. */
export const window = {
  showWarningMessage: async () => undefined,
  showQuickPick: async () => undefined,
  showInputBox: async () => undefined,
  createTreeView: () => ({ dispose: nothing }),
};

export const env = { appName: 'Visual Studio Code' };

export const l10n = {
  t: (template: string, ...values: readonly string[]) => inEnglish(sentence(template, ...values)),
};

export const commands = {
  registerCommand: () => ({ dispose: nothing }),
  executeCommand: async () => undefined,
};
