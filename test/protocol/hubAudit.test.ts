import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openAuditedHub } from '../support/auditedHub.ts';
import { auditEntries, verdictsIn } from '../support/auditLines.ts';
import { rootOf } from '../support/bundledServer.ts';
import { startHub } from '../support/hub.ts';
import {
  configOf,
  echoServer,
  everythingServer,
  newestServer,
  plainServer,
} from '../support/hubServers.ts';
import { until } from '../support/processes.ts';
import { hubCall, isPassed } from '../support/rawHub.ts';
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
      ['denied', 'denied', 'denied'],
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
    const paths = [join(folder, 'a'), '/etc/passwd', join(folder, 'b')];
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
    const inside = join(folder, 'a\n\u001b\u202eb');
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
