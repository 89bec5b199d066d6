import { askingSentence } from '../../domain/rootsCheck/findingSentences.ts';
import { isHumanError, type Sentence } from '../../domain/sentence.ts';
import { failureSentence } from '../../domain/servers/failureSentence.ts';
import { mayDownload } from '../../domain/servers/launch.ts';
import { type Shown, shown } from '../../domain/shown.ts';
import type { RootsCheckOutcome } from '../../mcp/rootsCheck/rootsCheck.ts';
import type { ActivityLog } from '../activity/activityLog.ts';
import { shortLabel } from '../consent/shownNames.ts';
import { startDetail } from '../consent/startQuestion.ts';
import type { Toasts } from '../consent/toasts.ts';
import type { RootsChecks } from '../servers/rootsChecks.ts';
import type { Server } from '../servers/server.ts';
import { localized, t } from '../text.ts';
import * as vscode from '../vscode.ts';
import type { ResultDocuments } from './resultDocuments.ts';
import { failureOf, type Run, rootsReport } from './rootsReport.ts';

/**
 * Asks in which ways to check a server, in the sandbox or as it is, and shows what was found. A check
 * that the user cancels shows nothing.
 *
 * @throws {HumanError} when there is a reason not to start it.
 */
export async function checkRootsSupport(
  server: Server,
  checks: RootsChecks,
  results: ResultDocuments,
  activity: Pick<ActivityLog, 'add'>,
  toasts: Toasts,
): Promise<void> {
  const { definition } = server;
  const ways = (await askForWays(server)) ?? [];
  const runs: Run[] = [];
  for (const isSandboxed of ways) {
    const title =
      isSandboxed && ways.length > 1
        ? t('Checking "{0}" in the sandbox', definition.label)
        : t('Checking "{0}"', definition.label);
    const outcome = await checkWithProgress(server, isSandboxed, title, checks).catch(error => {
      // One way that can't be gone is a finding beside the other one.
      if (ways.length > 1 && isHumanError(error)) {
        return notStarted(localized(error.sentence));
      }
      throw error;
    });
    if (outcome.kind === 'cancelled') {
      return;
    }
    activity.add({
      kind: 'checked',
      at: Date.now(),
      serverId: definition.id,
      serverLabel: definition.label,
      result: resultOf(definition.label, outcome),
    });
    runs.push({ isSandboxed, outcome });
  }
  const [first] = runs;
  if (runs.length === 1 && first?.outcome.kind === 'failed') {
    toasts.tell(failureOf(definition.label, first.outcome.failure), 'error');
  } else if (first) {
    const text = rootsReport(definition, runs);
    await results.open(`roots-support-${definition.label}`, 'md', text);
  }
}

async function checkWithProgress(
  server: Server,
  isSandboxed: boolean,
  title: Shown,
  checks: RootsChecks,
): Promise<RootsCheckOutcome> {
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress({ location, title, cancellable: true }, (progress, token) =>
    checks.run(server, isSandboxed, {
      onStep: step => progress.report({ message: localized(step) }),
      onDidCancel: cancel => token.onCancellationRequested(cancel),
    }),
  );
}

function resultOf(label: string, outcome: Run['outcome']): Sentence {
  return outcome.kind === 'found'
    ? askingSentence(label, outcome.findings)
    : failureSentence(outcome.failure);
}

function notStarted(message: string): Run['outcome'] {
  return { kind: 'failed', failure: { kind: 'not-started', message }, missed: [] };
}

/**
 * The server is started, perhaps for the first time at all, so the user sees what that is.
 *
 * @returns for each start, whether it is in a sandbox; `undefined`: the user does not want any.
 */
async function askForWays(server: Server): Promise<readonly boolean[] | undefined> {
  const { definition } = server;
  const isSandboxable = await server.isSandboxable();
  const isOwn =
    definition.sandbox !== undefined || (isSandboxable && definition.sandboxIfAny !== undefined);
  const buttons = [
    { title: t('Check'), ways: [isOwn] },
    ...(isSandboxable && !isOwn ? [{ title: t('Check in the Sandbox'), ways: [true] }] : []),
    ...(isSandboxable ? [{ title: t('Check Both Ways'), ways: [true, false] }] : []),
  ];
  const question = t('Find out what "{0}" does with its folders?', shortLabel(definition));
  const { launch } = definition;
  const what = launch.type === 'http' ? httpDetail() : stdioDetail();
  const rest = [
    what,
    ...(mayDownload(launch) ? [downloadDetail()] : []),
    ...(isSandboxable ? [waysDetail(isOwn)] : []),
  ].join('\n');
  const detail = startDetail(server, undefined, [rest], await server.sandboxNeeds());
  const options = { modal: true, detail: shown(detail) };
  return (await vscode.window.showInformationMessage(question, options, ...buttons))?.ways;
}

function waysDetail(isOwn: boolean): string {
  return isOwn
    ? t('Both ways: in its sandbox, and once more without, with your rights.')
    : t('The sandbox keeps it in these folders. Both ways: once in it, once without.');
}

function stdioDetail(): string {
  return t(
    'This is started besides what already runs, and ended at most a minute after it has come up. It is told only of throw-away folders, which are made for this and then removed. Of its tools, only those that change nothing are called.',
  );
}

function downloadDetail(): string {
  return t('It may be downloaded first, which is waited for up to five minutes.');
}

function httpDetail(): string {
  return t(
    'A separate session is begun with it, and ended at most a minute later. It is told only of throw-away folders, which are made for this and then removed. Their paths leave this machine. Of its tools, only those that change nothing are called.',
  );
}
