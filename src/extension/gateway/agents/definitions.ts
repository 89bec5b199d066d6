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
 * Offers the published servers to the editor's agents. An untrusted window has no provider, because
 * the oldest supported editor would start the servers there.
 */
export function registerDefinitions(
  published: PublishedServers,
  place: ConnectorPlace,
  logger: Logger,
): IDisposable {
  const store = new DisposableStore();
  const provider = definitionProvider(published, place, logger);
  const register = () => {
    // Editors based on VS Code may lack this API.
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

/** Only the gateway decides who may use a server: some agents never call `resolve`. */
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
        // After an error, the editor would keep its old list.
        logger.error(error instanceof Error ? error : String(error));
        return [];
      }
    },
    // Throws the reason. Returning nothing would hang a call in the oldest supported editor.
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
  // The editor caches the tools under this version, and ends a running server if the version
  // changes. So the version follows the identity. The server itself announces its other changes.
  const version = createHash('sha256').update(server.identity).digest('hex').slice(0, 16);
  return new vscode.McpStdioServerDefinition(editorName(name), command, args, env, version);
}
