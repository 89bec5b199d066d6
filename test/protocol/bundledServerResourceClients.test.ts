import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Client as ClientOfSdk2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioOfSdk2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientOfSdk1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioOfSdk1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { rootOf, serverMain } from '../support/bundledServer.ts';
import { atEnd } from '../support/processes.ts';
import { uriTemplate } from '../support/resourceRequests.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

describe('clients of other makers', () => {
  const launch = (folder: string) => ({
    command: process.execPath,
    args: [serverMain, '--root', folder],
    stderr: 'ignore' as const,
  });

  test('SDK 1 lists, reads and completes', async t => {
    const folder = tempFolder(t);
    writeTree(folder, { 'a.txt': 'text' });
    const client = new ClientOfSdk1({ name: 'test', version: '1' });
    atEnd(t, () => client.close());
    await client.connect(new StdioOfSdk1(launch(folder)));
    const { resources } = await client.listResources();
    deepEqual(
      resources.map(({ uri }) => uri),
      [rootOf(folder).uri],
    );
    const [template] = (await client.listResourceTemplates()).resourceTemplates;
    equal(template?.uriTemplate, uriTemplate);
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: uriTemplate },
      argument: { name: 'path', value: `${folder.slice(1)}/a` },
    });
    deepEqual(completion.values, [`${folder.slice(1)}/a.txt`]);
    const { contents } = await client.readResource({ uri: `file:///${completion.values[0]}` });
    deepEqual(contents, [{ uri: `file://${folder}/a.txt`, mimeType: 'text/plain', text: 'text' }]);
  });

  for (const mode of ['legacy', { pin: '2026-07-28' }] as const) {
    const era = mode === 'legacy' ? mode : 'modern';
    test(`SDK 2 (${era}) lists, reads and completes`, async t => {
      const folder = tempFolder(t);
      writeTree(folder, { 'a.txt': 'text' });
      const client = new ClientOfSdk2(
        { name: 'test', version: '1' },
        { versionNegotiation: { mode } },
      );
      atEnd(t, () => client.close());
      await client.connect(new StdioOfSdk2(launch(folder)));
      const { resources } = await client.listResources();
      deepEqual(
        resources.map(({ uri }) => uri),
        [rootOf(folder).uri],
      );
      const [template] = (await client.listResourceTemplates()).resourceTemplates;
      equal(template?.uriTemplate, uriTemplate);
      const { completion } = await client.complete({
        ref: { type: 'ref/resource', uri: uriTemplate },
        argument: { name: 'path', value: 'a' },
      });
      deepEqual(completion.values, [`${folder.slice(1)}/a.txt`]);
      const { contents } = await client.readResource({ uri: `file:///${completion.values[0]}` });
      equal('text' in contents[0]! && contents[0].text, 'text');
    });
  }

  test('a modern client is asked for its roots when it reads, and gets it then', async t => {
    const folder = tempFolder(t);
    writeTree(folder, { 'a.txt': 'text' });
    const client = new ClientOfSdk2(
      { name: 'test', version: '1' },
      { capabilities: { roots: {} }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
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
