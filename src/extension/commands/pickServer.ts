import type { Logger } from '../../base/logger.ts';
import { HumanError } from '../../domain/sentence.ts';
import { isInstalled } from '../../domain/servers/installStep.ts';
import { type Shown, shown } from '../../domain/shown.ts';
import { assertTrusted, reportFailure } from '../reportFailure.ts';
import { serversIn, type ViewRow } from '../rows.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';
import { stateText, t } from '../text.ts';
import * as vscode from '../vscode.ts';
import type { OnRow, OnRows } from './registerCommands.ts';

/** The servers that a command can use, and the texts of the list to pick from. */
export interface ServerPick {
  readonly placeHolder: Shown;
  /** Whether the command can use a server; left out: it can use every server. */
  readonly isWanted?: (server: Server) => boolean;
  /** An English sentence for the case that no server fits. It is translated when it is shown. */
  readonly none?: string;
  /** The sentence for Restricted Mode; left out: the command works there, too. */
  readonly untrusted?: string;
}

/** The servers that each command can use, by the command's name in `ids`. */
export function serverPicks() {
  // For servers of the settings only. The bundled server has no definition there.
  const change = {
    isWanted: ({ definition }: Server) => definition.from !== undefined,
    none: 'Your settings have no servers.',
    untrusted:
      'In Restricted Mode no server can be changed, because the settings of servers are ignored. Trust this workspace first.',
  };
  return {
    startServer: {
      placeHolder: t('Start which server?'),
      isWanted: ({ isLive }: Server) => !isLive,
      none: 'Every server is running already.',
    },
    stopServer: {
      placeHolder: t('Stop which server?'),
      isWanted: ({ isLive, plan }: Server) => isLive || plan.kind === 'waiting',
      none: 'No server is running.',
    },
    restartServer: {
      placeHolder: t('Restart which server?'),
      isWanted: ({ isLive }: Server) => isLive,
      none: 'No server is running. Start one first.',
    },
    updateServer: {
      placeHolder: t('Update which server?'),
      isWanted: ({ definition }: Server) => isInstalled(definition),
      none: 'No server can be updated, because none downloads its program into a sandbox.',
    },
    editServer: { ...change, placeHolder: t('Edit which server?') },
    renameServer: { ...change, placeHolder: t('Rename which server?') },
    removeServer: { ...change, placeHolder: t('Remove which server?') },
    letRead: {
      placeHolder: t('Which server may read the path that it asked for?'),
      isWanted: ({ missedPath }: Server) => missedPath !== undefined,
      none: 'No server asked for a file outside its sandbox.',
    },
    forgetSecrets: { placeHolder: t("Which server's secrets should be deleted?") },
    reviewAccess: { placeHolder: t("Which server's folders do you want to review?") },
    offerFolder: {
      placeHolder: t('Offer a folder to which server?'),
      untrusted:
        'In Restricted Mode no folder can be offered to a server. Trust this workspace first.',
    },
    callTool: {
      placeHolder: t("Which server's tool do you want to call?"),
      isWanted: ({ state, isIdle }: Server) => state.kind === 'running' || isIdle,
      none: 'No server is running. Start one first.',
    },
    offerToAgents: {
      placeHolder: t('Offer which server to agents?'),
      isWanted: ({ isOffered }: Server) => !isOffered,
      none: 'Every server is offered to agents already.',
    },
    withdrawFromAgents: {
      placeHolder: t('Withdraw which server from agents?'),
      isWanted: ({ isOffered }: Server) => isOffered,
      none: 'No server is offered to agents.',
    },
  };
}

/** A command for the server of a row. Without a row, for the only server or the user's pick. */
export function onServer(
  servers: Servers,
  pick: ServerPick,
  run: (server: Server, row: ViewRow | undefined) => Promise<unknown>,
): OnRow {
  return async row => {
    for (const server of await pickServers(servers, row ? [row] : [], pick)) {
      await run(server, row);
    }
  };
}

/** A command for the servers of all selected rows, in turn, because each may ask a question. */
export function onServers(
  servers: Servers,
  logger: Logger,
  pick: ServerPick,
  run: (server: Server) => Promise<unknown>,
): OnRows {
  return async rows => {
    for (const server of await pickServers(servers, rows, pick)) {
      await reportFailure(logger, () => run(server));
    }
  };
}

/**
 * The servers that a command is about: the servers of the rows, or the user's pick. Empty when the
 * user leaves without a pick.
 *
 * @throws {HumanError} with `none` when there is nothing to pick.
 */
export async function pickServers(
  servers: Pick<Servers, 'all'>,
  rows: readonly ViewRow[],
  { placeHolder, isWanted = () => true, none = 'There is no server.', untrusted }: ServerPick,
): Promise<readonly Server[]> {
  if (untrusted !== undefined) {
    assertTrusted(untrusted);
  }
  const wanted = (rows.length > 0 ? serversIn(rows) : servers.all).filter(isWanted);
  if (wanted.length === 0) {
    throw new HumanError(none);
  }
  if (rows.length > 0 || wanted.length === 1) {
    return wanted;
  }
  const items = wanted.map(server => ({
    label: shown(server.definition.label),
    description: stateText(server.state),
    server,
  }));
  const picked = await vscode.window.showQuickPick(items, { placeHolder });
  return picked ? [picked.server] : [];
}
