import { release } from 'node:os';
import { within } from '../../base/timeLimit.ts';
import {
  issuePlace,
  type ManifestLinks,
  type ReportingEditor,
} from '../../domain/report/issuePlace.ts';
import {
  diagnosticsText,
  issueText,
  type ReportFacts,
  type WrittenSetting,
} from '../../domain/report/reportText.ts';
import { withoutTexts } from '../../domain/sentence.ts';
import type { Clients } from '../gateway/clients.ts';
import { Setting } from '../ids.ts';
import type { Servers } from '../servers/servers.ts';
import type { SandboxSource } from '../servers/serverTarget.ts';
import { settings } from '../settings.ts';
import { t } from '../text.ts';
import { problemOfServer } from '../views/problemItem.ts';
import { statusOf } from '../views/serverState.ts';
import * as vscode from '../vscode.ts';

/** What a report is on. */
export interface ReportedWindow {
  readonly servers: Pick<Servers, 'all'>;
  readonly clients: Pick<Clients, 'of'>;
  readonly sandbox: SandboxSource;
  readonly extension: {
    readonly id: string;
    readonly packageJSON: ManifestLinks & { readonly version?: string };
  };
}

/** Copies a text on this window and its servers that holds nothing of what a person named or wrote. */
export async function copyDiagnostics(window: ReportedWindow): Promise<void> {
  const text = diagnosticsText(await factsOf(window));
  await vscode.env.clipboard.writeText(text);
  // Not awaited: the message stays until it is dismissed, and the command is done.
  void offerText(text);
}

async function offerText(text: string): Promise<void> {
  const show = t('Show');
  const copied = t(
    'The diagnostics are on the clipboard. They name no folder, path, server, value or secret.',
  );
  if ((await vscode.window.showInformationMessage(copied, show)) === show) {
    await open(text);
  }
}

/**
 * Begins an issue on what is wrong in this window: in the editor's form where that can send it on, else
 * in a document to copy, beside the address where it belongs.
 */
export async function reportIssue(window: ReportedWindow): Promise<void> {
  const { id, packageJSON } = window.extension;
  const text = issueText(await factsOf(window));
  const place = issuePlace(packageJSON, await reportingEditor());
  if (place.kind === 'form') {
    await vscode.commands.executeCommand(formCommand, { extensionId: id, issueBody: text });
    return;
  }
  await vscode.env.clipboard.writeText(text);
  await open(text);
  void offerPage(place.kind === 'page' ? place.url : undefined);
}

const formCommand = 'workbench.action.openIssueReporter';

async function reportingEditor(): Promise<ReportingEditor> {
  const configuration = vscode.workspace.getConfiguration();
  const commands = await vscode.commands.getCommands();
  return {
    // Without feedback the command is there, and says so.
    hasForm:
      commands.includes(formCommand) && configuration.get('telemetry.feedback.enabled') !== false,
    isWeb: vscode.env.uiKind === vscode.UIKind.Web,
    hasWebForm: configuration.get('issueReporter.experimental.webReporter') === true,
  };
}

async function offerPage(url: string | undefined): Promise<void> {
  if (url === undefined) {
    void vscode.window.showInformationMessage(
      t(
        'The beginning of an issue is on the clipboard. This copy of MCP Roots names no page for issues: give it to whoever you have the extension from.',
      ),
    );
    return;
  }
  const openPage = t('Open {0}', new URL(url).host);
  const copied = t(
    'The beginning of an issue is on the clipboard. Paste it into a new issue there, and say what happened.',
  );
  if ((await vscode.window.showInformationMessage(copied, openPage)) === openPage) {
    await vscode.env.openExternal(vscode.Uri.parse(url));
  }
}

async function open(content: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ content, language: 'markdown' });
  await vscode.window.showTextDocument(document);
}

/** How long is waited for what a sandbox says of itself, in milliseconds. */
const patience = 5000;

async function factsOf({
  servers,
  clients,
  sandbox,
  extension,
}: ReportedWindow): Promise<ReportFacts> {
  const { workspaceFolders = [], isTrusted } = vscode.workspace;
  return {
    versions: {
      extension: extension.packageJSON.version ?? '',
      editor: vscode.version,
      node: process.version,
      system: release(),
    },
    surroundings: {
      platform: process.platform,
      arch: process.arch,
      editor: vscode.env.appName,
      remote: vscode.env.remoteName,
      isWeb: vscode.env.uiKind === vscode.UIKind.Web,
    },
    window: { folders: workspaceFolders.length, isTrusted },
    noSandbox: isTrusted ? await within(noSandboxIn(sandbox), patience, 'no answer') : 'not tried',
    settings: writtenSettings(),
    mistakes: settings.problems,
    servers: servers.all.map(server => ({
      definition: server.definition,
      state: server.state,
      status: statusOf(server),
      problem: problemOfServer(server)?.what,
      access: server.access,
      exposures: server.exposureCount,
      faults: server.faults,
      sandbox: server.sandbox,
      clients: clients.of(server).length,
      isOffered: server.isOffered,
    })),
  };
}

async function noSandboxIn(sandbox: SandboxSource): Promise<string | undefined> {
  try {
    const made = await sandbox();
    const problem = await made.problem();
    return problem && withoutTexts(problem);
  } catch {
    return 'the look at it failed'; // That may be what is to be reported: it is in the log.
  }
}

function writtenSettings(): readonly WrittenSetting[] {
  const configuration = vscode.workspace.getConfiguration();
  return Object.values(Setting).flatMap(id => {
    const { globalValue, workspaceValue } = configuration.inspect<unknown>(id) ?? {};
    const written = [
      { from: 'user', id, value: globalValue },
      { from: 'workspace', id, value: workspaceValue },
    ] as const;
    return written.filter(({ value }) => value !== undefined);
  });
}
