import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { OfferQuestion } from '../../../src/extension/gateway/agents/offerQuestion.ts';
import { Screen } from '../../../src/extension/screen.ts';
import type { Server } from '../../../src/extension/servers/server.ts';
import type { ServerRecords } from '../../../src/extension/servers/serverRecords.ts';
import { recordsIn } from '../../support/memory.ts';
import { accessOf, allowed, folder, running, shownServer } from '../../support/shownServer.ts';
import { eventually } from '../../ui/support/eventually.ts';
import { personForEachTest } from '../support/person.ts';

const text = /^"(\w+)" runs\. Offer its (?:(\d+) )?tools? to the chat of .+\?/;

describe('the question whether agents are to have a server', () => {
  const person = personForEachTest();
  const didChange = new vscode.EventEmitter<Server | undefined>();
  let memory: Map<string, unknown>;
  let state: Pick<vscode.Memento, 'get' | 'update'>;
  let records: ServerRecords;
  let servers: readonly Server[];
  let question: OfferQuestion;

  beforeEach(() => {
    memory = new Map();
    state = {
      get: (key: string) => memory.get(key),
      update: async (key: string, value: unknown) => void memory.set(key, value),
    } as typeof state;
    records = recordsIn();
    servers = [];
    open();
  });
  afterEach(() => question.dispose());

  function open(isWanted = () => true): void {
    const source = {
      get all() {
        return servers;
      },
      onDidChange: didChange.event,
    };
    question?.dispose();
    question = new OfferQuestion(source, records, state, new Screen(vscode), console, isWanted);
  }

  /** A server that was started by hand and sees a folder, but for what is given. */
  function used(label: string, more: Partial<Server> = {}): Server {
    const shown = shownServer({ state: running, access: accessOf(allowed(folder('api'))) });
    const definition = { ...shown.definition, id: label, label };
    const own = { identity: 'a1', isLaunchAllowed: true, wasStartedByHand: true };
    return { ...shown, ...own, definition, listTools: listing(3), ...more } as Server;
  }

  function listing(count: number): Server['listTools'] {
    return async () => Array(count).fill({});
  }

  function now(...all: readonly Server[]): void {
    servers = all;
    didChange.fire(undefined);
  }

  /** The servers that were asked about, each with the number of tools that was named. */
  const asked = () =>
    person().seen.flatMap(shown => {
      const [, label, tools] = text.exec(shown.text) ?? [];
      return label === undefined ? [] : [`${label} ${tools}`];
    });
  const settled = () => new Promise(resolve => setTimeout(resolve, 50));

  it('comes once a server was started by hand, with the number of its tools', async () => {
    person().will('Offer');
    const files = used('files');
    now(files);
    await eventually(() => assert.equal(records.answer('offer', files), true));
    now(files);
    await settled();
    assert.deepEqual(asked(), ['files 3']);
  });

  it('says of one tool as one does, and no number where the server does not tell', async () => {
    const mute = () => Promise.reject(new Error('No.'));
    now(used('files', { listTools: listing(1) }), used('git', { listTools: mute }));
    await person().sees(/^"files" runs\. Offer its tool to the chat of /);
    await person().sees(/^"git" runs\. Offer its tools to the chat of /);
  });

  it('takes no answer for a no, and asks about the server as it is next', async () => {
    const files = used('files');
    now(files);
    await eventually(() => assert.equal(records.answer('offer', files), false));
    now(files, used('files', { identity: 'b2' }));
    await eventually(() => assert.deepEqual(asked(), ['files 3', 'files 3']));
  });

  it('does not come where nobody wants a chat, nor about what did not start by hand, sees nothing, or is not agreed to', async () => {
    open(() => false);
    now(used('unwanted'));
    await settled();
    open();
    now(
      used('one', { wasStartedByHand: false }),
      used('two', { access: accessOf() }),
      used('three', { isLaunchAllowed: false }),
      used('four', { state: { kind: 'starting' } }),
    );
    await settled();
    assert.deepEqual(asked(), []);
  });

  it('is about one server after the other', async () => {
    const answer = person().waitsWith(text);
    const [files, git] = [used('files'), used('git')];
    now(files, git);
    await eventually(() => assert.deepEqual(asked(), ['files 3']));
    now(files, git);
    await settled();
    assert.deepEqual(asked(), ['files 3']);
    answer('Not Now');
    await eventually(() => assert.deepEqual(asked(), ['files 3', 'git 3']));
  });

  it('never comes again when the user says so', async () => {
    person().will("Don't Ask Again");
    const [files, git] = [used('files'), used('git')];
    now(files, git);
    await eventually(() => assert.equal(records.answer('offer', files), false));
    open();
    now(files, git);
    await settled();
    assert.deepEqual([asked(), records.answer('offer', git)], [['files 3'], undefined]);
  });
});
