import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Shown } from '../../../src/domain/shown.ts';
import { t } from '../../../src/extension/text.ts';
import type * as Editor from '../../../src/extension/vscode.ts';

const root = join(import.meta.dirname, '..', '..', '..');

test('only `shown`, `withIcon` and `t` make text for the screen, and all defuse it', () => {
  const makers = globSync('src/**/*.ts', { cwd: root }).flatMap(file => {
    const code = readFileSync(join(root, file), 'utf8');
    return (code.match(/\bas (?:never|Shown)\b/g) ?? []).map(() => file);
  });
  const fit = join('src', 'domain', 'shown.ts');
  assert.deepEqual(makers.sort(), [fit, fit, join('src', 'extension', 'text.ts')]);
  assert.equal(t('It said {0}.', '[x](command:y)'), 'It said [x] (command:y).');
});

/** The compiler must refuse each line: `npm run check` fails otherwise. The code never runs. */
export function refused(editor: typeof Editor, name: string, fit: Shown): readonly unknown[] {
  const { window, CodeLens, Diagnostic, Range, TreeItem } = editor;
  const row = new TreeItem(fit);
  const range = new Range(0, 0, 0, 0);
  const pick = window.createQuickPick();
  const box = window.createInputBox();
  const status = window.createStatusBarItem('', editor.StatusBarAlignment.Left);
  const getChildren = () => [];
  const getTreeItem = () => ({ label: name });
  return [
    // @ts-expect-error
    () => window.showErrorMessage(name),
    // @ts-expect-error
    () => window.showWarningMessage(fit, { modal: true, detail: name }),
    // @ts-expect-error
    () => window.showInformationMessage(fit, name),
    // @ts-expect-error
    () => window.showInformationMessage(fit, { title: name }),
    // @ts-expect-error
    () => window.showQuickPick([name], {}),
    // @ts-expect-error
    () => window.showQuickPick([{ label: name }], {}),
    // @ts-expect-error
    () => window.showQuickPick([{ label: fit, detail: name }], {}),
    // @ts-expect-error
    () => window.showQuickPick([{ label: fit }], { placeHolder: name }),
    // @ts-expect-error
    () => window.showInputBox({ prompt: name }),
    // @ts-expect-error
    () => window.showInputBox({ validateInput: () => name }),
    // @ts-expect-error
    () => window.showSaveDialog({ title: name }),
    // @ts-expect-error
    () => window.showOpenDialog({ openLabel: name }),
    // @ts-expect-error
    () => window.withProgress({ location: 1, title: name }, async () => {}),
    // @ts-expect-error
    () => window.withProgress({ location: 1 }, async step => step.report({ message: name })),
    // @ts-expect-error
    () => window.createOutputChannel(name, { log: true }),
    // @ts-expect-error
    () => window.createTreeView('', { treeDataProvider: { getChildren, getTreeItem } }),
    // @ts-expect-error
    () => window.createWebviewPanel('', name, 1, {}),
    // @ts-expect-error
    () => window.setStatusBarMessage(name),
    // @ts-expect-error
    () => new TreeItem(name),
    // @ts-expect-error
    () => new CodeLens(range, { title: name, command: '' }),
    // @ts-expect-error
    () => new Diagnostic(range, name, 0),
    () => {
      // @ts-expect-error
      row.description = name;
      // @ts-expect-error
      row.tooltip = new editor.MarkdownString();
      // @ts-expect-error
      row.accessibilityInformation = { label: name };
      // @ts-expect-error
      row.checkboxState = { state: 0, tooltip: name };
      // @ts-expect-error
      pick.items = [{ label: fit, buttons: [{ iconPath: range, tooltip: name }] }];
      // @ts-expect-error
      pick.placeholder = name;
      // @ts-expect-error
      box.validationMessage = { message: name, severity: 1 };
      // @ts-expect-error
      status.text = name;
    },
  ];
}
