import * as vscode from 'vscode';
import type { Logger } from '../../base/logger.ts';
import { startStep } from '../../domain/consent/folderAccess.ts';
import { isInstalled } from '../../domain/sandbox/installStep.ts';
import { HumanError } from '../../domain/sentence.ts';
import { mayDownload } from '../../domain/servers/launch.ts';
import type { ActivityLog } from '../activity/activityLog.ts';
import type { Consent } from '../consent/consent.ts';
import type { CandidateFolders } from '../folders/candidateFolders.ts';
import { Command } from '../ids.ts';
import type { Logs } from '../logs.ts';
import { assertTrusted, registerCommand } from '../registerCommand.ts';
import type { ServerSecrets } from '../secrets/serverSecrets.ts';
import type { Elicitations } from '../servers/elicitations.ts';
import type { RootsChecks } from '../servers/rootsChecks.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';
import type { SandboxSource } from '../servers/serverTarget.ts';
import { failureText } from '../text.ts';
import { type Row, serverOf } from '../views/rows.ts';
import type { SecretKeeping } from './adding/writeServers.ts';
import { pickServer } from './pickServer.ts';
import type { ResultDocuments } from './resultDocuments.ts';
import { withPatience } from './withPatience.ts';

/** `startServer` */
export function registerStartServer(
  logger: Logger,
  servers: Servers,
  folders: CandidateFolders,
  consent: Consent,
): vscode.Disposable {
  return registerCommand(logger, Command.startServer, async row => {
    const server = await pickServer(servers, row, {
      placeHolder: vscode.l10n.t('Start which server?'),
      isWanted: ({ isLive }) => !isLive,
      none: 'Every server is running already.',
    });
    if (server) {
      await startServer(server, servers, folders, consent);
    }
  });
}

/**
 * Starts a server for a person who waits for it: asks first what it may see, shows progress, and
 * says why when it did not start.
 *
 * @throws {HumanError} when it can't start as things are.
 */
async function startServer(
  wanted: Server,
  servers: Servers,
  folders: CandidateFolders,
  consent: Consent,
): Promise<void> {
  await Promise.all([folders.refresh(), servers.refresh()]);
  // A change of its environment file makes it another server, which has taken its place by now.
  const server = servers.withId(wanted.definition.id) ?? wanted;
  assertStartable(server);
  if (startStep(server.access, server.isLaunchAllowed) === 'ask') {
    const isAboutFolders = server.access.waiting.length > 0;
    const isAnswered = await consent.askBeforeStart(server);
    if (!isAnswered) {
      return;
    }
    if (server.isRetired) {
      throw new HumanError(
        '"{0}" was changed meanwhile, so it was not started. Start it again.',
        server.definition.label,
      );
    }
    if (isAboutFolders && server.access.roots.length === 0) {
      sayNotStarted(server);
      return;
    }
  }
  await startWithProgress(server);
}

function sayNotStarted({ definition }: Server): void {
  void vscode.window.showInformationMessage(
    vscode.l10n.t(
      '"{0}" was not started, since it may see no folder. Start it again to run it without any.',
      definition.label,
    ),
  );
}

function assertStartable({ definition, access, isLaunchAllowed }: Server): void {
  switch (startStep(access, isLaunchAllowed)) {
    case 'no-folder':
      throw new HumanError(
        'No folder is open, so there is nothing to expose. Open a folder first.',
      );
    case 'restricted':
      throw new HumanError(
        'In Restricted Mode no server starts and no folder is exposed. Trust this workspace first.',
      );
    case 'virtual':
      throw new HumanError(
        'The folders of this window are not on disk, so "{0}" can\'t be told of them.',
        definition.label,
      );
  }
}

async function startWithProgress(server: Server): Promise<void> {
  const { label, launch } = server.definition;
  const title = mayDownload(launch)
    ? vscode.l10n.t('Starting "{0}", it may be downloading…', label)
    : vscode.l10n.t('Starting "{0}"…', label);
  const state = await withPatience(server.start('by-hand'), title, () => void server.stop());
  if (state.kind === 'failed') {
    // Not awaited: the message stays until it is dismissed, and the command is done.
    void reportFailure(server, failureText(state.failure));
  }
}

async function reportFailure(server: Server, reason: string): Promise<void> {
  const showLog = vscode.l10n.t('Show Log');
  const message = vscode.l10n.t('"{0}" {1}', server.definition.label, reason);
  if ((await vscode.window.showErrorMessage(message, showLog)) === showLog) {
    const row: Row = { kind: 'server', server };
    await vscode.commands.executeCommand(Command.showLog, row);
  }
}

/** `callTool`: has the user pick what a running server offers, asks it for that, and shows it. */
export function registerCallTool(
  logger: Logger,
  servers: Servers,
  results: ResultDocuments,
  elicitations: Elicitations,
): vscode.Disposable {
  return registerCommand(logger, Command.callTool, async row => {
    const { callTool } = await import('./onDemand.ts');
    await callTool(servers, row, results, elicitations);
  });
}

/** `checkRootsSupport`: tries with throw-away folders what a server does with roots, and shows it. */
export function registerCheckRootsSupport(
  logger: Logger,
  servers: Servers,
  checks: RootsChecks,
  results: ResultDocuments,
  activity: ActivityLog,
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
    if (current) {
      const { checkRootsSupport } = await import('./onDemand.ts');
      await checkRootsSupport(current, checks, results, activity);
    }
  });
}

