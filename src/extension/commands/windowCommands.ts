import { join } from 'node:path';
import { printable } from '../../domain/printable.ts';
import { reportText } from '../../domain/report/reportText.ts';
import { shown } from '../../domain/shown.ts';
import type { ActivityLog } from '../activity/activityLog.ts';
import { connectClient } from '../gateway/connectClient.ts';
import { prepareHubConfig } from '../hub/hubConfigFile.ts';
import type { Launchers } from '../hub/launcher.ts';
import { Command } from '../ids.ts';
import { type Commands, reportFailure } from '../registerCommand.ts';
import { type Confirmation, reply, type Screen } from '../screen.ts';
import type { ServerMemory } from '../servers/serverMemory.ts';
import type { ServerRecords } from '../servers/serverRecords.ts';
import type { Servers } from '../servers/servers.ts';
import { t } from '../text.ts';
import { problemOfServer } from '../views/problemItem.ts';
import * as vscode from '../vscode.ts';

/** `revokeAll`: takes back what one server, or what all were allowed. */
export function registerRevokeAll(
  commands: Commands,
  servers: Servers,
  { records }: ServerMemory,
  activity: ActivityLog,
  screen: Screen,
): void {
  commands.register(Command.revokeAll, row =>
    revokeAll(row?.server.definition.id, servers, records, activity, screen),
  );
}

/** The commands that lead other clients to the servers of this window, or to the hub. */
export function registerConnectCommands(
  commands: Commands,
  servers: Servers,
  launchers: Launchers,
  screen: Screen,
): void {
  commands.register(Command.connectClient, row =>
    connectClient(servers, launchers, row?.server, screen),
  );
  // In Restricted Mode, too: the file is the user's own, and nothing is run.
  commands.register(Command.openHubConfig, async () => {
    const file = await prepareHubConfig(launchers.hub);
    await vscode.window.showTextDocument(vscode.Uri.file(file));
    // Not awaited: the message stays until it is dismissed, and the command is done.
    void reportFailure(commands.logger, () => offerHub(servers, launchers, screen));
  });
}

/** The commands for who needs help: the manuals, and the reports to who gives it. */
export function registerHelpCommands(
  commands: Commands,
  servers: Servers,
  { extensionPath, extension }: vscode.ExtensionContext,
): void {
  const open = async (name: string) => {
    const page = vscode.Uri.file(join(extensionPath, 'media', 'help', name));
    await vscode.commands.executeCommand('markdown.showPreview', page);
  };
  commands.register(Command.help, () => open('index.md'));
  commands.register(Command.sandboxHelp, () => open('sandbox.md'));
  registerReports(commands, servers, extension);
}

/**
 * Withdraws everything that one server, or that all, were allowed, once the user has confirmed it, and
 * that any client or agent was allowed with it. What is allowed in other workspaces can't be looked up.
 */
export async function revokeAll(
  only: string | undefined,
  servers: Servers,
  records: Pick<ServerRecords, 'allowedServers' | 'revoke'>,
  activity: Pick<ActivityLog, 'add'>,
  screen: Screen,
): Promise<void> {
  const ids = only === undefined ? [...new Set(records.allowedServers)] : [only];
  const labels = ids.map(id => `"${labelOf(id, servers)}"`).join(', ');
  if (await screen.confirm(...revocationOf(only === undefined, labels))) {
    for (const serverId of ids) {
      const serverLabel = labelOf(serverId, servers);
      activity.add({ kind: 'revoked', at: Date.now(), serverId, serverLabel });
    }
    await records.revoke(only);
  }
}

/** A server that is not defined any more is known by the name that is in its id. */
function labelOf(id: string, { all }: Servers): string {
  const server = all.find(({ definition }) => definition.id === id);
  return server?.definition.label ?? printable(id.replace(/^\w+:/, ''));
}

function revocationOf(isOfAll: boolean, labels: string): Confirmation {
  const question = isOfAll
    ? t('Revoke everything that any server was allowed?')
    : t('Revoke every folder from {0}?', labels);
  const known = isOfAll && labels !== '' ? [t('Allowed here: {0}.', labels)] : [];
  const scope = t(
    'This holds in all workspaces. Running servers lose their folders and are stopped. You are asked again before a server sees a folder, and before a client uses a server.',
  );
  return [question, shown([...known, scope].join('\n')), t('Revoke')];
}

/** `reportIssue` and `copyDiagnostics`: the same text in the editor's form for issues, or to paste. */
function registerReports(
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
      const text = t('The editor has no form for issues here.');
      if (await reply(text, 'warning', t('Copy Diagnostics'))) {
        await vscode.commands.executeCommand(Command.copyDiagnostics);
      }
    }
  });
  commands.register(Command.copyDiagnostics, async () => {
    await vscode.env.clipboard.writeText(textOf(packageJSON.version, servers));
    void reply(
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

/** Offers to make a client start the hub. */
async function offerHub(servers: Servers, launchers: Launchers, screen: Screen): Promise<void> {
  const text = t(
    'These are the servers of the hub. Any MCP client can start it and reach them through it.',
  );
  if (await reply(text, 'information', t('Connect a Client…'))) {
    await connectClient(servers, launchers, 'hub', screen);
  }
}
