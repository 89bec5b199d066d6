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

  it('starts nothing while the disk of the only folder does not answer, and asks when it does', async () => {
    const happened: string[] = [];
    const late = folder('api', { disk: 'unreadable' });
    let isAnswered = false;
    const server = {
      ...shownServer({ definition: ours }),
      isLaunchAllowed: true,
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
    const message =
      'The disk of "api" does not answer. Start "MCP Roots Server" again when it does.';
    await assert.rejects(startServer(server, window), { message });
    isAnswered = true;
    await startServer(server, window);
    assert.deepEqual(happened, ['asked about api']);
  });
});
