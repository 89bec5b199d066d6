import { DisposableStore, type IDisposable } from '../../../base/disposable.ts';
import type { Logger } from '../../../base/logger.ts';
import { startsByItself } from '../../../domain/consent/startStep.ts';
import { pickServer } from '../../commands/pickServer.ts';
import { Command } from '../../ids.ts';
import type { Commands } from '../../registerCommand.ts';
import { reply, type Screen } from '../../screen.ts';
import type { ServerRecords } from '../../servers/serverRecords.ts';
import type { Servers } from '../../servers/servers.ts';
import { t } from '../../text.ts';
import * as vscode from '../../vscode.ts';
import type { Clients } from '../clients.ts';
import { CursorServers, cursorMcp } from './cursor.ts';
import { registerDefinitions } from './definitions.ts';
import { OfferQuestion } from './offerQuestion.ts';
import { type ConnectorPlace, PublishedServers } from './publishedServers.ts';

/**
 * The ways in which a user offers a server to the editor's own agents: a command, with one that takes it
 * back, and a question.
 *
 * @param memory of all windows.
 */
export function registerAgents(
  commands: Commands,
  servers: Servers,
  records: ServerRecords,
  clients: Pick<Clients, 'isOpen'>,
  memory: vscode.Memento,
  screen: Screen,
): IDisposable {
  commands.register(Command.offerToAgents, async row => {
    const server = await pickServer(servers, row, {
      placeHolder: t('Offer which server to agents?'),
      isWanted: ({ isOffered }) => !isOffered,
      none: 'Every server is offered to agents already.',
    });
    if (!server) {
      return;
    }
    await records.setAnswer('offer', server, true);
    if (!startsByItself(server.access, server.isLaunchAllowed)) {
      void reply(
        t(
          '"{0}" is there for agents once you have started it and allowed it a folder.',
          server.definition.label,
        ),
      );
    }
  });
  commands.register(Command.withdrawFromAgents, async row => {
    const server = await pickServer(servers, row, {
      placeHolder: t('Withdraw which server from agents?'),
      isWanted: ({ isOffered }) => isOffered,
      none: 'No server is offered to agents.',
    });
    if (server) {
      await records.setAnswer('offer', server, false);
    }
  });
  // To who accepts without a gateway, nothing would come of it.
  const isWanted = () => clients.isOpen && hasChat();
  return new OfferQuestion(servers, records, memory, screen, commands.logger, isWanted);
}

/** Tells the editor's own agents of what is offered to them, from when the gateway lets them in. */
export function publish(servers: Servers, place: ConnectorPlace, logger: Logger): IDisposable {
  const store = new DisposableStore();
  const published = store.add(new PublishedServers(servers));
  const cursor = cursorMcp(vscode);
  store.add(
    // Cursor is made from VS Code, and would have them twice.
    cursor
      ? new CursorServers(cursor, published, place, logger)
      : registerDefinitions(published, place, logger),
  );
  return store;
}

/** Whether the user wants a chat in this editor. */
function hasChat(): boolean {
  return vscode.workspace.getConfiguration('chat').get('disableAIFeatures') !== true;
}
