import { parseTree } from 'jsonc-parser';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { type JsonNode, placeInTree, tooDeepAt } from '../../domain/jsonTree.ts';
import { inEnglish } from '../../domain/sentence.ts';
import { shown } from '../../domain/shown.ts';
import { reportFailure } from '../registerCommand.ts';
import type { Screen } from '../screen.ts';
import { type SettingsProblem, settings } from '../settings.ts';
import { localized, t } from '../text.ts';
import * as vscode from '../vscode.ts';
import { rangeOf } from './definitionText.ts';

const section = 'mcpRoots';

/** The mistakes that a message shows: the editor cuts off longer messages. */
const mostShown = 3;

/** Shows the user the mistakes in the settings, now and whenever they are different ones. */
export function reportSettingsProblems(
  screen: Screen,
  log: Logger & { show(): void },
): IDisposable {
  const store = new DisposableStore();
  let reported: readonly SettingsProblem[] = [];
  const report = () => {
    const { problems } = settings;
    if (wordsOf(problems) === wordsOf(reported)) {
      return;
    }
    const before = reported.map(problem => wordsOf([problem]));
    const isNew = (problem: SettingsProblem) => !before.includes(wordsOf([problem]));
    // A person has just written the new ones, and looks for those.
    const newFirst = [...problems].sort((a, b) => Number(isNew(b)) - Number(isNew(a)));
    reported = problems;
    for (const { text } of problems) {
      log.warn(inEnglish(text));
    }
    if (problems.length > 0) {
      void reportFailure(log, () =>
        showSettingsProblems(newFirst, () => reported === problems, screen, log),
      );
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

/** Shows mistakes in one message, which leads to the place of the first one, or to the log with all. */
export async function showSettingsProblems(
  problems: readonly SettingsProblem[],
  isLatest: () => boolean,
  screen: Screen,
  log: { show(): void },
): Promise<void> {
  const [first] = problems;
  const showPlace = {
    title: t('Show'),
    follow: async () => (first ? showInSettings(first) : log.show()),
  };
  const showAll = { title: t('Show All'), follow: async () => log.show() };
  const left = problems.length - mostShown;
  const texts = [
    ...problems.slice(0, mostShown).map(({ text }) => localized(text)),
    ...(left > 0 ? [t('Further mistakes: {0}.', left)] : []),
  ];
  const buttons = left > 0 ? [showPlace, showAll] : [showPlace];
  const message = { kind: 'warning', text: shown(texts.join(' ')), buttons } as const;
  await screen.show(() => (isLatest() ? message : undefined));
}

/** Opens the settings at a place, such as that of a mistake, and selects what is there. */
export async function showInSettings(place: Pick<SettingsProblem, 'from' | 'path'>): Promise<void> {
  for (const command of settingsFiles(place.from)) {
    await vscode.commands.executeCommand(command);
    if (selectIn(vscode.window.activeTextEditor, place)) {
      return;
    }
  }
}

function wordsOf(problems: readonly SettingsProblem[]): string {
  return JSON.stringify(problems.map(({ text }) => text));
}

/** The commands that open the settings as text. Those of a remote machine count as the user's. */
function settingsFiles(from: SettingsProblem['from']): readonly string[] {
  if (from === 'workspace') {
    return ['workbench.action.openWorkspaceSettingsFile'];
  }
  const remote = vscode.env.remoteName ? ['workbench.action.openRemoteSettingsFile'] : [];
  return ['workbench.action.openSettingsJson', ...remote];
}

/** Returns true if the place is in the text. */
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
  // In the file of a workspace the settings are below a key of their own.
  const under = placeInTree(root, [setting]).isExact ? [] : ['settings'];
  if (!placeInTree(root, [...under, setting]).isExact) {
    return false;
  }
  const range = rangeOf({ document, root }, [...under, ...path]);
  editor.selection = new vscode.Selection(range.start, range.end);
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  return true;
}
