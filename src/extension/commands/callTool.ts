import { printable } from '../../domain/printable.ts';
import { HumanError } from '../../domain/sentence.ts';
import type { Prompt } from '../../mcp/connection.ts';
import type { ToolCallPages } from '../pages/toolCallPage.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';
import { t } from '../text.ts';
import type { Row } from '../views/rows.ts';
import { promptText } from './answerTexts.ts';
import { askForTexts } from './askForTexts.ts';
import { askServer } from './askServer.ts';
import { pickOffer } from './pickOffer.ts';
import { pickServer } from './pickServer.ts';
import type { ResultDocuments } from './resultDocuments.ts';
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

/** Asks for the arguments of a prompt, and shows the messages that the server makes of them. */
export async function showPrompt(
  server: Server,
  { name, arguments: args = [] }: Prompt,
  results: ResultDocuments,
): Promise<void> {
  const title = t('Arguments of {0}', printable(name));
  const asked = args.map(({ name, description = '', required = false }) => {
    return { name, description, isRequired: required };
  });
  const given = await askForTexts(title, asked);
  const params = { name, arguments: given };
  const result =
    given &&
    (await askServer(
      signal => server.requests.request('prompts/get', params, { signal }),
      t('Reading {0}…', printable(name)),
      reason => new HumanError('{0} could not be read: {1}', printable(name), reason),
    ));
  if (result) {
    const { extension, text } = promptText(result);
    await results.open(name, extension, text);
  }
}
