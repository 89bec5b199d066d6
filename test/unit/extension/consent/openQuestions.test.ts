import { deepEqual } from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { Emitter } from '../../../../src/base/emitter.ts';
import {
  type OpenQuestion,
  OpenQuestions,
  type QuestionSource,
  waitingFolders,
} from '../../../../src/extension/consent/openQuestions.ts';
import type { Server } from '../../../../src/extension/servers/server.ts';

const [files, git] = ['files', 'git'].map(id => ({ definition: { id } })) as unknown as [
  Server,
  Server,
];

function question(subject: object, text: string): OpenQuestion {
  return { subject, text: text as never, detail: '' as never, ask: async () => {} };
}

describe('waiting questions', () => {
  it('come server by server in the order of their sources, once for each client', () => {
    const { event: onDidChange } = new Emitter<undefined>();
    const [start, client] = [question(git, 'start'), question({}, 'client')];
    const [one, other] = [question(files, 'see'), question(git, 'see')];
    const sources: readonly QuestionSource[] = [
      { of: server => (server === git ? [start] : []), onDidChange },
      { of: () => [client], others: [client], onDidChange },
      { of: server => [server === git ? other : one], onDidChange },
    ];
    const questions = new OpenQuestions({ all: [files, git] }, sources);
    deepEqual(questions.all, [one, start, other, client]);
    // The rows of the servers that it waits for show it.
    deepEqual(questions.of(files), [client, one]);
    deepEqual(questions.of(git), [start, client, other]);
  });

  it('are announced when those of a source change', () => {
    const changes = [new Emitter<Server | undefined>(), new Emitter<Server | undefined>()];
    const sources = changes.map(({ event }) => ({ of: () => [], onDidChange: event }));
    const questions = new OpenQuestions({ all: [] }, sources);
    const told: (Server | undefined)[] = [];
    questions.onDidChange(which => told.push(which));
    changes[0]?.fire(files);
    changes[1]?.fire(undefined);
    questions.dispose();
    changes[0]?.fire(git);
    deepEqual(told, [files, undefined]);
  });
});

test('lists waiting folders of running servers only', () => {
  const server = (isLive: boolean, ...waiting: readonly string[]) =>
    ({ isLive, access: { waiting } }) as unknown as Server;
  const [live, idle, quiet] = [server(true, 'api', 'web'), server(false, 'api'), server(true)];
  deepEqual(waitingFolders([live, idle, quiet]), [{ server: live, folders: ['api', 'web'] }]);
});
