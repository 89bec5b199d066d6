import * as vscode from 'vscode';
import type { Logger } from '../../base/logger.ts';
import { mayDownload } from '../../domain/servers/launch.ts';
import type { RootsCheckOutcome } from '../../mcp/rootsCheck/rootsCheck.ts';
import { shortLabel } from '../consent/folderQuestions.ts';
import { Command } from '../ids.ts';
import { assertTrusted, registerCommand } from '../registerCommand.ts';
import type { RootsChecks } from '../servers/rootsChecks.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';
import { failureText, localized } from '../text.ts';
import { pickServer } from './pickServer.ts';
import type { ResultDocuments } from './resultDocuments.ts';

/** `checkRootsSupport`: tries with throw-away folders what a server does with roots, and shows it. */
export function registerCheckRootsSupport(
  logger: Logger,
  servers: Servers,
  checks: RootsChecks,
  results: ResultDocuments,
): vscode.Disposable {
  return registerCommand(logger, Command.checkRootsSupport, async row => {
    assertTrusted(
      'In Restricted Mode no server starts, so none can be checked. Trust this workspace first.',
    );
    await servers.refresh();
    const server = await pickServer(servers, row, {
      placeHolder: vscode.l10n.t('Check the roots support of which server?'),
    });
    const current = server && servers.withId(server.definition.id);
    if (current && (await isConfirmed(current))) {
      await show(current, await checkWithProgress(current, checks), results);
    }
  });
}

/** The server is started, perhaps for the first time at all, so the user sees what that is. */
async function isConfirmed(server: Server): Promise<boolean> {
  const { definition } = server;
  const check = vscode.l10n.t('Check');
  const question = vscode.l10n.t(
    'Find out what "{0}" does with its folders?',
    shortLabel(definition),
  );
  const { launch } = definition;
  const what = launch.type === 'http' ? httpDetail() : stdioDetail();
  const rest = mayDownload(launch) ? [what, downloadDetail()].join('\n') : what;
  const { startDetail } = await import('./onDemand.ts');
  const detail = startDetail(server, undefined, rest);
  const options = { modal: true, detail };
  return (await vscode.window.showInformationMessage(question, options, check)) === check;
}

function stdioDetail(): string {
  return vscode.l10n.t(
    'This is started besides what already runs, and ended at most a minute after it has come up. It is told only of throw-away folders, which are made for this and then removed. Of its tools, only those that change nothing are called.',
  );
}

function downloadDetail(): string {
  return vscode.l10n.t('It may be downloaded first, which is waited for up to five minutes.');
}

function httpDetail(): string {
  return vscode.l10n.t(
    'A separate session is begun with it, and ended at most a minute later. It is told only of throw-away folders, which are made for this and then removed. Their paths leave this machine. Of its tools, only those that change nothing are called.',
  );
}

async function checkWithProgress(server: Server, checks: RootsChecks): Promise<RootsCheckOutcome> {
  const title = vscode.l10n.t('Checking "{0}"', server.definition.label);
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress({ location, title, cancellable: true }, (progress, token) =>
    checks.run(server, {
      onStep: step => progress.report({ message: localized(step) }),
      onDidCancel: cancel => token.onCancellationRequested(cancel),
    }),
  );
}

async function show(
  { definition }: Server,
  outcome: RootsCheckOutcome,
  results: ResultDocuments,
): Promise<void> {
  if (outcome.kind === 'found') {
    const { rootsReport } = await import('./onDemand.ts');
    const text = rootsReport(definition, outcome.findings);
    await results.showMarkdown(`roots-support-${definition.label}`, text);
  } else if (outcome.kind === 'failed') {
    const message = vscode.l10n.t('"{0}" {1}', definition.label, failureText(outcome.failure));
    // Not awaited: the message stays until it is dismissed, and the command is done.
    void vscode.window.showErrorMessage(message);
  }
}
