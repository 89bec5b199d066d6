import { printable } from '../../domain/printable.ts';
import { HumanError } from '../../domain/sentence.ts';
import type { Prompt } from '../../mcp/connection.ts';
import type { Server } from '../servers/server.ts';
import { t } from '../text.ts';
import { promptText } from './answerTexts.ts';
import { askForTexts } from './askForTexts.ts';
import { askServer } from './askServer.ts';
import type { ResultDocuments } from './resultDocuments.ts';

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
