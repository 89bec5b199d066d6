import { elicitationOf } from '../../domain/elicitation/elicitation.ts';
import type { AskingClient } from '../gateway/clientQuestion.ts';
import { Command } from '../ids.ts';
import type { OpenElicitation } from '../servers/elicitations.ts';
import type { Server } from '../servers/server.ts';
import { t } from '../text.ts';
import type { Row } from '../views/rows.ts';
import { commands } from '../vscode.ts';
import type { Waiting } from './folderQuestions.ts';
import type { Question, QuestionMakers } from './openQuestions.ts';
import { clientName, folderNames, serverNames, shortLabel, shortName } from './shownNames.ts';

/** Makes the questions of a window. */
export function questionMakers(consent: {
  askNow(waiting: Waiting): Promise<void>;
}): QuestionMakers {
  return {
    onFolders: waiting => folderQuestion(waiting, consent),
    onStart: startQuestion,
    onClient: clientQuestion,
    onElicitation: elicitationQuestion,
  };
}

/** A running server that is not told of these folders before. */
function folderQuestion(
  waiting: Waiting,
  consent: { askNow(waiting: Waiting): Promise<void> },
): Question {
  const { server, folders } = waiting;
  const { length } = folders;
  return {
    subject: server,
    waiting,
    text: t('Allow "{0}" to see {1}?', shortLabel(server.definition), folderNames(folders)),
    detail:
      length === 1
        ? t('1 folder waits for your answer')
        : t('{0} folders wait for your answer', length),
    ask: () => consent.askNow(waiting),
  };
}

/** The server is another one now, and is not started before. */
function startQuestion(server: Server): Question {
  const row: Row = { kind: 'server', server };
  return {
    subject: server,
    text: t('Start "{0}" as it is now?', shortLabel(server.definition)),
    detail: t('It was changed since you agreed to it, and waits for your answer'),
    ask: async () => void (await commands.executeCommand(Command.startServer, row)),
  };
}

/** Which servers a client may use, of those that it wants. */
function clientQuestion(client: AskingClient): Question {
  const labels = serverNames(client.servers().map(({ definition }) => definition));
  return {
    subject: client,
    text: t('Allow "{0}" to use {1}?', clientName(client.name), labels),
    detail: t('A client waits for your answer: {0}', shortName(client.name)),
    ask: () => client.askNow(),
  };
}

/** The server asks the user something. */
function elicitationQuestion(server: Server, { params, askNow }: OpenElicitation): Question {
  const label = shortLabel(server.definition);
  const elicitation = elicitationOf(params);
  return {
    subject: server,
    text:
      elicitation.kind === 'invalid'
        ? t('The server "{0}" asks.', label)
        : t('The server "{0}" asks: {1}', label, elicitation.message),
    detail: t('It asks you something'),
    ask: async () => askNow(),
  };
}
