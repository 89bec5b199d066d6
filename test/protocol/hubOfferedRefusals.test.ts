import { deepEqual, match } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { offeredName } from '../../src/domain/hubConfig/offeredNames.ts';
import { verdictsIn } from '../support/auditLines.ts';
import { HubWire } from '../support/hubWire.ts';
import type { WireMessage } from '../support/lineProcess.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

describe("what the hub exposes and can't pass on", { concurrency: 2 }, () => {
  test('is refused like any call, with its verdict, when its server can’t be started', async t => {
    // A name with a blank gets a hash upstream: of what, only the server can tell.
    const missing = { command: 'no-such-program-of-the-test' };
    const { hub, audit } = await open(t, { 'my server': missing });
    const name = offeredName('my server', 'hello');
    const why = /^The server "my server" could not be started: "no-such-program-of-the-test" was/;
    match(refusalIn(await hub.call(name)), why);
    const args = { serverName: 'my server', toolName: 'hello' };
    match(refusalIn(await hub.call('call-tool', args)), why);
    const verdicts = verdictsIn(audit);
    deepEqual(
      verdicts.map(({ verdict, server, tool }) => [verdict, server, tool]),
      [name, 'hello'].map(tool => ['not-sent', 'my server', tool]),
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
      match(refusalIn(await hub.call(offeredName(server, 'hello'))), why);
    }
    deepEqual(
      verdictsIn(audit).map(({ verdict, server }) => [verdict, server]),
      ['typed', 'turned off'].map(server => ['not-sent', server]),
    );
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

/** The words in which a call was refused. */
function refusalIn({ error, result }: WireMessage): string {
  deepEqual([error?.code, result?.isError], [undefined, true]);
  return result.content[0].text;
}
