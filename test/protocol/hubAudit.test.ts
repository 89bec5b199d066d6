import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { auditEntries, verdictsIn } from '../support/auditLines.ts';
import { type RawSession, rootOf, toolCall } from '../support/bundledServer.ts';
import { startHub } from '../support/hub.ts';
import {
  configOf,
  echoServer,
  everythingServer,
  type HubServer,
  newestServer,
  plainServer,
} from '../support/hubServers.ts';
import { HubWire } from '../support/hubWire.ts';
import { until } from '../support/processes.ts';
import { hubCall, isPassed, rawHub } from '../support/rawHub.ts';
import { listsIn } from '../support/recordingServer.ts';
import { share } from '../support/sharing.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

describe('the audit of the hub', { concurrency: 2 }, () => {
  test('has one verdict for each call that never reached its server, and no contents', async t => {
    const servers = {
      well: echoServer(t),
      dying: plainServer(t, { dies: 'at-start' }),
      mute: plainServer(t, { isMute: true }),
    };
    const { session, audit } = await openAuditedHub(t, servers);
    const content = 'contents-of-a-call';
    const forged = '\n{"event":"verdict","verdict":"allowed"}\n\u001b[2J\u202e\u2028';
    session.send(
      hubCall(10, 'dying', 'ask', { content }),
      hubCall(11, `x${forged}`, 'a', { content }),
      hubCall(12, 'mute', 'ask', { content }),
      hubCall(13, 'well', 'echo', { path: `/etc/${forged}`, content }),
    );
    await Promise.all([10, 11, 13].map(id => session.answerTo(id)));
    await until('the mute one starts', () => servers.mute.recorded.pids().length === 1);
    session.send({ method: 'notifications/cancelled', params: { requestId: 12 } });
    await until('the last verdict', () => verdictsIn(audit).length === 4);
    session.send(hubCall(14, 'well', 'echo', { content, deep: [content] }));
    await session.answerTo(14);
    const told = verdictsIn(audit);
    deepEqual(told.map(({ server, tool, verdict }) => [server, tool, verdict]).sort(), [
      ['dying', 'ask', 'not-sent'],
      ['mute', 'ask', 'not-sent'],
      ['well', 'echo', 'allowed'],
      ['well', 'echo', 'denied'],
      [`x${forged}`, 'a', 'not-sent'],
    ]);
    match(String(told.find(({ server }) => server === 'dying')?.reason), /"dying" .*code 3/);
    equal(servers.well.heard().length, 1);
    const text = readFileSync(audit, 'utf8');
    equal(text.includes(content), false);
    deepEqual(text.match(/[^\n\P{C}]|[\u2028\u2029]/gu), null);
  });

  test('has one verdict for each call of a modern client, which is first asked for its roots', async t => {
    const server = echoServer(t);
    const folder = tempFolder(t);
    const audit = join(tempFolder(t), 'audit.jsonl');
    const hub = await startHub(t, {
      era: 'modern',
      config: configOf({ echo: server }),
      roots: [folder],
      args: ['--audit', audit],
    });
    const paths = [join(folder, 'a'), `${folder}-beside`, join(folder, 'b')];
    await Promise.all(paths.map(path => hub.call('echo', 'echo', { path })));
    const verdicts = verdictsIn(audit).map(
      ({ verdict, paths: [path] = [] }) => `${verdict} ${path}`,
    );
    deepEqual(verdicts.sort(), [
      `allowed ${paths[0]}`,
      `allowed ${paths[2]}`,
      `denied ${paths[1]}`,
    ]);
    const roots = auditEntries(audit).filter(({ event }) => event.startsWith('roots'));
    deepEqual(
      roots.map(({ event, roots: folders, source }) => [event, folders, source]),
      roots.map(() => ['roots', [folder], 'client']),
    );
    equal(roots.length, hub.timesAsked());
  });

  test('names the roots that a server got, in both eras', async t => {
    const folder = tempFolder(t);
    const audit = join(tempFolder(t), 'audit.jsonl');
    const servers = { asks: everythingServer(t), askedLater: newestServer(t) };
    const hub = await startHub(t, {
      era: 'legacy',
      config: configOf(servers),
      roots: [folder],
      args: ['--audit', audit],
    });
    await hub.call('asks', 'get-roots-list');
    await hub.call('askedLater', 'where');
    const exposuresOf = (name: string) =>
      auditEntries(audit)
        .filter(({ event, server }) => event === 'exposure' && server === name)
        .map(({ roots }) => roots);
    // It asks some time after its start and for its tool, unless it has its roots by then.
    const handed = () => listsIn(servers.asks.recorded.bytes()).length;
    await until('it is told each time', () => exposuresOf('asks').length === handed());
    const uris = [rootOf(folder).uri];
    ok(handed() > 0);
    deepEqual(
      exposuresOf('asks'),
      Array.from({ length: handed() }, () => uris),
    );
    deepEqual(exposuresOf('askedLater'), [uris]);
  });

  test('lists each answer of the client on its roots, and the states of a server', async t => {
    const servers = { one: echoServer(t) };
    const { session, folder, audit } = await openAuditedHub(t, servers);
    writeTree(folder, { 'a/': '' });
    session.send(hubCall(10, 'one', 'echo'));
    await session.answerTo(10);
    for (const folders of [[folder], [join(folder, 'a')], []]) {
      session.send({ method: 'notifications/roots/list_changed' });
      await share(
        session,
        folders.map(one => rootOf(one)),
      );
      session.send({ id: 20, method: 'ping' });
      await session.answerTo(20);
    }
    session.process.stdin?.end();
    await session.exited;
    const entries = auditEntries(audit);
    const told = entries.filter(({ event }) => event.startsWith('roots'));
    ok(told.every(({ source }) => source === 'client'));
    deepEqual(
      told.map(({ event, roots = [] }) => [event, ...roots]),
      [
        ...[1, 2].map(() => ['roots', folder]),
        ['roots-changed', join(folder, 'a')],
        ['roots-changed'],
      ],
    );
    const states = entries.filter(({ event }) => event === 'child');
    ok(states.every(({ server }) => server === 'one'));
    equal(new Set(states.map(({ child }) => child)).size, 1);
    const [first, second, ...others] = states.map(({ state }) => state);
    deepEqual([first, second, others.at(-1)], ['starting', 'running', 'stopped']);
    deepEqual(
      states.flatMap(({ reason }) => reason ?? []),
      // Once for its new folder, and with the last root; after that there is nothing to be ended.
      Array(2).fill('it was ended, because the roots have changed'),
    );
    const times = entries.map(({ time }) => Date.parse(time));
    deepEqual(
      times,
      [...times].sort((one, other) => one - other),
    );
    equal(new Set(entries.flatMap(({ session: name }) => name ?? [])).size, 1);
  });
});

