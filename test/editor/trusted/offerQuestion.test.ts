import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { OfferQuestion } from '../../../src/extension/gateway/agents/offerQuestion.ts';
import type { ServerRecords } from '../../../src/extension/records/serverRecords.ts';
import { Screen } from '../../../src/extension/screen.ts';
import type { Server } from '../../../src/extension/servers/server.ts';
import { recordsIn } from '../../support/memory.ts';
import { accessOf, allowed, folder, running, shownServer } from '../../support/shownServer.ts';
import { eventually } from '../../ui/support/eventually.ts';
import { personForEachTest } from '../support/person.ts';

const text = /^"(\w+)" is running\. Offer .+\?/;

describe('the question whether agents get a server', () => {
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

  /** A server that was started by hand and sees a folder, with the given changes. */
  function used(label: string, more: Partial<Server> = {}): Server {
    const shown = shownServer({ state: running, access: accessOf(allowed(folder('api'))) });
    const definition = { ...shown.definition, id: label, label };
    const own = { identity: 'a1', isLaunchAllowed: true, wasStartedByHand: true };
    return { ...shown, ...own, definition, ...more } as Server;
  }

  function now(...all: readonly Server[]): void {
    servers = all;
    didChange.fire(undefined);
  }

  /** The servers that were asked about. */
  const asked = () => person().seen.flatMap(shown => text.exec(shown.text)?.[1] ?? []);
  const settled = () => new Promise(resolve => setTimeout(resolve, 50));

  it('comes after the user started a server', async () => {
    person().will('Offer');
    const files = used('files');
    now(files);
    await eventually(() => assert.equal(records.answer('offer', files), true));
    now(files);
    await settled();
    assert.deepEqual(asked(), ['files']);
  });

  it('takes a closed question as a no, and comes again when the server has changed', async () => {
    const files = used('files');
    now(files);
    await eventually(() => assert.equal(records.answer('offer', files), false));
    now(files, used('files', { identity: 'b2' }));
    await eventually(() => assert.deepEqual(asked(), ['files', 'files']));
  });

  it('comes only with a chat, for an agreed server that the user started and that sees a folder', async () => {
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

  it('is asked for one server after the other', async () => {
    const answer = person().waitsWith(text);
    const [files, git] = [used('files'), used('git')];
    now(files, git);
    await eventually(() => assert.deepEqual(asked(), ['files']));
    now(files, git);
    await settled();
    assert.deepEqual(asked(), ['files']);
    answer('Not Now');
    await eventually(() => assert.deepEqual(asked(), ['files', 'git']));
  });

  it('never comes again after "Never"', async () => {
    person().will("Don't Ask Again");
    const [files, git] = [used('files'), used('git')];
    now(files, git);
    await eventually(() => assert.equal(records.answer('offer', files), false));
    open();
    now(files, git);
    await settled();
    assert.deepEqual([asked(), records.answer('offer', git)], [['files'], undefined]);
  });
});
