import {
  type ServerStatus,
  type ServerWord,
  serverStatus,
  serverWord,
} from '../../domain/servers/serverStatus.ts';
import type { OpenQuestions } from '../consent/openQuestions.ts';
import type { Server } from '../servers/server.ts';

/** The status of a server that matters most. */
export function statusOf(server: Server): ServerStatus {
  return serverStatus({
    isRunning: server.state.kind === 'running',
    plan: server.plan,
    isNeglecting: server.isNeglecting,
    isStoppedForLackOfRoots: server.isStoppedForLackOfRoots,
  });
}

/** The word for a server, of which these questions are open. */
export function wordOf(server: Server, questions: Pick<OpenQuestions, 'of'>): ServerWord {
  return serverWord({
    state: server.state.kind,
    status: statusOf(server).kind,
    isAsking: questions.of(server).length > 0,
  });
}
