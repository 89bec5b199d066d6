import type { ToolCallPages } from '../pages/toolCallPage.ts';
import type { Servers } from '../servers/servers.ts';
import { t } from '../text.ts';
import type { Row } from '../views/rows.ts';
import { pickOffer } from './pickOffer.ts';
import { pickServer } from './pickServer.ts';
import type { ResultDocuments } from './resultDocuments.ts';
import { showPrompt } from './showPrompt.ts';
import { showResource } from './showResource.ts';

/**
 * Picks a tool, a resource or a prompt of a running server, unless called from the row of a tool. A
 * tool is called in its tab.
 */
export async function callTool(
  servers: Servers,
  row: Row | undefined,
  pages: ToolCallPages,
  results: ResultDocuments,
): Promise<void> {
  const server = await pickServer(servers, row, {
    placeHolder: t('Call a tool of which server?'),
    isWanted: ({ state }) => state.kind === 'running',
    none: 'No server is running. Start one first.',
  });
  if (!server) {
    return;
  }
  const offer = row?.kind === 'tool' ? row : await pickOffer(server);
  switch (offer?.kind) {
    case 'tool':
      return pages.show(server, offer.tool);
    case 'resource':
      return showResource(server, offer.resource, results);
    case 'template':
      return showResource(server, offer.template, results);
    case 'prompt':
      return showPrompt(server, offer.prompt, results);
    case undefined:
      return;
  }
}
