import type { Sandbox } from '../../mcp/sandbox/sandbox.ts';
import { serverNames } from '../consent/shownNames.ts';
import type { Toasts } from '../consent/toasts.ts';
import { t } from '../text.ts';
import * as vscode from '../vscode.ts';
import type { Server } from './server.ts';

/**
 * The message of the hint: tells of servers that the system could keep in their folders, if the ways
 * out of its sandbox lead nowhere.
 *
 * @param page the path of the manual that says how.
 * @returns whether the user answered.
 */
export async function showSandboxHint(
  toasts: Toasts,
  servers: readonly Server[],
  sandbox: Sandbox,
  page: string,
): Promise<boolean> {
  if (await sandbox.problem()) {
    return false;
  }
  const how = { title: t('Show How') };
  const never = { title: t("Don't Show Again") };
  const text = t(
    'The system can keep servers in their folders, so that they see no other files of yours. These run without that: {0}.',
    serverNames(servers.map(({ definition }) => definition)),
  );
  const isAnswered = await toasts.show(
    () => ({ text, buttons: [how, never] }),
    async button => {
      if (button === how) {
        await vscode.commands.executeCommand('markdown.showPreview', vscode.Uri.file(page));
      }
      return true;
    },
  );
  return isAnswered === true;
}
