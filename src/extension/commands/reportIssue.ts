import { reportText } from '../../domain/report/reportText.ts';
import { HumanError } from '../../domain/sentence.ts';
import { Command } from '../ids.ts';
import type { Commands } from '../registerCommand.ts';
import type { Servers } from '../servers/servers.ts';
import { t } from '../text.ts';
import { problemOfServer } from '../views/problemItem.ts';
import * as vscode from '../vscode.ts';

/** `reportIssue` and `copyDiagnostics`: the same text in the editor's form for issues, or to paste. */
export function registerReports(
  commands: Commands,
  servers: Servers,
  { id, packageJSON }: vscode.Extension<unknown>,
): void {
  commands.register(Command.reportIssue, async () => {
    const filled = { extensionId: id, issueBody: textOf(packageJSON.version, servers) };
    try {
      await vscode.commands.executeCommand('workbench.action.openIssueReporter', filled);
    } catch {
      // In a browser the editor has a form only for extensions that name a page for issues.
      throw new HumanError(
        'The editor has no form for this here. Copy Diagnostics has what would be in it.',
      );
    }
  });
  commands.register(Command.copyDiagnostics, async () => {
    await vscode.env.clipboard.writeText(textOf(packageJSON.version, servers));
    void vscode.window.showInformationMessage(
      t(
        'The diagnostics are on the clipboard. They name no folder, path, server, value or secret.',
      ),
    );
  });
}

function textOf(extensionVersion: string, servers: Servers): string {
  const window = {
    extensionVersion,
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
