import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { exposeOnce, startServer } from '../../../../src/extension/commands/startServer.ts';
import type { CandidateFolders } from '../../../../src/extension/folders/candidateFolders.ts';
import type { Screen } from '../../../../src/extension/screen.ts';
import { bundledServerId } from '../../../../src/extension/servers/bundledServer.ts';
import type { Server } from '../../../../src/extension/servers/server.ts';
import type { Servers } from '../../../../src/extension/servers/servers.ts';
import {
  accessOf,
  allowed,
  exclusion,
  exposure,
  folder,
  running,
  shownServer,
} from '../../../support/shownServer.ts';
import { said } from '../../../support/texts.ts';

const ours = { ...shownServer().definition, id: bundledServerId, label: 'MCP Roots Server' };

test('a start by hand asks the bundled server once for its roots', async () => {
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
    await exposeOnce({ ...shown, requests: { callTool } } as unknown as Server, logger);
    return calls;
  };
  const shownOnly = { ...exposure(), trigger: { kind: 'launch', as: ['mount'] } } as const;
  deepEqual(
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
  equal(warnings.length, 2, 'A failure is only written down.');
});

test('a start by hand is refused while the disk of the only folder is silent, and asks later', async () => {
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
    screen: {} as Screen,
  } as unknown as Parameters<typeof startServer>[1];
  await rejects(startServer(server, window), ({ message }: Error) => {
    match(said(message), /^startServer\.withFoldersFound\("api", /);
    return true;
  });
  isAnswered = true;
  await startServer(server, window);
  deepEqual(happened, ['asked about api']);
});
