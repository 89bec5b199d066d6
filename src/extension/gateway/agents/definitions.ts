import { createHash } from 'node:crypto';
import { DisposableStore, type IDisposable } from '../../../base/disposable.ts';
import type { Logger } from '../../../base/logger.ts';
import { editorName } from '../../../domain/gateway/clientNames.ts';
import { isHumanError } from '../../../domain/sentence.ts';
import { McpProvider } from '../../ids.ts';
import { localized } from '../../text.ts';
import * as vscode from '../../vscode.ts';
import {
  type ConnectorPlace,
  connectorStart,
  type PublishedServer,
  type PublishedServers,
} from './publishedServers.ts';

/**
 * Tells the editor's agents of the published servers. In an untrusted window there is no provider at
 * all: the oldest supported editor starts what it is told of there, too.
 */
export function registerDefinitions(
  published: PublishedServers,
  place: ConnectorPlace,
  logger: Logger,
): IDisposable {
  const store = new DisposableStore();
  const provider = definitionProvider(published, place, logger);
  const register = () => {
    // Editors made from VS Code may lack it.
    if (vscode.lm?.registerMcpServerDefinitionProvider) {
      store.add(vscode.lm.registerMcpServerDefinitionProvider(McpProvider.servers, provider));
    }
  };
  if (vscode.workspace.isTrusted) {
    register();
  } else {
    store.add(vscode.workspace.onDidGrantWorkspaceTrust(register));
  }
  return store;
}

/** Decides nothing: the gateway does, because agents outside of the editor's own never resolve. */
function definitionProvider(
  published: PublishedServers,
  place: ConnectorPlace,
  logger: Logger,
): vscode.McpServerDefinitionProvider<vscode.McpStdioServerDefinition> {
  return {
    onDidChangeMcpServerDefinitions: published.onDidChange,
    provideMcpServerDefinitions: async () => {
      try {
        const file = await place.file();
        return published.all.map(one => definitionOf(one, file, place.windowId));
      } catch (error) {
        // The editor would go on with what it was last told.
        logger.error(error instanceof Error ? error : String(error));
        return [];
      }
    },
    // Without an answer a call would hang in the oldest supported editor: it gets the reason.
    resolveMcpServerDefinition: definition => {
      try {
        published.assertPublished(definition.label);
      } catch (error) {
        throw isHumanError(error) ? new Error(localized(error.sentence)) : error;
      }
      return definition;
    },
  };
}

function definitionOf({ name, server }: PublishedServer, file: string, windowId: string) {
  const { command, args, env } = connectorStart(file, name, windowId);
  // A version of the tools, by which the editor keeps them. A new one has it end what runs, so this is
  // one of the server: what changes while that runs, the editor is told by the server itself.
  const version = createHash('sha256').update(server.identity).digest('hex').slice(0, 16);
  return new vscode.McpStdioServerDefinition(editorName(name), command, args, env, version);
}
