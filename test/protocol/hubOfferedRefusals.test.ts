import { deepEqual, equal, match } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { offeredName, offeredUri } from '../../src/domain/hubConfig/offeredNames.ts';
import { verdictsIn } from '../support/auditLines.ts';
import { rootOf } from '../support/bundledServer.ts';
import { HubWire } from '../support/hubWire.ts';
import type { WireMessage } from '../support/lineProcess.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

type Asked = readonly [method: string, params: object];

/** All that a client can ask for by the name that a tool or prompt has upstream. */
function askedByName(name: string): readonly Asked[] {
  return [
    ['tools/call', { name }],
    ['prompts/get', { name }],
  ];
}

describe("what the hub exposes and can't pass on", { concurrency: 2 }, () => {
  test('is refused like any call, with its verdict, when its server can’t be started', async t => {
    // A name with a blank gets a hash upstream: of what, only the server can tell.
    const missing = { command: 'no-such-program-of-the-test' };
    const { hub, audit } = await open(t, { 'my server': missing });
    const name = offeredName('my server', 'hello');
    const why = /^The server "my server" could not be started: "no-such-program-of-the-test" was/;
    for (const [method, params] of askedByName(name)) {
      match(refusalIn(method, await hub.request(method, params)), why);
    }
    const args = { serverName: 'my server', toolName: 'hello' };
    match(refusalIn('tools/call', await hub.call('call-tool', args)), why);
    const verdicts = verdictsIn(audit);
    deepEqual(
      verdicts.map(({ verdict, server, tool }) => [verdict, server, tool]),
      [name, `prompt ${name}`, 'hello'].map(tool => {
        return ['not-sent', 'my server', tool];
      }),
    );
    for (const { reason } of verdicts) {
      match(reason ?? '', why);
    }
  });

  test('is refused with the reason when its server is written and not run', async t => {
    const { hub, audit } = await open(t, {
      typed: { command: 'node', comand: 'x' },
      'turned off': { command: 'node', disabled: true },
    });
    const typed = /^"typed" is left out: servers\.json:\d+:\d+: Server "typed": "comand" is not/;
    const off = /^"turned off" is left out: It is switched off in servers\.json/;
    for (const [server, why] of [
      ['typed', typed],
      ['turned off', off],
    ] as const) {
      const ofNames = askedByName(offeredName(server, 'hello'));
      const read: Asked = ['resources/read', { uri: offeredUri(server, 'demo://x') }];
      for (const [method, params] of [...ofNames, read]) {
        match(refusalIn(method, await hub.request(method, params)), why);
      }
    }
    deepEqual(
      verdictsIn(audit).map(({ verdict, server }) => [verdict, server]),
      ['typed', 'turned off'].flatMap(server =>
        Array.from({ length: 3 }, () => ['not-sent', server]),
      ),
    );
  });

  test('is named when it is a resource of no server, as a file in a root is', async t => {
    const { hub, folder } = await open(t, {});
    for (const uri of ['demo://x', 'odd+demo://x', rootOf(join(folder, 'a.txt')).uri]) {
      const answer = await hub.request('resources/read', { uri });
      const text = `No server has the resource "${uri}". See resources/list.`;
      equal(refusalIn('resources/read', answer), text);
    }
    deepEqual((await hub.request('resources/list')).result.resources, []);
  });
});

/** A hub of these servers that exposes them and keeps an audit; its client shares one folder. */
async function open(t: TestContext, mcpServers: Readonly<Record<string, object>>) {
  const folder = tempFolder(t);
  writeTree(folder, { 'a.txt': 'a' });
  const audit = join(tempFolder(t), 'audit.jsonl');
  const args = ['--expose', 'tools', '--audit', audit];
  const hub = await HubWire.start(t, {
    era: 'modern',
    config: { mcpServers },
    roots: [folder],
    args,
  });
  return { hub, audit, folder };
}

/** The words in which a request was refused: a tool's are its result, for whoever called it. */
function refusalIn(method: string, { error, result }: WireMessage): string {
  const isTool = method === 'tools/call';
  deepEqual([error?.code, result?.isError], isTool ? [undefined, true] : [-32602, undefined]);
  return isTool ? result.content[0].text : (error?.message ?? '');
}
