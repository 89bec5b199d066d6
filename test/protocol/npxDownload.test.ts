import { deepEqual, equal, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { inEnglish } from '../../src/domain/sentence.ts';
import { failureSentence } from '../../src/domain/servers/serverFailure.ts';
import type { ServerConnection } from '../../src/mcp/connection.ts';
import { processStart } from '../../src/mcp/stdio/processStart.ts';
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

test('a server behind a private certificate starts by npx where the machine names that', {
  skip,
}, async t => {
  const registry = await privateRegistry(t);
  const { connection, states } = recordingConnection(t, { probe: patience, download: patience });
  const said = await startByNpx(t, connection, registry.url, {
    NODE_EXTRA_CA_CERTS: registry.authority,
  });
  equal(said, undefined);
  equal(connection.serverInfo?.name, registeredServer);
  equal(states.length, 2);
  ok(registry.asked.includes('/server.tgz'));
});

test('where the machine does not name it, that is said, with what to do, after one process', {
  skip,
}, async t => {
  const registry = await privateRegistry(t);
  const { connection } = recordingConnection(t, { probe: patience, download: patience });
  const processes: number[] = [];
  connection.onDidBegin(({ process }) => process && processes.push(process.pid));
  equal(
    await startByNpx(t, connection, registry.url, {}),
    `does not trust the certificate of ${registry.host}: ` +
      "set NODE_EXTRA_CA_CERTS to the file with your company's certificates",
  );
  equal(processes.length, 1);
  deepEqual(registry.asked, []);
});

test('a proxy of the machine that nobody answers at is no riddle either', async t => {
  const { connection } = recordingConnection(t, { probe: patience, download: patience });
  equal(
    await startByNpx(t, connection, 'https://registry.example/', {
      HTTPS_PROXY: 'http://127.0.0.1:1',
    }),
    'could not download from registry.example: set HTTPS_PROXY if this machine needs a proxy',
  );
});

/** Starts the package by `npx` on a machine with these variables; answers with what is said of a failure. */
async function startByNpx(
  t: TestContext,
  connection: ServerConnection,
  registry: string,
  network: Readonly<Record<string, string>>,
): Promise<string | undefined> {
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
  return state.kind === 'failed' ? inEnglish(failureSentence(state.failure)) : undefined;
}
