import { type ServerWord, serverWord } from '../../domain/servers/serverStatus.ts';
import type { OpenQuestions } from '../consent/openQuestions.ts';
import type { Server } from '../servers/server.ts';

/** The word for a server, of which these questions are open. */
export function wordOf(server: Server, questions: Pick<OpenQuestions, 'of'>): ServerWord {
  return serverWord(server, questions.of(server).length > 0);
}
