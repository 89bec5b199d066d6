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
  readonly clients?: Readonly<Record<string, readonly object[]>>;
  readonly waiting?: readonly object[];
  readonly changed?: readonly object[];
  readonly open?: readonly object[];
}

function questionsOf({ servers = [], clients = {}, waiting = [], changed = [], open = [] }: Parts) {
  const didChange = new Emitter<undefined>();
  const onDidChange = didChange.event;
  const make = {
    onFolders: (waiting: object) => ({ kind: 'folders', ...waiting }),
    onStart: (server: object) => ({ kind: 'start', server }),
    onClient: (client: object) => ({ kind: 'client', client }),
    onElicitation: (server: object, elicitation: object) => ({
      kind: 'elicitation',
      server,
      elicitation,
    }),
  };
  const parts = [
    { all: servers, onDidChange },
    {
      of: ({ definition }: ReturnType<typeof server>) => clients[definition.id] ?? [],
      waiting,
      onDidChange: new Emitter<undefined>().event,
    },
    { waiting: changed, onDidChange: new Emitter<undefined>().event },
    { open, onDidChange: new Emitter<undefined>().event },
    make,
  ] as unknown as ConstructorParameters<typeof OpenQuestions>;
  return { didChange, questions: new OpenQuestions(...parts) };
}

describe('the questions that wait', () => {
  it('are on folders of what runs, and on starts of what was changed', () => {
    const live = server('live', true, 'api', 'web');
    const idle = server('idle', false, 'api');
    const changed = server('changed', false, 'api');
    const quiet = server('quiet', true);
    const { questions } = questionsOf({
      servers: [live, idle, changed, quiet],
      changed: [changed],
    });
    deepEqual(questions.all, [
      { kind: 'folders', server: live, folders: ['api', 'web'] },
      { kind: 'start', server: changed },
    ]);
  });

  it('are on each client once, whatever it wants, and on what servers ask', () => {
    const [files, git, web] = ['files', 'git', 'web'].map(id => server(id, false));
    const asks = { name: 'codex', session: { isWaiting: true } };
    const codex = { name: 'codex' };
    const elicitation = { server: { id: 'files' } };
    const { questions } = questionsOf({
      servers: [files!, git!, web!],
      clients: {
        files: [asks, asks, { name: 'claude-code', session: { isWaiting: false } }],
        git: [asks, { name: 'gone', session: undefined }],
        web: [{ name: 'codex', session: { isWaiting: false } }],
      },
      waiting: [codex],
      open: [elicitation, { server: { id: 'removed' } }],
    });
    const asked = { kind: 'elicitation', server: files, elicitation };
    const client = { kind: 'client', client: codex };
    deepEqual(questions.all, [asked, client]);
    deepEqual(
      [files, git, web].map(one => questions.of(one as never)),
      [[asked, client], [client], []],
      'The rows of the servers that it waits for show it.',
    );
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
