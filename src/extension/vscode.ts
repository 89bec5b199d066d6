import * as vscode from 'vscode';
import type { Shown } from '../domain/shown.ts';

/**
 * `vscode`, as the extension imports it. Each text for the screen must be {@link Shown}: the
 * compiler refuses other texts, and Biome refuses direct imports of `vscode`.
 */
export * from 'vscode';

/** The editor's properties that hold a text for the screen, or an object with texts. */
type Text =
  | `${'open' | 'save'}Label`
  | 'accessibilityInformation'
  | 'badge'
  | 'buttons'
  | 'checkboxState'
  | 'description'
  | 'detail'
  | 'label'
  | 'message'
  | 'name'
  | 'placeHolder'
  | 'placeholder'
  | 'prompt'
  | 'text'
  | 'title'
  | 'tooltip'
  | 'validationMessage';

/** The type with each {@link Text} as {@link Shown}, and without Markdown, which we never show. */
type Fit<T> = { [K in keyof T]: K extends Text ? FitText<T[K]> : T[K] };
type FitText<V> = V extends string ? Shown : V extends vscode.MarkdownString ? never : FitParts<V>;
type FitParts<V> = V extends object ? Fit<V> : V;
/** A constructor with these arguments. */
type New<Arguments extends unknown[], T> = new (...args: Arguments) => T;

export type CodeLens = vscode.CodeLens;
export const CodeLens = vscode.CodeLens as New<[vscode.Range, Command], CodeLens>;
export type Command = Fit<vscode.Command>;
export type Diagnostic = Fit<vscode.Diagnostic>;
export const Diagnostic = vscode.Diagnostic as New<
  [vscode.Range, Shown, vscode.DiagnosticSeverity],
  Diagnostic
>;
export type InputBox = Fit<vscode.InputBox>;
export type MessageItem = Fit<vscode.MessageItem>;
export type QuickInputButton = Fit<vscode.QuickInputButton>;
export type QuickPick<T extends QuickPickItem> = Fit<vscode.QuickPick<T>>;
export type QuickPickItem = Fit<vscode.QuickPickItem>;
export type StatusBarItem = Fit<vscode.StatusBarItem>;
export type TreeItem = Fit<vscode.TreeItem>;
export const TreeItem = vscode.TreeItem as New<
  [label: Shown, state?: vscode.TreeItemCollapsibleState],
  TreeItem
>;
export type TreeDataProvider<T> = Omit<vscode.TreeDataProvider<T>, 'getTreeItem'> & {
  getTreeItem(row: T): TreeItem | Thenable<TreeItem>;
};
export type TreeView<T> = Fit<vscode.TreeView<T>>;
export type WebviewPanel = Fit<vscode.WebviewPanel>;

type EditorProgress = vscode.Progress<{ message?: Shown; increment?: number }>;
type Token = vscode.CancellationToken;
type InputBoxOptions = Omit<Fit<vscode.InputBoxOptions>, 'validateInput'> & {
  validateInput?(text: string): Shown | undefined;
};
type QuickPickOptions = Fit<vscode.QuickPickOptions>;
type ShowMessage = {
  <T extends MessageItem | Shown>(message: Shown, ...items: T[]): Thenable<T | undefined>;
  <T extends MessageItem | Shown>(
    message: Shown,
    options: Fit<vscode.MessageOptions>,
    ...items: T[]
  ): Thenable<T | undefined>;
};

/** The members of `window` that show no text of ours. */
type Silent = Omit<
  typeof vscode.window,
  `${'create' | 'register' | 'set' | 'show' | 'with'}${string}`
>;

interface Window extends Silent, Pick<typeof vscode.window, 'showTextDocument'> {
  createInputBox(): InputBox;
  createOutputChannel(name: Shown, options: { log: true }): vscode.LogOutputChannel;
  createQuickPick<T extends QuickPickItem>(): QuickPick<T>;
  createStatusBarItem(id: string, alignment: vscode.StatusBarAlignment): StatusBarItem;
  createTreeView<T>(
    id: string,
    options: vscode.TreeViewOptions<T> & { treeDataProvider: TreeDataProvider<T> },
  ): TreeView<T>;
  createWebviewPanel(
    type: string,
    title: Shown,
    place: Parameters<typeof vscode.window.createWebviewPanel>[2],
    options: vscode.WebviewPanelOptions & vscode.WebviewOptions,
  ): WebviewPanel;
  showErrorMessage: ShowMessage;
  showInformationMessage: ShowMessage;
  showInputBox(options: InputBoxOptions, token?: Token): Thenable<string | undefined>;
  showOpenDialog(options: Fit<vscode.OpenDialogOptions>): Thenable<vscode.Uri[] | undefined>;
  showQuickPick<T extends QuickPickItem>(
    items: readonly T[],
    options: QuickPickOptions & { canPickMany: true },
    token?: Token,
  ): Thenable<T[] | undefined>;
  showQuickPick<T extends QuickPickItem>(
    items: readonly T[],
    options: QuickPickOptions,
    token?: Token,
  ): Thenable<T | undefined>;
  showSaveDialog(options: Fit<vscode.SaveDialogOptions>): Thenable<vscode.Uri | undefined>;
  showWarningMessage: ShowMessage;
  withProgress<R>(
    options: Fit<vscode.ProgressOptions>,
    task: (progress: EditorProgress, token: Token) => Thenable<R>,
  ): Thenable<R>;
}

export const window = vscode.window as unknown as Window;
