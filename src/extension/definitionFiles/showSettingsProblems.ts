import { parseTree } from 'jsonc-parser';
import { type JsonNode, placeInTree, tooDeepAt } from '../../domain/jsonTree.ts';
import { shown } from '../../domain/shown.ts';
import type { Toasts } from '../consent/toasts.ts';
import type { SettingsProblem } from '../settings.ts';
import { localized, t } from '../text.ts';
import * as vscode from '../vscode.ts';
import { rangeOf } from './textPlaces.ts';

/** How many mistakes a message shows: the editor cuts off longer ones. */
const mostShown = 3;

/**
 * Shows mistakes in the settings in one message, from which a person comes to the place of the first
 * one, or to the log with all.
 *
 * @param isLatest whether there are no others by now, of which is told then.
 */
export async function showSettingsProblems(
  problems: readonly SettingsProblem[],
  isLatest: () => boolean,
  toasts: Toasts,
  log: { show(): void },
): Promise<void> {
  const [first] = problems;
  const showPlace = { title: t('Show') };
  const showAll = { title: t('Show All') };
  const left = problems.length - mostShown;
  const texts = [
    ...problems.slice(0, mostShown).map(({ text }) => localized(text)),
    ...(left > 0 ? [t('Further mistakes: {0}.', left)] : []),
  ];
  const buttons = left > 0 ? [showPlace, showAll] : [showPlace];
  const toast = { kind: 'warning', text: shown(texts.join(' ')), buttons } as const;
  await toasts.show(
    () => (isLatest() ? toast : undefined),
    async button => {
      if (button === showAll || !first) {
        log.show();
      } else {
        await showInSettings(first);
      }
    },
  );
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

/** The commands that open the settings as text. Those of a remote machine count as the user's. */
function settingsFiles(from: SettingsProblem['from']): readonly string[] {
  if (from === 'workspace') {
    return ['workbench.action.openWorkspaceSettingsFile'];
  }
  const remote = vscode.env.remoteName ? ['workbench.action.openRemoteSettingsFile'] : [];
  return ['workbench.action.openSettingsJson', ...remote];
}

/** Whether it is there. */
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
