import { connectClient } from '../gateway/connectClient.ts';
import type { Servers } from '../servers/servers.ts';
import { t } from '../text.ts';
import * as vscode from '../vscode.ts';
import { prepareHubConfig } from './hubConfigFile.ts';
import type { Launchers } from './launcher.ts';

/** Opens the file with the servers of the hub, which is made if it is missing. */
export async function openHubConfig(launchers: Launchers): Promise<void> {
  const file = await prepareHubConfig(launchers.hub);
  await vscode.window.showTextDocument(vscode.Uri.file(file));
}

/** Offers to make a client start the hub. */
export async function offerHub(servers: Servers, launchers: Launchers): Promise<void> {
  const connect = t('Connect a Client…');
  const text = t(
    'These are the servers of the hub. Any MCP client can start it and reach them through it.',
  );
  if ((await vscode.window.showInformationMessage(text, connect)) === connect) {
    await connectClient(servers, launchers, 'hub');
  }
}
