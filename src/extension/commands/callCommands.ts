import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { inMarkdown, markdownSentence } from '../../domain/printable.ts';
import { factsOf, type RootsFindings } from '../../domain/rootsCheck/rootsFindings.ts';
import { type Sentence, sentence } from '../../domain/sentence.ts';
import { mayDownload } from '../../domain/servers/launch.ts';
import { failureSentence } from '../../domain/servers/serverFailure.ts';
import { shown } from '../../domain/shown.ts';
import type { ActivityLog } from '../activity/activityLog.ts';
import { shortLabel } from '../consent/shownNames.ts';
import { startDetail } from '../consent/startQuestion.ts';
import { Command } from '../ids.ts';
import { type ToolCallContext, ToolCallPages } from '../pages/toolCallPage.ts';
import type { Commands } from '../registerCommand.ts';
import type { Screen } from '../screen.ts';
import type { RootsChecks } from '../servers/rootsChecks.ts';
import type { Server } from '../servers/server.ts';
import { failureText, localized, t } from '../text.ts';
import * as vscode from '../vscode.ts';
import { callTool } from './callTool.ts';
import { registerOnServer } from './pickServer.ts';
import { ResultDocuments } from './resultDocuments.ts';

/** The commands that ask a server for something, and show what it answers. */
export function registerCallCommands(
  commands: Commands,
  checks: RootsChecks,
  activity: ActivityLog,
  calling: Omit<ToolCallContext, 'results'>,
): IDisposable {
  const { servers, screen } = calling;
  const store = new DisposableStore();
  const results = store.add(new ResultDocuments());
  const pages = store.add(new ToolCallPages({ ...calling, results }));
  const called = {
    placeHolder: t('Call a tool of which server?'),
    isWanted: ({ state }: Server) => state.kind === 'running',
    none: 'No server is running. Start one first.',
  };
  registerOnServer(commands, servers, Command.callTool, called, (server, row) =>
    callTool(server, row, pages, results),
  );
  const checked = {
    placeHolder: t('Check the roots support of which server?'),
    untrusted:
      'In Restricted Mode no server starts, so none can be checked. Trust this workspace first.',
  };
  registerOnServer(commands, servers, Command.checkRootsSupport, checked, async picked => {
    await servers.refresh();
    const server = servers.withId(picked.definition.id);
    await (server && checkRootsSupport(server, checks, results, activity, screen));
  });
  return store;
}

/**
 * Asks whether to check a server, and shows what was found. A check that the user cancels shows
 * nothing.
 *
 * @throws {HumanError} when there is a reason not to start it.
 */
export async function checkRootsSupport(
  server: Server,
  checks: RootsChecks,
  results: ResultDocuments,
  activity: Pick<ActivityLog, 'add'>,
  screen: Screen,
): Promise<void> {
  const { id, label } = server.definition;
  if (!(await isWanted(server, screen))) {
    return;
  }
  const outcome = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: t('Checking "{0}"', label),
      cancellable: true,
    },
    (_, token) => checks.run(server, token),
  );
  if (outcome.kind === 'cancelled') {
    return;
  }
  const result =
    outcome.kind === 'found'
      ? sentence('Asked for its roots: {0}.', outcome.findings.firstAsked ?? sentence('never'))
      : failureSentence(outcome.failure);
  activity.add({ kind: 'checked', at: Date.now(), serverId: id, serverLabel: label, result });
  if (outcome.kind === 'failed') {
    screen.tell(t('"{0}" {1}', label, failureText(outcome.failure)), 'error');
  } else {
    await results.open(`roots-support-${label}`, 'md', reportOf(label, outcome.findings), false);
  }
}

/** The server is started, perhaps for the first time at all, so the user sees what that is. */
async function isWanted(server: Server, screen: Screen): Promise<boolean> {
  const { launch } = server.definition;
  const text = t('Find out what "{0}" does with its folders?', shortLabel(server.definition));
  const rest = [
    t(
      'It is started or reached once more besides what already runs, and ended at most a minute after it has come up. It is told only of throw-away folders, which are made for this and then removed. Of its tools, only those that change nothing are called.',
    ),
    ...(launch.type === 'http' ? [t('The paths of these folders leave this machine.')] : []),
    ...(mayDownload(launch)
      ? [t('It may be downloaded first, which is waited for up to five minutes.')]
      : []),
  ].join('\n');
  const detail = shown(startDetail(server, undefined, rest, await server.sandboxNeeds()));
  const buttons = [{ title: t('Check'), follow: () => true }];
  return (await screen.ask({ kind: 'information', text, detail, buttons })) === true;
}

/** The findings as a table in Markdown, in the user's language. Advice has a column where there is some. */
export function reportOf(label: string, findings: RootsFindings): string {
  const text = (one: Sentence | undefined) => (one ? localized(markdownSentence(one)) : '');
  const facts = factsOf(findings);
  const columns = facts.some(({ todo }) => todo) ? 3 : 2;
  const row = (...cells: readonly string[]) => `| ${cells.slice(0, columns).join(' | ')} |`;
  return [
    `# ${t('Roots Support of {0}', inMarkdown(label))}`,
    '',
    row(t('Fact'), t('Seen'), t('What to do')),
    row('---', '---', '---'),
    ...facts.map(({ what, seen, todo }) => row(text(what), text(seen), text(todo))),
    '',
    t('This is what happened this time. It is no promise of what the server does next.'),
    '',
  ].join('\n');
}
