import { isInstalled } from '../../domain/sandbox/installStep.ts';
import { HumanError } from '../../domain/sentence.ts';
import { shown } from '../../domain/shown.ts';
import { Command } from '../ids.ts';
import type { Logs } from '../logs.ts';
import type { Commands } from '../registerCommand.ts';
import type { Server } from '../servers/server.ts';
import type { SandboxSource } from '../servers/serverTarget.ts';
import { t } from '../text.ts';
import { problemOfServer } from '../views/problemItem.ts';
import * as vscode from '../vscode.ts';
import { registerOnServer } from './pickServer.ts';
import { assertStartable, type StartParts, startServer } from './startServer.ts';

/** The parts of a window that starting and stopping by hand takes. */
interface ServerParts extends StartParts {
  readonly commands: Commands;
  readonly sandbox: SandboxSource;
  readonly logs: Logs;
}

/** The commands that start, stop and update servers, and show what they said. */
export function registerServerCommands(parts: ServerParts): void {
  const { commands, servers, sandbox } = parts;
  const onServer = registerOnServer.bind(undefined, commands, servers);
  const starting = {
    placeHolder: t('Start which server?'),
    isWanted: ({ isLive }: Server) => !isLive,
    none: 'Every server is running already.',
  };
  onServer(Command.startServer, starting, server => startServer(server, parts));
  const stopping = {
    placeHolder: t('Stop which server?'),
    isWanted: ({ isLive, plan }: Server) => isLive || plan.kind === 'waiting',
    none: 'No server is running.',
  };
  onServer(Command.stopServer, stopping, server => server.stop());
  const restarting = {
    placeHolder: t('Restart which server?'),
    isWanted: ({ isLive }: Server) => isLive,
    none: 'No server is running. Start one first.',
  };
  onServer(Command.restartServer, restarting, async server => {
    await server.stop();
    await startServer(server, parts);
  });
  const updating = {
    placeHolder: t('Update which server?'),
    isWanted: ({ definition }: Server) => isInstalled(definition),
    none: 'No server in a sandbox fetches what it runs.',
  };
  // One in a sandbox otherwise stays as it was installed.
  onServer(Command.updateServer, updating, async server => {
    assertStartable(server);
    await (await sandbox()).forgetInstalled(server.programIdentity);
    await server.stop();
    await startServer(server, parts);
  });
  registerShowLog(parts);
  // On the row with the problem of a server that wants the user to sign in, or lacks its program.
  commands.register(Command.signIn, async row => {
    await (row && startServer(row.server, parts));
  });
  commands.register(Command.installProgram, async row => {
    await (row && installProgram(row.server));
  });
}

/** `showLog`: the log of the server whose row it was called from, else one that the user picks. */
function registerShowLog({ commands, servers, logs }: ServerParts): void {
  commands.register(Command.showLog, async row => {
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

/**
 * Opens the page that says how the program of a server is installed.
 *
 * @throws {HumanError} when it lacks none that is known.
 */
async function installProgram(server: Server): Promise<void> {
  const remedy = problemOfServer(server)?.remedy;
  if (remedy?.kind !== 'install') {
    throw new HumanError('No missing program of "{0}" is known.', server.definition.label);
  }
  await vscode.env.openExternal(vscode.Uri.parse(remedy.page));
}
