import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Client as ClientOfSdk2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioOfSdk2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientOfSdk1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioOfSdk1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { rootOf, serverMain } from '../support/bundledServer.ts';
import { atEnd } from '../support/processes.ts';
import { uriTemplate, variableOf } from '../support/resourceRequests.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

describe('clients of other makers', () => {
  const launch = (folder: string) => ({
    command: process.execPath,
    args: [serverMain, '--root', folder],
    stderr: 'ignore' as const,
  });

  const info = { name: 'test', version: '1' };
  const ofSdk2 = (mode: 'legacy' | { pin: string }) => async (folder: string) => {
    const client = new ClientOfSdk2(info, { versionNegotiation: { mode } });
    await client.connect(new StdioOfSdk2(launch(folder)));
    return client;
  };
  const makers = {
    'SDK 1': async (folder: string) => {
      const client = new ClientOfSdk1(info);
      await client.connect(new StdioOfSdk1(launch(folder)));
      return client;
    },
    'SDK 2 (legacy)': ofSdk2('legacy'),
    'SDK 2 (modern)': ofSdk2({ pin: '2026-07-28' }),
  };

  for (const [maker, connected] of Object.entries(makers)) {
    test(`${maker} lists, reads and completes`, async t => {
      const folder = tempFolder(t);
      writeTree(folder, { 'a.txt': 'text' });
      const client = await connected(folder);
      atEnd(t, () => client.close());
      const { resources } = await client.listResources();
      deepEqual(
        resources.map(({ uri }) => uri),
        [rootOf(folder).uri],
      );
      const [template] = (await client.listResourceTemplates()).resourceTemplates;
      equal(template?.uriTemplate, uriTemplate);
      const { completion } = await client.complete({
        ref: { type: 'ref/resource', uri: uriTemplate },
        argument: { name: 'path', value: `${variableOf(folder)}/a` },
      });
      deepEqual(completion.values, [`${variableOf(folder)}/a.txt`]);
      const { contents } = await client.readResource({ uri: `file:///${completion.values[0]}` });
      const uri = `${rootOf(folder).uri}/a.txt`;
      deepEqual(contents, [{ uri, mimeType: 'text/plain', text: 'text' }]);
    });
  }

  test('a modern client is asked for its roots when it reads, and gets it then', async t => {
    const folder = tempFolder(t);
    writeTree(folder, { 'a.txt': 'text' });
    const client = new ClientOfSdk2(info, {
      capabilities: { roots: {} },
      versionNegotiation: { mode: { pin: '2026-07-28' } },
    });
    client.setRequestHandler('roots/list', () => ({ roots: [rootOf(folder)] }));
    atEnd(t, () => client.close());
    const { args, ...rest } = launch(folder);
    await client.connect(new StdioOfSdk2({ ...rest, args: args.slice(0, 1) }));
    const { contents } = await client.readResource({ uri: `${rootOf(folder).uri}/a.txt` });
    equal('text' in contents[0]! && contents[0].text, 'text');
    // Nothing but a call can ask, so a list has nothing to name.
    deepEqual((await client.listResources()).resources, []);
    const ref = { type: 'ref/resource', uri: uriTemplate } as const;
    const completed = await client.complete({ ref, argument: { name: 'path', value: '' } });
    deepEqual(completed.completion.values, []);
  });
});