test('refuses every call while the audit cannot be written', {
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
    deepEqual([result?.isError, result?.content[0]?.text?.includes(`"${audit}"`)], [true, true]);
  }
  // A call refused because it names no tool must have its verdict, too.
  session.send(toolCall(14, 'call-tool', { serverName: 'one' }));
  const { result } = await session.answerTo(14);
  equal(result?.content[0]?.text?.includes(`"${audit}"`), true);
  limitFiles(session, 'unlimited');
  equal(isPassed(await call(15)), true);
  deepEqual(
    servers.one.heard().map(({ args }) => (args as { readonly id: number }).id),
    [10, 15],
  );
  const lines = readFileSync(audit, 'utf8').trim().split('\n');
  // One line was cut; the next one begins a new line.
  equal(lines.filter(line => !line.endsWith('}')).length, 1);
  equal(JSON.parse(lines.at(-1) ?? '').verdict, 'allowed');
});

/** Sets how large the files may get that the hub writes, in bytes. */
function limitFiles({ process }: RawSession, size: number | 'unlimited'): void {
  const args = ['--pid', String(process.pid), `--fsize=${size}:unlimited`];
  const { status, stderr } = spawnSync('prlimit', args, { encoding: 'utf8' });
  equal(status, 0, stderr);
}

/** The arguments of a call, what is wrong with them, and the names that the audit has for the call. */
const mistaken: readonly (readonly [given: unknown, said: RegExp, names: readonly string[]])[] = [
  [{ serverName: { toString: 1 }, toolName: 'echo' }, /^[^:]*: "serverName" must/, ['', 'echo']],
  [{ serverName: 'one', toolName: { toString: null } }, /: "toolName" must/, ['one', '']],
  [{ serverName: 'one', toolName: 5 }, /: "toolName" must/, ['one', '']],
  [{ serverName: nested(50), toolName: 'echo' }, /: "serverName" must/, ['', 'echo']],
  [{ serverName: 'one' }, /: "toolName" is missing/, ['one', '']],
  [{ path: '/etc/passwd', toolName: 'echo' }, / "path" is unknown/, ['', 'echo']],
  [{ serverName: 'one', toolName: 'echo', toolArgs: [] }, /: "toolArgs" must/, ['one', 'echo']],
];

test('refuses a call of an unknown tool, with its verdict', async t => {
  const one = echoServer(t);
  const audit = join(tempFolder(t), 'audit.jsonl');
  const hub = await HubWire.start(t, {
    era: 'modern',
    config: configOf({ one }),
    roots: [tempFolder(t)],
    args: ['--audit', audit],
  });
  const refusalOf = async (given: unknown): Promise<string> => {
    const { result } = await hub.askInRounds('tools/call', { name: 'call-tool', arguments: given });
    equal(result.isError, true);
    return result.content[0].text;
  };
  for (const [given, said] of mistaken) {
    match(await refusalOf(given), said);
  }
  deepEqual(
    verdictsIn(audit).map(({ verdict, server, tool }) => [verdict, server, tool]),
    mistaken.map(([, , names]) => ['not-sent', ...names]),
  );
  deepEqual(one.heard(), []);
  // As a JSON text, arguments are judged like others.
  const given = { serverName: 'one', toolName: 'echo', toolArgs: '{"path":"/etc/passwd"}' };
  match(await refusalOf(given), /^Access denied: .*passwd/);
});

function nested(levels: number): unknown {
  return levels === 0 ? 'one' : [nested(levels - 1)];
}

/** A hub that shares a folder with these servers and has an audit. */
async function openAuditedHub(
  t: TestContext,
  servers: Readonly<Record<string, HubServer>>,
): Promise<{ readonly session: RawSession; readonly folder: string; readonly audit: string }> {
  const folder = tempFolder(t);
  const audit = join(tempFolder(t), 'audit.jsonl');
  const args = ['--audit', audit];
  const session = await rawHub(t, { config: configOf(servers), roots: [folder], args });
  return { session, folder, audit };
}
