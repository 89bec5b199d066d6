import { parseTree } from 'jsonc-parser';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { type JsonNode, placeInTree, tooDeepAt } from '../../domain/jsonTree.ts';
import { inEnglish } from '../../domain/sentence.ts';
import { shown } from '../../domain/shown.ts';
import { reportFailure } from '../reportFailure.ts';
import type { Screen } from '../screen.ts';
import { type SettingsProblem, settings } from '../settings.ts';
import { localized, t } from '../text.ts';
import * as vscode from '../vscode.ts';
import { rangeOf } from './definitionText.ts';

const section = 'mcpRoots';

/** The most mistakes in one message, because the editor cuts off longer messages. */
const mostShown = 3;

/** Shows new mistakes in the settings, now and after changes. The log has all mistakes. */
export function reportSettingsProblems(screen: Screen, logger: Logger): IDisposable {
  const store = new DisposableStore();
  let known: ReadonlySet<string> = new Set();
  const report = () => {
    const { problems } = settings;
    const before = known;
    known = new Set(problems.map(({ text }) => inEnglish(text)));
    const added = problems.filter(({ text }) => !before.has(inEnglish(text)));
    if (added.length > 0) {
      for (const text of known) {
        logger.warn(text);
      }
      const isOpen = () => added.some(({ text }) => known.has(inEnglish(text)));
      void reportFailure(logger, () => showSettingsProblems(added, isOpen, screen));
    }
  };
  store.add(
    vscode.workspace.onDidChangeConfiguration(change => {
      if (change.affectsConfiguration(section)) {
        report();
      }
    }),
  );
  store.add(vscode.workspace.onDidGrantWorkspaceTrust(report));
  report();
  return store;
}

/** Shows mistakes in one message. Its button leads to the first mistake. */
export async function showSettingsProblems(
  problems: readonly SettingsProblem[],
  isOpen: () => boolean,
  screen: Screen,
): Promise<void> {
  const [first] = problems;
  const follow = async () => first && showInSettings(first);
  const left = problems.length - mostShown;
  const texts = [
    ...problems.slice(0, mostShown).map(({ text }) => localized(text)),
    ...(left > 0 ? [t('Further mistakes: {0}.', left)] : []),
  ];
  const buttons = [{ title: t('Show'), follow }];
  const message = { kind: 'warning', text: shown(texts.join(' ')), buttons } as const;
  await screen.show(() => (isOpen() ? message : undefined));
}

/** Opens the settings at a place, such as a mistake, and selects it. */
export async function showInSettings(place: Pick<SettingsProblem, 'from' | 'path'>): Promise<void> {
  for (const command of settingsFiles(place.from)) {
    await vscode.commands.executeCommand(command);
    if (selectIn(vscode.window.activeTextEditor, place)) {
      return;
    }
  }
}

/** The commands that open settings as text. A remote machine's settings count as the user's. */
function settingsFiles(from: SettingsProblem['from']): readonly string[] {
  if (from === 'workspace') {
    return ['workbench.action.openWorkspaceSettingsFile'];
  }
  const remote = vscode.env.remoteName ? ['workbench.action.openRemoteSettingsFile'] : [];
  return ['workbench.action.openSettingsJson', ...remote];
}

/** Selects the place, and returns whether the text has it. */
function selectIn(
  editor: vscode.TextEditor | undefined,
  { path }: Pick<SettingsProblem, 'path'>,
): boolean {
  const text = editor?.document.getText() ?? '';
  const root: JsonNode | undefined = tooDeepAt(text) === undefined ? parseTree(text) : undefined;
  if (!editor || !root) {
    return false;
  }
  const { document } = editor;
  const [setting = ''] = path;
  // In a workspace file, the settings stand below a key of their own.
  const under = placeInTree(root, [setting]).isExact ? [] : ['settings'];
  if (!placeInTree(root, [...under, setting]).isExact) {
    return false;
  }
  const range = rangeOf({ document, root }, [...under, ...path]);
  editor.selection = new vscode.Selection(range.start, range.end);
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  return true;
}
