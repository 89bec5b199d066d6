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
 * Offers the published servers to the editor's agents. In an untrusted window there is no provider, because
 * the oldest supported editor would start the servers there, too.
 */
export function registerDefinitions(
  published: PublishedServers,
  place: ConnectorPlace,
  logger: Logger,
): IDisposable {
  const store = new DisposableStore();
  const provider = definitionProvider(published, place, logger);
  const register = () => {
    // Editors made from VS Code may lack this API.
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

/** Leaves decisions to the gateway, because agents other than the editor's own never resolve. */
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
        // After an error, the editor would keep the earlier list.
        logger.error(error instanceof Error ? error : String(error));
        return [];
      }
    },
    // Without an answer, a call would hang in the oldest supported editor. So it gets the reason.
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
  // The version under which the editor caches the tools. Another version makes it end a running server, so
  // the version follows the server's identity. While a server runs, it announces its own changes.
  const version = createHash('sha256').update(server.identity).digest('hex').slice(0, 16);
  return new vscode.McpStdioServerDefinition(editorName(name), command, args, env, version);
}
