import type { Logger } from '../../base/logger.ts';
import { mayHaveRoots, startStep, whyNoStart } from '../../domain/consent/startStep.ts';
import { HumanError } from '../../domain/sentence.ts';
import { mayDownload } from '../../domain/servers/launch.ts';
import { folderNames } from '../consent/shownNames.ts';
import type { CandidateFolders } from '../folders/candidateFolders.ts';
import { reply, type Screen } from '../screen.ts';
import { bundledServerId } from '../servers/bundledServer.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';
import { failureText, t } from '../text.ts';
import { problemOfServer, remedyButton } from '../views/problemItem.ts';
import type { Row } from '../views/rows.ts';
import * as vscode from '../vscode.ts';
import { withPatience } from './withPatience.ts';

/** The parts of a window that a start by hand works with. */
export interface StartParts {
  readonly logger: Logger;
  readonly servers: Servers;
  readonly folders: CandidateFolders;
  readonly consent: { askBeforeStart(server: Server): Promise<boolean> };
  readonly screen: Screen;
}

/**
 * Starts a server for a person who waits for it: asks first what it may see, shows progress, and
 * says why when it did not start.
 *
 * @throws {HumanError} when it can't start as things are.
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
        '"{0}" was changed meanwhile, so it was not started. Start it again.',
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
  // Not awaited: it runs, and that is what was asked for.
  void exposeOnce(server, parts.logger);
}

/** @throws {HumanError} when no answer of the user could make the server start. */
export function assertStartable({ definition, access }: Server): void {
  const reason = whyNoStart(access, definition.label);
  if (reason) {
    throw new HumanError(reason);
  }
}

/**
 * The server as it is when its folders were looked at.
 *
 * @throws {HumanError} when none is there, but the disk of one has not answered in time: nothing could
 *   be asked, and a server that is started without a question is started without a folder.
 */
async function withFoldersFound(
  wanted: Server,
  { servers, folders }: Pick<StartParts, 'servers' | 'folders'>,
): Promise<Server> {
  await Promise.all([folders.refresh(), servers.refresh()]);
  // A change of its environment file makes it another server, which has taken its place by now.
  const server = servers.withId(wanted.definition.id) ?? wanted;
  const { definition, access } = server;
  const isBlank = !mayHaveRoots(access);
  const late = isBlank ? folders.unanswered(definition) : [];
  if (late.length > 0) {
    throw new HumanError(
      'The disk of {0} does not answer. Start "{1}" again when it does.',
      folderNames(late),
      definition.label,
    );
  }
  return server;
}

function sayNotStarted({ definition }: Server): void {
  void reply(
    t(
      '"{0}" was not started, since it may see no folder. Start it again to run it without any.',
      definition.label,
    ),
  );
}

async function startWithProgress(server: Server, screen: Screen): Promise<void> {
  const { label, launch } = server.definition;
  const title = mayDownload(launch)
    ? t('Starting "{0}", it may be downloading…', label)
    : t('Starting "{0}"…', label);
  await withPatience(server.start('by-hand'), title, () => void server.stop());
  reportStart(server, screen);
}

/** Says why a server was not started. The message stays until it is dismissed, and the command is done. */
function reportStart(server: Server, screen: Screen): void {
  if (server.state.kind === 'failed') {
    void sayWhyNotStarted(server, failureText(server.state.failure), screen);
  }
}

async function sayWhyNotStarted(server: Server, reason: string, screen: Screen): Promise<void> {
  const text = t('"{0}" {1}', server.definition.label, reason);
  const remedy = problemOfServer(server)?.remedy;
  const showLog = remedyButton({ kind: 'show-log' });
  const first = remedy && remedy.kind !== 'show-log' ? [remedyButton(remedy)] : [];
  const row: Row = { kind: 'server', server };
  const buttons = [...first, showLog].map(({ title, command }) => ({
    title,
    follow: () => vscode.commands.executeCommand(command, row),
  }));
  await screen.show(() =>
    server.state.kind === 'failed' ? { kind: 'warning', text, buttons } : undefined,
  );
}

/**
 * Has our own server ask for its roots, when it has not: in the modern era it does so only during a
 * call. A person who has just started it then sees what it was told.
 */
export async function exposeOnce(
  server: Pick<Server, 'definition' | 'state' | 'access' | 'lastExposure' | 'callTool'>,
  logger: Pick<Logger, 'warn'>,
): Promise<void> {
  const { definition, state, access, lastExposure } = server;
  const hasAsked = lastExposure !== undefined && lastExposure.trigger.kind !== 'launch';
  const isOurs = definition.id === bundledServerId && state.kind === 'running';
  if (isOurs && !hasAsked && access.roots.length > 0) {
    try {
      await server.callTool({ name: 'get-roots', arguments: {} });
    } catch (error) {
      logger.warn(`The bundled server could not be asked for its roots: ${String(error)}`);
    }
  }
}
