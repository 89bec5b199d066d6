import type { Logger } from '../../base/logger.ts';
import { prepareHubConfig } from '../hub/hubConfigFile.ts';
import type { Launchers } from '../hub/launcher.ts';
import { reportFailure } from '../reportFailure.ts';
import { reply, type Screen } from '../screen.ts';
import type { Servers } from '../servers/servers.ts';
import { t } from '../text.ts';
import * as vscode from '../vscode.ts';
import { connectClient } from './connectClient.ts';

/** Opens the hub's file, even in Restricted Mode: it belongs to the user, and nothing starts. */
export async function openHubConfig(
  servers: Servers,
  launchers: Launchers,
  screen: Screen,
  logger: Logger,
): Promise<void> {
  const file = await prepareHubConfig(launchers.hub);
  await vscode.window.showTextDocument(vscode.Uri.file(file));
  // Not awaited, because the command is done. The message stays until the user closes it.
  void reportFailure(logger, () => offerHub(servers, launchers, screen));
}

/** Offers to set up a client that starts the hub. */
async function offerHub(servers: Servers, launchers: Launchers, screen: Screen): Promise<void> {
  const text = t(
    'This file lists the servers of the hub. Any MCP client can start the hub and use its servers.',
  );
  if (await reply(text, 'information', t('Connect a Client…'))) {
    await connectClient(servers, launchers, ['hub'], screen);
  }
}
