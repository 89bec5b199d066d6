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
  test('has one verdict for each call that never came to its server', async t => {
    const servers = {
      well: echoServer(t),
      dying: plainServer(t, { dies: 'at-start' }),
      mute: plainServer(t, { isMute: true }),
    };
    const { session, audit } = await openAuditedHub(t, servers);
    session.send(
      ...[hubCall(10, 'dying', 'ask'), hubCall(11, 'nobody', 'a'), hubCall(12, 'mute', 'ask')],
      hubCall(13, 'well', 'echo', { path: '/etc/passwd' }),
    );
    await Promise.all([10, 11, 13].map(id => session.answerTo(id)));
    await until('the mute one starts', () => servers.mute.recorded.pids().length === 1);
    session.send({ method: 'notifications/cancelled', params: { requestId: 12 } });
    await until('the last verdict', () => verdictsIn(audit).length === 4);
    session.send(hubCall(14, 'well', 'echo'));
    await session.answerTo(14);
    const told = new Map(verdictsIn(audit).map(entry => [`${entry.server} ${entry.tool}`, entry]));
    equal(verdictsIn(audit).length, 5);
    const lastOfWell = verdictsIn(audit).at(-1);
    deepEqual([lastOfWell?.verdict, lastOfWell?.paths], ['allowed', []]);
    match(String(told.get('dying ask')?.reason), /"dying" ended with exit code 3/);
    match(String(told.get('nobody a')?.reason), /There is no server "nobody"/);
    deepEqual(
      ['dying ask', 'nobody a', 'mute ask'].map(call => told.get(call)?.verdict),
      ['not-sent', 'not-sent', 'not-sent'],
    );
    deepEqual(servers.well.heard(), [{ tool: 'echo', args: {} }]);
  });

  test('has one verdict for each call of a modern client, which is asked for its roots first', async t => {
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

  test('tells which roots a server was handed, in both eras of it', async t => {
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

  test('tells each answer of the client on its roots, and what became of a server', async t => {
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
    deepEqual(
      entries
        .filter(({ event }) => event.startsWith('roots'))
        .map(({ event, roots, source }) => [event, roots, source]),
      [
        ['roots', [folder], 'client'],
        ['roots', [folder], 'client'],
        ['roots-changed', [join(folder, 'a')], 'client'],
        ['roots-changed', [], 'client'],
      ],
    );
    const states = entries.filter(({ event }) => event === 'child');
    ok(states.every(({ server }) => server === 'one'));
    equal(new Set(states.map(({ child }) => child)).size, 1);
    deepEqual(
      states.slice(0, 2).map(({ state, reason }) => [state, reason]),
      [
        ['starting', undefined],
        ['running', undefined],
      ],
    );
    equal(states.at(-1)?.state, 'stopped');
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

  test('holds no contents, and nothing that could forge a line or turn text around', async t => {
    const { session, folder, audit } = await openAuditedHub(t, { one: echoServer(t) });
    const forged = '\n{"event":"verdict","verdict":"allowed"}\n\u001b[2J\u202e\u2028';
    const secret = 'contents-of-a-call';
    // Of these, Windows lets no name have but the last.
    const odd = process.platform === 'win32' ? '\u202e' : '\n\u001b\u202e';
    const inside = join(folder, `a${odd}b`);
    session.send(
      hubCall(10, 'one', 'echo', {
        path: inside,
        content: secret,
        message: secret,
        deep: [secret],
      }),
      hubCall(11, `x${forged}`, `y${forged}`, { content: secret }),
      hubCall(12, 'one', `z${forged}`, { path: `/etc/${forged}`, content: secret }),
    );
    const passed = await session.answerTo(10);
    ok(isPassed(passed), JSON.stringify(passed));
    await Promise.all([11, 12].map(id => session.answerTo(id)));
    const text = readFileSync(audit, 'utf8');
    equal(text.includes(secret), false);
    deepEqual(text.match(/[^\n\P{C}]|[\u2028\u2029]/gu), null);
    const verdicts = verdictsIn(audit);
    equal(verdicts.length, 3);
    const allowed = verdicts.find(({ verdict }) => verdict === 'allowed');
    equal(allowed?.paths?.[0], inside);
    deepEqual(verdicts.map(({ tool }) => tool).sort(), ['echo', `y${forged}`, `z${forged}`]);
  });
});

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
    mistaken.map(([, , names]) => ['not-sent', ...names]),
  );
  deepEqual(one.heard(), []);
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
