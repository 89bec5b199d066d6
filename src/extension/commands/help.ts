import { join } from 'node:path';
import { reportText } from '../../domain/report/reportText.ts';
import { Command } from '../ids.ts';
import { reply } from '../screen.ts';
import type { Servers } from '../servers/servers.ts';
import { t } from '../text.ts';
import { problemOfServer } from '../views/problemItem.ts';
import * as vscode from '../vscode.ts';

/** Shows a page of the manual. */
export async function showHelp(
  name: string,
  { extensionPath }: vscode.Extension<unknown>,
): Promise<void> {
  const page = vscode.Uri.file(join(extensionPath, 'media', 'help', name));
  await vscode.commands.executeCommand('markdown.showPreview', page);
}

/** Opens the editor's form for issues with the diagnostics in it. */
export async function reportIssue(
  servers: Servers,
  extension: vscode.Extension<unknown>,
): Promise<void> {
  const filled = { extensionId: extension.id, issueBody: diagnostics(servers, extension) };
  try {
    await vscode.commands.executeCommand('workbench.action.openIssueReporter', filled);
  } catch {
    // In a browser, the editor has a form only for extensions whose manifest has a page for issues.
    const text = t('This editor has no form for issues. Copy the diagnostics instead.');
    if (await reply(text, 'warning', t('Copy Diagnostics'))) {
      await vscode.commands.executeCommand(Command.copyDiagnostics);
    }
  }
}

/** Copies the diagnostics, so that the user can paste them. */
export async function copyDiagnostics(
  servers: Servers,
  extension: vscode.Extension<unknown>,
): Promise<void> {
  await vscode.env.clipboard.writeText(diagnostics(servers, extension));
  void reply(
    t(
      'The diagnostics are on the clipboard. They contain no folder, path, server name, value or secret.',
    ),
  );
}

function diagnostics(servers: Servers, { packageJSON }: vscode.Extension<unknown>): string {
  const window = {
    extensionVersion: packageJSON.version,
    editor: vscode.env.appName,
    editorVersion: vscode.version,
    nodeVersion: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    remote: vscode.env.remoteName,
    isWeb: vscode.env.uiKind === vscode.UIKind.Web,
    isTrusted: vscode.workspace.isTrusted,
    folders: vscode.workspace.workspaceFolders?.length ?? 0,
  };
  return reportText(
    window,
    servers.all.map(server => ({
      definition: server.definition,
      state: server.state,
      problem: problemOfServer(server)?.what,
      access: server.access,
    })),
  );
}
