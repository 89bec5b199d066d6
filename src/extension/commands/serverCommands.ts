import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { isInstalled } from '../../domain/sandbox/installStep.ts';
import { HumanError } from '../../domain/sentence.ts';
import { shown } from '../../domain/shown.ts';
import type { ActivityLog } from '../activity/activityLog.ts';
import type { Consent } from '../consent/consent.ts';
import type { Toasts } from '../consent/toasts.ts';
import type { CandidateFolders } from '../folders/candidateFolders.ts';
import { Command } from '../ids.ts';
import type { Logs } from '../logs.ts';
import { type ToolCallContext, ToolCallPages } from '../pages/toolCallPage.ts';
import { assertTrusted, type CommandId, type Commands } from '../registerCommand.ts';
import type { ServerSecrets } from '../secrets/serverSecrets.ts';
import type { RootsChecks } from '../servers/rootsChecks.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';
import type { SandboxSource } from '../servers/serverTarget.ts';
import { t } from '../text.ts';
import type { ServersView } from '../views/serversView.ts';
import * as vscode from '../vscode.ts';
import type { ServerKeeping } from './adding/writeServers.ts';
import { callTool } from './callTool.ts';
import { checkRootsSupport } from './checkRootsSupport.ts';
import { letRead } from './letRead.ts';
import { pickServer } from './pickServer.ts';
import { installProgram, passOn } from './remedies.ts';
import type { ResultDocuments } from './resultDocuments.ts';
import { type LifeWindow, lifeCommands } from './serverLife.ts';
import { assertStartable, type StartWindow, startServer } from './startServer.ts';
import { writeDefinition } from './writeDefinition.ts';

/** A window whose commands start servers. */
interface CommandWindow extends StartWindow {
  readonly commands: Commands;
}

/** Where the rows are on which a person calls commands. */
interface HandledRows {
  readonly view: Pick<ServersView, 'keepingFocus'>;
}

/** From `addServer` and `importServers` to `removeServer`. */
export function registerServerLife(commands: Commands, window: LifeWindow): IDisposable {
  const store = new DisposableStore();
  for (const command of lifeCommands) {
    store.add(
      commands.register(command, async row => {
        await writeDefinition(command, row, window);
      }),
    );
  }
  return store;
}

/** `startServer` */
export function registerStartServer(window: CommandWindow & HandledRows): vscode.Disposable {
  const { commands, servers, view } = window;
  return commands.register(Command.startServer, async row => {
    const server = await pickServer(servers, row, {
      placeHolder: t('Start which server?'),
      isWanted: ({ isLive }) => !isLive,
      none: 'Every server is running already.',
    });
    if (server) {
      await view.keepingFocus(row, () => startServer(server, window));
    }
  });
}

/** `callTool`: has the user pick what a running server offers, asks it for that, and shows it. */
export function registerCallTool(commands: Commands, context: ToolCallContext): vscode.Disposable {
  const { servers, results } = context;
  const store = new DisposableStore();
  const pages = store.add(new ToolCallPages(context));
  store.add(commands.register(Command.callTool, row => callTool(servers, row, pages, results)));
  return store;
}

/** `checkRootsSupport`: tries with throw-away folders what a server does with roots, and shows it. */
export function registerCheckRootsSupport(
  commands: Commands,
  servers: Servers,
  checks: RootsChecks,
  results: ResultDocuments,
  activity: ActivityLog,
  toasts: Toasts,
): vscode.Disposable {
  return commands.register(Command.checkRootsSupport, async row => {
    assertTrusted(
      'In Restricted Mode no server starts, so none can be checked. Trust this workspace first.',
    );
    await servers.refresh();
    const server = await pickServer(servers, row, {
      placeHolder: t('Check the roots support of which server?'),
    });
    const current = server && servers.withId(server.definition.id);
    if (current) {
      await checkRootsSupport(current, checks, results, activity, toasts);
    }
  });
}

/**
 * `signIn`, `installProgram` and `passOn`: what the row with the problem of a server offers besides the
 * commands that a server's own row has, too.
 */
export function registerRemedies(
  window: CommandWindow & { readonly keeping: ServerKeeping },
): IDisposable {
  const { commands, servers, keeping } = window;
  const register = (id: CommandId, run: (server: Server) => Promise<void>) =>
    commands.register(id, async row => {
      const server = row?.server;
      if (server) {
        await run(server);
      }
    });
  const store = new DisposableStore();
  store.add(
    register(Command.signIn, async server => {
      await startServer(server, window);
    }),
  );
  store.add(
    register(Command.installProgram, async server => {
      await installProgram(server);
    }),
  );
  store.add(
    register(Command.passOn, async server => {
      await passOn(server, servers, keeping);
    }),
  );
  return store;
}

