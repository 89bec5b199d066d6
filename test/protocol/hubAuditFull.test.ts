import { deepEqual, equal, match } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openAuditedHub } from '../support/auditedHub.ts';
import { type RawSession, toolCall } from '../support/bundledServer.ts';
import { echoServer } from '../support/hubServers.ts';
import { hubCall, isPassed } from '../support/rawHub.ts';

test('an audit that cannot be written has every call refused, and none once it can be again', {
  skip: spawnSync('prlimit', ['--version']).status !== 0 && 'there is no prlimit here',
}, async t => {
  const servers = { one: echoServer(t) };
  const { session, folder, audit } = await openAuditedHub(t, servers);
  const path = join(folder, 'a');
  const call = async (id: number) => {
    session.send(hubCall(id, 'one', 'echo', { path, id }));
    return session.answerTo(id);
  };
  equal(isPassed(await call(10)), true);
  // The system lets the file grow by less than a line, as on a disk that is full.
  limitFiles(session, statSync(audit).size + 20);
  for (const id of [11, 12, 13]) {
    const { result } = await call(id);
    const text = `The audit log "${audit}" cannot be written, and without it nothing is called.`;
    deepEqual([result?.isError, result?.content[0]?.text?.startsWith(text)], [true, true]);
  }
  // What is refused anyway, because it names no tool, has to have its verdict too.
  session.send(toolCall(14, 'call-tool', { serverName: 'one' }));
  const { result } = await session.answerTo(14);
  match(result?.content[0]?.text ?? '', /cannot be written, and without it nothing is called/);
  limitFiles(session, 'unlimited');
  equal(isPassed(await call(15)), true);
  deepEqual(
    servers.one.heard().map(({ args }) => (args as { readonly id: number }).id),
    [10, 15],
  );
  const lines = readFileSync(audit, 'utf8').trim().split('\n');
  // One line was cut; the next begins a line of its own.
  equal(lines.filter(line => !line.endsWith('}')).length, 1);
  equal(JSON.parse(lines.at(-1) ?? '').verdict, 'allowed');
});

/** Sets how large the files may get that the hub writes, in bytes. */
function limitFiles({ process }: RawSession, size: number | 'unlimited'): void {
  const args = ['--pid', String(process.pid), `--fsize=${size}:unlimited`];
  const { status, stderr } = spawnSync('prlimit', args, { encoding: 'utf8' });
  equal(status, 0, stderr);
}
