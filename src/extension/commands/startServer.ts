import type { Logger } from '../../base/logger.ts';
import { within } from '../../base/timeLimit.ts';
import { mayHaveRoots, startStep, whyNoStart } from '../../domain/consent/startStep.ts';
import { HumanError } from '../../domain/sentence.ts';
import { mayDownload } from '../../domain/servers/launch.ts';
import type { CandidateFolders } from '../folders/candidateFolders.ts';
import type { Row } from '../rows.ts';
import { reply, type Screen } from '../screen.ts';
import { bundledServerId } from '../servers/bundledServer.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';
import type { SandboxSource } from '../servers/serverTarget.ts';
import { folderNames, listed, shortPath } from '../shownNames.ts';
import { failureText, t } from '../text.ts';
import { problemOfServer, remedyButton } from '../views/problemItem.ts';
import * as vscode from '../vscode.ts';

/** The parts of a window that a start by hand needs. */
export interface StartParts {
  readonly logger: Logger;
  readonly servers: Servers;
  readonly folders: CandidateFolders;
  readonly consent: { askBeforeStart(server: Server): Promise<boolean> };
  readonly screen: Screen;
}

/**
 * Starts a server for a person who waits: first asks which folders it may see, then shows progress,
 * and says why the start failed.
 *
 * @throws {HumanError} when the server can't start now.
 */
export async function startServer(wanted: Server, parts: StartParts): Promise<void> {
  const server = await withFoldersFound(wanted, parts);
  assertStartable(server);
  if (startStep(server.access, server.isLaunchAllowed) === 'ask') {
    if (await server.failsAhead()) {
      reportStart(server, parts.screen);
      return;
    }
    const isAboutFolders = server.access.waiting.length > 0;
    const isAnswered = await parts.consent.askBeforeStart(server);
    if (server.isRetired) {
      throw new HumanError(
        '"{0}" changed meanwhile, so it was not started. Start the server again.',
        server.definition.label,
      );
    }
    if (!isAnswered) {
      return;
    }
    if (isAboutFolders && server.access.roots.length === 0) {
      sayNotStarted(server);
      return;
    }
  }
  await startWithProgress(server, parts.screen);
  // Not awaited: the server runs, which is all that the person wanted.
  void exposeOnce(server, parts.logger);
}

/**
 * Makes a sandboxed server fetch its program again, and starts it. Nothing else updates a program.
 *
 * @throws {HumanError} when the server can't start now.
 */
export async function updateServer(
  server: Server,
  sandbox: SandboxSource,
  parts: StartParts,
): Promise<void> {
  assertStartable(server);
  const { storageKey, definition } = server;
  const { storage } = await sandbox();
  const { beside } = await storage.stored(storageKey);
  const detail = t(
    'The server stored files beside its program: {0}. If npx fetched the program, the new program gets a copy of the files. The old program and its files stay until you remove the server.',
    listed(beside.map(shortPath)),
  );
  const question = t('Update server "{0}"?', definition.label);
  if (beside.length > 0 && !(await parts.screen.confirm(question, detail, t('Update')))) {
    return;
  }
  await storage.outdate(storageKey);
  await server.stop();
  await startServer(server, parts);
}

/** @throws {HumanError} when no answer of the user could make the server start. */
function assertStartable({ definition, access }: Server): void {
  const reason = whyNoStart(access, definition.label);
  if (reason) {
    throw new HumanError(reason);
  }
}

/**
 * Checks the folders on disk again, and returns the server, or the server that has replaced it.
 *
 * @throws {HumanError} when no folder was found and some disk has not answered in time. Then
 *   there is no folder to ask about, and the server would start without a folder.
 */
async function withFoldersFound(
  wanted: Server,
  { servers, folders }: Pick<StartParts, 'servers' | 'folders'>,
): Promise<Server> {
  await Promise.all([folders.refresh(), servers.refresh()]);
  // If the server's environment file changed, a new server object has replaced `wanted` by now.
  const server = servers.withId(wanted.definition.id) ?? wanted;
  const { definition, access } = server;
  const isBlank = !mayHaveRoots(access);
  const late = isBlank ? folders.unanswered(definition) : [];
  if (late.length > 0) {
    throw new HumanError(
      'The disk of {0} does not answer. When the disk answers, start "{1}" again.',
      folderNames(late, [server]),
      definition.label,
    );
  }
  return server;
}

function sayNotStarted({ definition }: Server): void {
  void reply(
    t(
      '"{0}" was not started, because it may see no folder. To run the server without folders, start it again.',
      definition.label,
    ),
  );
}

/** After this many milliseconds, a message with the start's progress and Cancel appears. */
const patience = 700;

async function startWithProgress(server: Server, screen: Screen): Promise<void> {
  const { label, launch } = server.definition;
  const starting = server.start('by-hand');
  const isDone = starting.then(() => true);
  if (!(await within(isDone, patience, false))) {
    const title = mayDownload(launch)
      ? t('Starting "{0}", which may be downloading…', label)
      : t('Starting "{0}"…', label);
    const location = vscode.ProgressLocation.Notification;
    const options = { location, title, cancellable: true };
    await vscode.window.withProgress(options, (_, token) => {
      token.onCancellationRequested(() => server.stop());
      return starting;
    });
  }
  reportStart(server, screen);
}

/** Says why a server did not start. The command does not wait for the message to close. */
function reportStart(server: Server, screen: Screen): void {
  if (server.state.kind !== 'failed') {
    return;
  }
  const text = t('"{0}" {1}', server.definition.label, failureText(server.state.failure));
  const remedy = problemOfServer(server)?.remedy;
  const showLog = remedyButton({ kind: 'show-log' });
  const first = remedy && remedy.kind !== 'show-log' ? [remedyButton(remedy)] : [];
  const row: Row = { kind: 'server', server };
  const buttons = [...first, showLog].map(({ title, command }) => ({
    title,
    follow: () => vscode.commands.executeCommand(command, row),
  }));
  void screen.show(() =>
    server.state.kind === 'failed' ? { kind: 'warning', text, buttons } : undefined,
  );
}

/**
 * Makes the bundled server ask for its roots, unless it has asked. In revision 2026-07-28, it can
 * ask only during a call. So the person who started it sees at once which folders it learned of.
 */
export async function exposeOnce(
  server: Pick<Server, 'definition' | 'state' | 'access' | 'lastExposure' | 'requests'>,
  logger: Pick<Logger, 'warn'>,
): Promise<void> {
  const { definition, state, access, lastExposure } = server;
  const hasAsked = lastExposure !== undefined && lastExposure.trigger.kind !== 'launch';
  const isOurs = definition.id === bundledServerId && state.kind === 'running';
  if (isOurs && !hasAsked && access.roots.length > 0) {
    try {
      await server.requests.callTool({ name: 'get-roots', arguments: {} });
    } catch (error) {
      logger.warn(`The bundled server did not answer with its roots: ${String(error)}`);
    }
  }
}
