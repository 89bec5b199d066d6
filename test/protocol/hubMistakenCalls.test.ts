import { deepEqual, equal, match } from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { verdictsIn } from '../support/auditLines.ts';
import { configOf, echoServer } from '../support/hubServers.ts';
import { HubWire } from '../support/hubWire.ts';
import { tempFolder } from '../support/temp.ts';

/** What is wrong, the arguments of the call, and the names that the audit can tell. */
const mistaken: readonly (readonly [what: RegExp, given: unknown, names: readonly string[]])[] = [
  [/"serverName" must be a text/, { serverName: { toString: 1 }, toolName: 'echo' }, ['', 'echo']],
  [/"toolName" must be a text/, { serverName: 'one', toolName: { toString: null } }, ['one', '']],
  [/"toolName" must be a text/, { serverName: 'one', toolName: 5 }, ['one', '']],
  [/"serverName" must be a text/, { serverName: nested(50), toolName: 'echo' }, ['', 'echo']],
  [/"toolName" is missing/, { serverName: 'one' }, ['one', '']],
  [/There is no argument "path"/, { path: '/etc/passwd', toolName: 'echo' }, ['', 'echo']],
  [
    /"toolArgs" must be an object/,
    { serverName: 'one', toolName: 'echo', toolArgs: [] },
    ['one', 'echo'],
  ],
];

test('a call that names no tool of a server is refused in words, and has its verdict', async t => {
  const one = echoServer(t);
  const audit = join(tempFolder(t), 'audit.jsonl');
  const hub = await HubWire.start(t, {
    era: 'modern',
    config: configOf({ one }),
    roots: [tempFolder(t)],
    args: ['--audit', audit],
  });
  for (const [what, given] of mistaken) {
    const { result } = await hub.request('tools/call', { name: 'call-tool', arguments: given });
    equal(result.isError, true);
    match(result.content[0].text, what);
  }
  deepEqual(
    verdictsIn(audit).map(({ verdict, server, tool }) => [verdict, server, tool]),
    mistaken.map(([, , names]) => ['denied', ...names]),
  );
  deepEqual(one.heard(), []);
});

function nested(levels: number): unknown {
  return levels === 0 ? 'one' : [nested(levels - 1)];
}
