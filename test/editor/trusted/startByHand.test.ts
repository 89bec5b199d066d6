import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { exposeOnce, startServer } from '../../../src/extension/commands/startServer.ts';
import type { CandidateFolders } from '../../../src/extension/folders/candidateFolders.ts';
import { Screen } from '../../../src/extension/screen.ts';
import { bundledServerId } from '../../../src/extension/servers/bundledServer.ts';
import type { Server } from '../../../src/extension/servers/server.ts';
import type { Servers } from '../../../src/extension/servers/servers.ts';
import {
  accessOf,
  allowed,
  exclusion,
  exposure,
  folder,
  running,
  shownServer,
} from '../../support/shownServer.ts';
import { personForEachTest } from '../support/person.ts';

const ours = { ...shownServer().definition, id: bundledServerId, label: 'MCP Roots Server' };

describe('a start of our own server by hand', () => {
  const person = personForEachTest();

  it('asks it once for its roots where nothing did: not in the older era, and in a sandbox, too', async () => {
    const warnings: unknown[] = [];
    const logger = { warn: (text: unknown) => void warnings.push(text) };
    const access = accessOf(allowed(folder('api')));
    const askedFor = async (facts: Partial<Server>) => {
      const calls: string[] = [];
      const callTool = async ({ name }: { name: string }) => {
        calls.push(name);
        throw new Error('No.');
      };
      const shown = shownServer({ definition: ours, state: running, access, ...facts });
      await exposeOnce({ ...shown, callTool } as unknown as Server, logger);
      return calls;
    };
    const shownOnly = { ...exposure(), trigger: { kind: 'launch', as: ['mount'] } } as const;
    assert.deepEqual(
      [
        await askedFor({}),
        await askedFor({ lastExposure: shownOnly }),
        await askedFor({ lastExposure: exposure() }),
        await askedFor({ access: accessOf() }),
        await askedFor({ state: { kind: 'stopped' } }),
        await askedFor({ definition: shownServer().definition }),
      ],
      [['get-roots'], ['get-roots'], [], [], [], []],
    );
    assert.equal(warnings.length, 2, 'A failure is only written down.');
    assert.deepEqual(person().seen, []);
  });

  describe('while no disk answers', () => {
    const { withProgress } = vscode.window;
    afterEach(() => {
      Object.assign(vscode.window, { withProgress });
    });

    /** A window whose only folder is on a disk that answers when the test says so. */
    function onSlowDisk() {
      const didChange = new vscode.EventEmitter<void>();
      const happened: string[] = [];
      const late = folder('api', { disk: 'unreadable' });
      let isAnswered = false;
      const server = {
        ...shownServer({ definition: ours }),
        isLaunchAllowed: true,
        isRetired: false,
        get access() {
          const found = accessOf(exclusion(folder('api'), 'undecided'));
          return isAnswered ? found : accessOf(exclusion(late, 'unreadable'));
        },
        start: async () => {
          happened.push('started');
          return { kind: 'stopped' };
        },
      } as unknown as Server;
      const window = {
        logger: console,
        servers: { refresh: async () => {}, withId: () => server } as unknown as Servers,
        folders: {
          refresh: async () => {},
          onDidChange: didChange.event,
          unanswered: () => (isAnswered ? [] : [late]),
        } as unknown as CandidateFolders,
        consent: {
          askBeforeStart: async ({ access }: Server) => {
            happened.push(`asked about ${access.waiting.map(({ name }) => name)}`);
            return false;
          },
        },
        screen: new Screen(vscode),
      } as unknown as Parameters<typeof startServer>[1];
      return {
        happened,
        started: startServer(server, window),
        answer() {
          isAnswered = true;
          didChange.fire();
        },
        change: () => didChange.fire(),
      };
    }

    it('waits for one, and asks then', async () => {
      const { happened, started, answer, change } = onSlowDisk();
      change();
      await new Promise(setImmediate);
      assert.deepEqual(happened, []);
      answer();
      await started;
      assert.deepEqual(happened, ['asked about api']);
    });

    it('says so, and starts nothing when the person does not want to wait', async () => {
      const titles: (string | undefined)[] = [];
      const cancelling = new vscode.CancellationTokenSource();
      Object.assign(vscode.window, {
        withProgress: async (
          { title }: vscode.ProgressOptions,
          task: (...parts: unknown[]) => Thenable<unknown>,
        ) => {
          titles.push(title);
          const done = task({ report() {} }, cancelling.token);
          cancelling.cancel();
          return done;
        },
      });
      const { happened, started } = onSlowDisk();
      await started;
      assert.deepEqual([titles, happened], [['Waiting for the disk of "api"…'], []]);
    });
  });
});