/** `letRead`: lets a server in a sandbox read what it asked for in vain. */
export function registerLetRead(
  logger: Logger,
  servers: Servers,
  consent: Consent,
  keeping: SecretKeeping,
): vscode.Disposable {
  return registerCommand(logger, Command.letRead, async row => {
    const server = await pickServer(servers, row, {
      placeHolder: vscode.l10n.t('Let which server read what it asked for?'),
      isWanted: ({ missedPath }) => missedPath !== undefined,
      none: 'No server asked for anything that it does not see.',
    });
    if (server) {
      const { letRead } = await import('./onDemand.ts');
      const carryOver: typeof consent.carryOver = (...answers) => consent.carryOver(...answers);
      await letRead({ server, servers, carryOver, ...keeping });
    }
  });
}

/** `stopServer`: ends the server's process and all that it started. */
export function registerStopServer(logger: Logger, servers: Servers): vscode.Disposable {
  return registerCommand(logger, Command.stopServer, async row => {
    const server = await pickServer(servers, row, {
      placeHolder: vscode.l10n.t('Stop which server?'),
      isWanted: ({ isLive, plan }) => isLive || plan.kind === 'waiting',
      none: 'No server is running.',
    });
    await server?.stop();
  });
}

/** `restartServer`: stops a running server and starts it with what it may see now. */
export function registerRestartServer(
  logger: Logger,
  servers: Servers,
  folders: CandidateFolders,
  consent: Consent,
): vscode.Disposable {
  return registerCommand(logger, Command.restartServer, async row => {
    const server = await pickServer(servers, row, {
      placeHolder: vscode.l10n.t('Restart which server?'),
      isWanted: ({ isLive }) => isLive,
      none: 'No server is running. Start one first.',
    });
    if (server) {
      await server.stop();
      await startServer(server, servers, folders, consent);
    }
  });
}

/** `updateServer`: has a server in a sandbox fetched anew, which otherwise stays as it was installed. */
export function registerUpdateServer(
  logger: Logger,
  servers: Servers,
  folders: CandidateFolders,
  consent: Consent,
  sandbox: SandboxSource,
): vscode.Disposable {
  return registerCommand(logger, Command.updateServer, async row => {
    const server = await pickServer(servers, row, {
      placeHolder: vscode.l10n.t('Update which server?'),
      isWanted: ({ definition }) => isInstalled(definition),
      none: 'No server in a sandbox fetches what it runs.',
    });
    if (server) {
      assertStartable(server);
      await (await sandbox()).forgetInstalled(server.programIdentity);
      await server.stop();
      await startServer(server, servers, folders, consent);
    }
  });
}

/** `reviewAccess`: all folders of one server in one list, to allow and to refuse. */
export function registerReviewAccess(
  logger: Logger,
  servers: Servers,
  folders: CandidateFolders,
  consent: Consent,
): vscode.Disposable {
  return registerCommand(logger, Command.reviewAccess, async row => {
    const server = await pickServer(servers, row, {
      placeHolder: vscode.l10n.t('Review the folders of which server?'),
    });
    if (server) {
      await folders.refresh();
      await consent.review(server);
    }
  });
}

/** `showLog`: the log of the server whose row it was called from, else one that the user picks. */
export function registerShowLog(logger: Logger, servers: Servers, logs: Logs): vscode.Disposable {
  return registerCommand(logger, Command.showLog, async row => {
    const own = serverOf(row);
    const picked = own ? { server: own } : await pickLog(servers.all);
    if (picked) {
      const channel = picked.server ? logs.forServer(picked.server.definition) : logs.extension;
      channel.show();
    }
  });
}

interface LogItem extends vscode.QuickPickItem {
  /** `undefined`: the log of the extension. */
  readonly server: Server | undefined;
}

async function pickLog(servers: readonly Server[]): Promise<LogItem | undefined> {
  const items: LogItem[] = [
    ...servers.map(server => ({ label: server.definition.label, server })),
    {
      label: vscode.l10n.t('MCP Roots'),
      description: vscode.l10n.t('what the extension itself says'),
      server: undefined,
    },
  ];
  const placeHolder = vscode.l10n.t('Show which log?');
  return vscode.window.showQuickPick(items, { placeHolder });
}

/** `forgetSecrets`: removes what was entered for a server and what it was signed in with. */
export function registerForgetSecrets(
  logger: Logger,
  servers: Servers,
  secrets: ServerSecrets,
): vscode.Disposable {
  return registerCommand(logger, Command.forgetSecrets, async row => {
    const server = await pickServer(servers, row, {
      placeHolder: vscode.l10n.t('Forget the secrets of which server?'),
    });
    if (!server) {
      return;
    }
    const { label, id: serverId } = server.definition;
    if ((await secrets.forget(serverId)) === 0) {
      throw new HumanError('No secrets are kept for "{0}".', label);
    }
    void vscode.window.showInformationMessage(
      vscode.l10n.t(
        'The secrets of "{0}" are forgotten. You are asked again when it starts.',
        label,
      ),
    );
  });
}
