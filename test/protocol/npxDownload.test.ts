import { deepEqual, equal, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type DownloadProblem, downloadProblem } from '../../src/domain/servers/lastWords.ts';
import type { ServerConnection } from '../../src/mcp/link/connection.ts';
import { processStart } from '../../src/mcp/process/stdio/processStart.ts';
import { stdioLaunch } from '../support/launches.ts';
import { patience } from '../support/patience.ts';
import {
  privateRegistry,
  registeredServer,
  skipWithoutOpenssl,
} from '../support/privateRegistry.ts';
import { recordingConnection } from '../support/recordingConnection.ts';
import { tempFolder } from '../support/temp.ts';

const skip = skipWithoutOpenssl();

test('npx starts a server behind a private certificate that the machine trusts', {
  skip,
}, async t => {
  const registry = await privateRegistry(t);
  const { connection, states } = recordingConnection(t, { probe: patience, download: patience });
  await startByNpx(t, connection, registry.url, {
    NODE_EXTRA_CA_CERTS: registry.authority,
  });
  equal(connection.serverInfo?.name, registeredServer);
  equal(states.length, 2);
  ok(registry.asked.includes('/server.tgz'));
});

test('says what to do after one process when the machine does not trust the certificate', {
  skip,
}, async t => {
  const registry = await privateRegistry(t);
  const { connection } = recordingConnection(t, { probe: patience, download: patience });
  const processes: number[] = [];
  connection.onDidBegin(({ process }) => process && processes.push(process.pid));
  deepEqual(await startByNpx(t, connection, registry.url, {}), {
    kind: 'distrust',
    host: registry.host,
    variable: 'NODE_EXTRA_CA_CERTS',
  });
  equal(processes.length, 1);
  deepEqual(registry.asked, []);
});

test('names the host when the proxy of the machine does not answer', async t => {
  const { connection } = recordingConnection(t, { probe: patience, download: patience });
  const problem = await startByNpx(t, connection, 'https://registry.example/', {
    HTTPS_PROXY: 'http://127.0.0.1:1',
  });
  deepEqual(problem, { kind: 'unreachable', host: 'registry.example' });
});

/** Starts the package by `npx` on a machine with these variables; answers with what kept it from being fetched. */
async function startByNpx(
  t: TestContext,
  connection: ServerConnection,
  registry: string,
  network: Readonly<Record<string, string>>,
): Promise<DownloadProblem | undefined> {
  const folder = tempFolder(t);
  const launch = stdioLaunch({
    command: 'npx',
    args: ['-y', `${registeredServer}@1.0.0`],
    // Nothing of what npm is set to on this machine; and it tries once, which otherwise takes a minute.
    env: {
      npm_config_registry: registry,
      npm_config_cache: join(folder, 'cache'),
      npm_config_userconfig: join(folder, 'npmrc'),
      npm_config_globalconfig: join(folder, 'npmrc-of-all'),
      npm_config_fetch_retries: '0',
      npm_config_update_notifier: 'false',
      npm_config_audit: 'false',
    },
  });
  const isOfNetwork = (name: string) => /_proxy$|cert|ca_bundle/i.test(name);
  const others = Object.entries(process.env).filter(([name]) => !isOfNetwork(name));
  const own = { ...Object.fromEntries(others), ...network };
  const start = await processStart({ launch, secrets: [], folder, workspace: [], own });
  const state = await connection.start(start, undefined);
  return state.kind === 'failed' && state.failure.kind === 'ended'
    ? downloadProblem(state.failure.end)
    : undefined;
}
