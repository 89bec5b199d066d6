import { deepEqual, equal } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Emitter } from '../../../../src/base/emitter.ts';
import { OpenQuestions } from '../../../../src/extension/consent/openQuestions.ts';

/** As much of a server as its questions depend on. */
function server(id: string, isLive: boolean, ...waiting: readonly string[]) {
  return { definition: { id }, isLive, access: { waiting } };
}

interface Parts {
  readonly servers?: readonly object[];
  readonly requesters?: readonly object[];
  readonly clients?: readonly object[];
  readonly changed?: readonly object[];
  readonly open?: readonly object[];
}

function questionsOf({
  servers = [],
  requesters = [],
  clients = [],
  changed = [],
  open = [],
}: Parts) {
  const didChange = new Emitter<undefined>();
  const onDidChange = didChange.event;
  const parts = [
    { all: servers, onDidChange },
    { all: requesters, onDidChange: new Emitter<undefined>().event },
    { of: () => clients, onDidChange: new Emitter<undefined>().event },
    { waiting: changed, onDidChange: new Emitter<undefined>().event },
    { open, onDidChange: new Emitter<undefined>().event },
  ] as unknown as ConstructorParameters<typeof OpenQuestions>;
  return { didChange, questions: new OpenQuestions(...parts) };
}

describe('the questions that wait', () => {
  it('are on folders of what runs, and of extensions, and on starts of what was changed', () => {
    const live = server('live', true, 'api', 'web');
    const idle = server('idle', false, 'api');
    const changed = server('changed', false, 'api');
    const extension = server('extension:a.b', true, 'api');
    const quiet = server('extension:c.d', true);
    const { questions } = questionsOf({
      servers: [live, idle, changed],
      requesters: [extension, quiet],
      changed: [changed],
    });
    deepEqual(questions.all, [
      { kind: 'folders', server: live, folders: ['api', 'web'] },
      { kind: 'start', server: changed },
      { kind: 'folders', server: extension, folders: ['api'] },
    ]);
  });

  it('are on each client once, and on what servers ask', () => {
    const files = server('files', false);
    const [first, second] = [{ isWaiting: true }, { isWaiting: true }];
    const elicitation = { server: { id: 'files' } };
    const { questions } = questionsOf({
      servers: [files],
      clients: [
        { name: 'codex', session: first },
        { name: 'codex', session: second },
        { name: 'claude-code', session: { isWaiting: false } },
        { name: 'gone', session: undefined },
      ],
      open: [elicitation, { server: { id: 'removed' } }],
    });
    deepEqual(questions.all, [
      { kind: 'client', server: files, session: second },
      { kind: 'elicitation', server: files, elicitation },
    ]);
  });

  it('are told of when what they depend on changes', () => {
    const { didChange, questions } = questionsOf({});
    let changes = 0;
    questions.onDidChange(() => {
      changes += 1;
    });
    didChange.fire(undefined);
    questions.dispose();
    didChange.fire(undefined);
    equal(changes, 1);
  });
});