/** `letRead`: lets a server in a sandbox read what it asked for in vain. */
export function registerLetRead(
  commands: Commands,
  servers: Servers,
  consent: Consent,
  keeping: ServerKeeping,
): vscode.Disposable {
  return commands.register(Command.letRead, async row => {
    const server = await pickServer(servers, row, {
      placeHolder: t('Let which server read what it asked for?'),
      isWanted: ({ missedPath }) => missedPath !== undefined,
      none: 'No server asked for anything that it does not see.',
    });
    if (server) {
      const carryOver: typeof consent.carryOver = (...answers) => consent.carryOver(...answers);
      await letRead({ server, servers, carryOver, ...keeping });
    }
  });
}

/** `stopServer`: ends the server's process and all that it started. */
export function registerStopServer(
  commands: Commands,
  servers: Servers,
  view: HandledRows['view'],
): vscode.Disposable {
  return commands.register(Command.stopServer, async row => {
    const server = await pickServer(servers, row, {
      placeHolder: t('Stop which server?'),
      isWanted: ({ isLive, plan }) => isLive || plan.kind === 'waiting',
      none: 'No server is running.',
    });
    await (server && view.keepingFocus(row, () => server.stop()));
  });
}

/** `restartServer`: stops a running server and starts it with what it may see now. */
export function registerRestartServer(window: CommandWindow & HandledRows): vscode.Disposable {
  const { commands, servers, view } = window;
  return commands.register(Command.restartServer, async row => {
    const server = await pickServer(servers, row, {
      placeHolder: t('Restart which server?'),
      isWanted: ({ isLive }) => isLive,
      none: 'No server is running. Start one first.',
    });
    if (server) {
      await view.keepingFocus(row, async () => {
        await server.stop();
        await startServer(server, window);
      });
    }
  });
}

/** `updateServer`: has a server in a sandbox fetched anew, which otherwise stays as it was installed. */
export function registerUpdateServer(
  window: CommandWindow,
  sandbox: SandboxSource,
): vscode.Disposable {
  const { commands, servers } = window;
  return commands.register(Command.updateServer, async row => {
    const server = await pickServer(servers, row, {
      placeHolder: t('Update which server?'),
      isWanted: ({ definition }) => isInstalled(definition),
      none: 'No server in a sandbox fetches what it runs.',
    });
    if (server) {
      assertStartable(server);
      await (await sandbox()).forgetInstalled(server.programIdentity);
      await server.stop();
      await startServer(server, window);
    }
  });
}

/** `reviewAccess`: all folders of one server in one list, to allow and to refuse. */
export function registerReviewAccess(
  commands: Commands,
  servers: Servers,
  folders: CandidateFolders,
  consent: Consent,
): vscode.Disposable {
  return commands.register(Command.reviewAccess, async row => {
    const server = await pickServer(servers, row, {
      placeHolder: t('Review the folders of which server?'),
    });
    if (server) {
      await folders.refresh();
      await consent.review(server);
    }
  });
}

/** `showLog`: the log of the server whose row it was called from, else one that the user picks. */
export function registerShowLog(
  commands: Commands,
  servers: Servers,
  logs: Logs,
): vscode.Disposable {
  return commands.register(Command.showLog, async row => {
    const own = row?.server;
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
    ...servers.map(server => ({ label: shown(server.definition.label), server })),
    {
      label: t('MCP Roots'),
      description: t('what the extension itself says'),
      server: undefined,
    },
  ];
  const placeHolder = t('Show which log?');
  return vscode.window.showQuickPick(items, { placeHolder });
}

/** `forgetSecrets`: removes what was entered for a server and what it was signed in with. */
export function registerForgetSecrets(
  commands: Commands,
  servers: Servers,
  secrets: ServerSecrets,
): vscode.Disposable {
  return commands.register(Command.forgetSecrets, async row => {
    const server = await pickServer(servers, row, {
      placeHolder: t('Forget the secrets of which server?'),
    });
    if (!server) {
      return;
    }
    const { label, id: serverId } = server.definition;
    if ((await secrets.forget(serverId)) === 0) {
      throw new HumanError('No secrets are kept for "{0}".', label);
    }
    void vscode.window.showInformationMessage(
      t('The secrets of "{0}" are forgotten. You are asked again when it starts.', label),
    );
  });
}
