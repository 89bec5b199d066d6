import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Sentence } from '../../../src/domain/sentence.ts';
import { Toasts } from '../../../src/extension/consent/toasts.ts';
import { SandboxHint } from '../../../src/extension/servers/sandboxHint.ts';
import type { Server } from '../../../src/extension/servers/server.ts';
import { showSandboxHint } from '../../../src/extension/servers/showSandboxHint.ts';
import type { Sandbox } from '../../../src/mcp/sandbox/sandbox.ts';
import { stdioLaunch } from '../../support/launches.ts';
import { eventually } from '../../ui/support/eventually.ts';
import { personForEachTest } from '../support/person.ts';
import { running, shownServer } from '../support/shownServer.ts';

const text = /^The system can keep servers in their folders.*These run without that: "files"\.$/;

describe('the hint at sandboxes', () => {
  const person = personForEachTest();
  const memory = new Map<string, unknown>();
  const didChange = new vscode.EventEmitter<Server | undefined>();
  const runs = shownServer({ state: running });
  const mine = { ...runs, definition: { ...runs.definition, from: 'user' } } as Server;
  let tried: number;
  let hint: SandboxHint;

  const open = (server: Server, problem?: Sentence) => {
    const sandbox = {
      problem: async () => {
        tried += 1;
        return problem;
      },
    } as Partial<Sandbox> as Sandbox;
    const show = (unkept: readonly Server[]) =>
      showSandboxHint(new Toasts(vscode), unkept, sandbox, '/no/page.md');
    const servers = { all: [server], onDidChange: didChange.event };
    const state = {
      get: (key: string) => memory.get(key),
      update: async (key: string, value: unknown) => void memory.set(key, value),
    } as Pick<vscode.Memento, 'get' | 'update'>;
    const soon = { quiet: 1, longest: 1 };
    hint = new SandboxHint(servers, show, state, console, soon);
  };
  const seen = () => person().seen.filter(shown => text.test(shown.text)).length;
  const settled = () => new Promise(resolve => setTimeout(resolve, 50));
  const set = (value: 'auto' | 'off') =>
    vscode.workspace
      .getConfiguration('mcpRoots.bundledServer')
      .update('sandbox', value, vscode.ConfigurationTarget.Global);

  before(() => set('auto'));
  after(() => set('off'));
  beforeEach(() => {
    tried = 0;
  });
  afterEach(() => hint.dispose());

  it('tries and says nothing where every server of the user is kept, or none runs', async () => {
    const { definition } = mine;
    const sandbox = { read: [], write: [], network: true };
    for (const server of [
      runs,
      { ...mine, state: { kind: 'stopped' } } as Server,
      shownServer({ state: running, definition: { ...definition, sandbox } }),
    ]) {
      open(server);
      didChange.fire(server);
      await settled();
      hint.dispose();
    }
    assert.deepEqual([tried, seen()], [0, 0]);
  });

  it('says nothing of containers, and of a server that is to run without', async () => {
    const { definition } = mine;
    const settings = vscode.workspace.getConfiguration('mcpRoots');
    const { Global } = vscode.ConfigurationTarget;
    await settings.update('servers', { files: { command: 'files', sandbox: 'off' } }, Global);
    const launch = stdioLaunch({ command: 'docker', args: ['run', 'image'] });
    const boxed = { ...definition, id: 'setting:boxed', launch };
    for (const server of [mine, shownServer({ state: running, definition: boxed })]) {
      open(server);
      didChange.fire(server);
      await settled();
      hint.dispose();
    }
    await settings.update('servers', undefined, Global);
    assert.deepEqual([tried, seen()], [0, 0]);
  });

  it('says nothing where there is no sandbox', async () => {
    open(mine, { template: 'There is none.', values: [] });
    didChange.fire(mine);
    await eventually(() => assert.equal(tried, 1));
    await settled();
    assert.equal(seen(), 0);
  });

  it('comes once in a window, until it is answered for good', async () => {
    open(mine);
    didChange.fire(mine);
    await person().sees(text);
    didChange.fire(mine);
    await settled();
    hint.dispose();
    assert.deepEqual([seen(), memory.size], [1, 0]);

    person().will("Don't Show Again");
    open(mine);
    didChange.fire(mine);
    await eventually(() => assert.equal(memory.size, 1));
    hint.dispose();

    open(mine);
    didChange.fire(mine);
    await settled();
    assert.deepEqual([seen(), tried], [2, 2]);
  });
});
