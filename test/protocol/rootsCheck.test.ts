import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { noFindings, type RootsFindings } from '../../src/domain/rootsCheck/rootsFindings.ts';
import { inEnglish } from '../../src/domain/sentence.ts';
import type { ProtocolChoice } from '../../src/domain/servers/serverDefinition.ts';
import type { Target } from '../../src/mcp/openWire.ts';
import { type CheckTimes, defaultCheckTimes } from '../../src/mcp/rootsCheck/checkTimes.ts';
import { RootsCheck, type RootsCheckOutcome } from '../../src/mcp/rootsCheck/rootsCheck.ts';
import { serverMain } from '../support/bundledServer.ts';
import { startService } from '../support/httpService.ts';
import { allGone, atEnd, until } from '../support/processes.ts';
import { testTimes } from '../support/recordingConnection.ts';
import {
  legacyServer,
  modernServer,
  programStart,
  type RawServerOptions,
  type RecordingServer,
  rawServer,
} from '../support/recordingServer.ts';
import { tempFolder } from '../support/temp.ts';

/** For servers of which it is known that nothing more comes. */
const hasty = { ask: 300, askAgain: 200, settle: 200, pause: 20, steady: 50 };

interface CheckOptions {
  readonly protocol?: ProtocolChoice;
  readonly times?: Partial<CheckTimes>;
}

/** A check of the code under test. The test fails if a folder or a process of it is left at its end. */
function rootsCheck(
  t: TestContext,
  target: (rootPaths: readonly string[]) => Target,
  { protocol = 'auto', times = {} }: CheckOptions = {},
) {
  const folders: string[] = [];
  const pids: number[] = [];
  const steps: string[] = [];
  const check = new RootsCheck({
    clientInfo: { name: 'test-client', version: '1' },
    target: async rootPaths => {
      folders.push(...rootPaths);
      return target(rootPaths);
    },
    protocol,
    follow: connection => {
      connection.onDidChangeState(state => {
        if (state.kind === 'running' && state.pid !== undefined) {
          pids.push(state.pid);
        }
      });
    },
    times: { ...defaultCheckTimes, connection: testTimes, ...times },
  });
  check.onDidStep(step => steps.push(inEnglish(step)));
  atEnd(t, async () => {
    await allGone(pids);
    assert.deepEqual(
      folders.filter(path => existsSync(dirname(path))),
      [],
    );
    assert.equal(folders.length, 1);
  });
  return { check, steps, pids, folders };
}

/** A server that comes as a package, in the folder that it is told of first. */
function packaged(name: string) {
  const program = fileURLToPath(import.meta.resolve(`${name}/package.json`)).replace(
    /package\.json$/,
    join('dist', 'index.js'),
  );
  return ([folder]: readonly string[]) => programStart(folder!, program);
}

const bundled = ([folder]: readonly string[]) => programStart(folder!, serverMain);

function findingsOf(outcome: RootsCheckOutcome): RootsFindings {
  assert.equal(outcome.kind, 'found', JSON.stringify(outcome));
  return outcome.kind === 'found' ? outcome.findings : assert.fail();
}

const filesystemSees = { outside: 'refused', added: 'served', withdrawn: 'refused' };

test('server-filesystem asks at its start and after each change, and keeps its folders when told of none', async t => {
  const { check } = rootsCheck(t, packaged('@modelcontextprotocol/server-filesystem'));
  const { called, reading, ...findings } = findingsOf(await check.run());
  // One of several that read, since it may be called before the server is ready with its roots.
  const { tool, ...seen } = reading ?? assert.fail();
  assert.ok(called.includes(tool), called.join());
  assert.deepEqual(seen, { ...filesystemSees, emptied: 'served' });
  assert.deepEqual(findings, {
    era: 'legacy',
    protocolVersion: '2025-11-25',
    firstAsked: { kind: 'start' },
    asksAgain: true,
    naming: { tool: 'list_allowed_directories', ...filesystemSees, emptied: 'served' },
    startsWithoutRoots: true,
    cutShort: undefined,
  });
});

test('its successor gives its folders up when told of none, in the older revisions', async t => {
  const { check } = rootsCheck(t, packaged('server-filesystem-2'), { protocol: 'legacy' });
  assert.deepEqual(findingsOf(await check.run()), {
    era: 'legacy',
    protocolVersion: '2025-11-25',
    firstAsked: { kind: 'start' },
    asksAgain: true,
    called: ['read_file', 'list_allowed_directories'],
    reading: { tool: 'read_file', ...filesystemSees, emptied: 'refused' },
    naming: { tool: 'list_allowed_directories', ...filesystemSees, emptied: 'refused' },
    startsWithoutRoots: false,
    cutShort: undefined,
  });
});

test('its successor does not ask in the latest revision, and reads nothing', async t => {
  const { check } = rootsCheck(t, packaged('server-filesystem-2'), { times: hasty });
  const { called, ...findings } = findingsOf(await check.run());
  assert.ok(called.includes('read_file'), called.join());
  assert.ok(!called.some(name => /write|edit|move|create/.test(name)), called.join());
  assert.deepEqual(findings, {
    era: 'modern',
    protocolVersion: '2026-07-28',
    firstAsked: { kind: 'never' },
    asksAgain: undefined,
    reading: undefined,
    naming: undefined,
    startsWithoutRoots: true,
    cutShort: undefined,
  });
});

test('server-everything asks at its start and after each change, and names no folder when told of none', async t => {
  const { check, steps } = rootsCheck(t, packaged('@modelcontextprotocol/server-everything'));
  assert.deepEqual(findingsOf(await check.run()), {
    era: 'legacy',
    protocolVersion: '2025-11-25',
    firstAsked: { kind: 'start' },
    asksAgain: true,
    called: ['get-roots-list'],
    reading: undefined,
    naming: {
      tool: 'get-roots-list',
      outside: 'refused',
      added: 'served',
      withdrawn: 'refused',
      emptied: 'refused',
    },
    startsWithoutRoots: true,
    cutShort: undefined,
  });
  assert.deepEqual(steps, [
    'Starting it with a throw-away folder',
    'Waiting for it to ask for its folders',
    'Looking for a tool that reads',
    'Telling it of another folder instead',
    'Telling it of no folder',
    'Starting it without roots',
  ]);
});

const ours = {
  asksAgain: true,
  reading: {
    tool: 'read-file',
    outside: 'refused',
    added: 'served',
    withdrawn: 'refused',
    emptied: 'refused',
  },
  naming: {
    tool: 'get-roots',
    outside: 'refused',
    added: 'served',
    withdrawn: 'refused',
    emptied: 'refused',
  },
  startsWithoutRoots: true,
  cutShort: undefined,
};

test('our own server of the later revision asks inside its calls and keeps to each list', async t => {
  const { check } = rootsCheck(t, bundled);
  const { called, ...findings } = findingsOf(await check.run());
  assert.ok(called.includes('read-file') && called.includes('get-roots'), called.join());
  assert.deepEqual(findings, {
    era: 'modern',
    protocolVersion: '2026-07-28',
    firstAsked: { kind: 'call', tool: 'check-path' },
    ...ours,
  });
});

test('our own server of the older revisions asks at its start and keeps to each list', async t => {
  const { check } = rootsCheck(t, bundled, { protocol: 'legacy' });
  const { called, ...findings } = findingsOf(await check.run());
  assert.ok(called.includes('read-file'), called.join());
  assert.deepEqual(findings, {
    era: 'legacy',
    protocolVersion: '2025-11-25',
    firstAsked: { kind: 'start' },
    ...ours,
  });
});

test('our own server over HTTP is found to be the same', async t => {
  const { url } = await startService(t);
  const { check } = rootsCheck(t, () => ({ url, headers: {} }));
  const { called, ...findings } = findingsOf(await check.run());
  assert.ok(called.includes('read-file'), called.join());
  assert.deepEqual(findings, {
    era: 'modern',
    protocolVersion: '2026-07-28',
    firstAsked: { kind: 'call', tool: 'check-path' },
    ...ours,
  });
});

/** What is found of a server whose tools say nothing. */
const silent = {
  called: [],
  reading: undefined,
  naming: undefined,
  startsWithoutRoots: true,
  cutShort: undefined,
};

test('a server that never asks is found to never ask, and is told of throw-away folders only', async t => {
  const server = rawServer(t, { asks: 'never' });
  const { check } = rootsCheck(t, () => server.start, { times: hasty });
  assert.deepEqual(findingsOf(await check.run()), {
    ...silent,
    era: 'legacy',
    protocolVersion: '2025-11-25',
    firstAsked: { kind: 'never' },
    asksAgain: false,
  });
  assert.equal(server.count('notifications/roots/list_changed'), 2);
  assert.doesNotMatch(server.bytes(), /file:/);
});

test('a server of the older SDK is told of the first folder, then of the second, then of none', async t => {
  const server = legacyServer(t);
  const { check, folders } = rootsCheck(t, () => server.start, { times: { steady: 50 } });
  const findings = findingsOf(await check.run());
  assert.deepEqual([findings.firstAsked, findings.asksAgain], [{ kind: 'start' }, true]);
  const told = server
    .messages()
    .flatMap(({ result }) => (result as { roots?: { uri: string }[] } | undefined)?.roots ?? [])
    .map(({ uri }) => fileURLToPath(uri));
  assert.deepEqual(told.map(dirname), [dirname(folders[0]!), dirname(folders[0]!)]);
  assert.equal(told[0], folders[0]);
  assert.notEqual(told[1], folders[0]);
  const capabilities = server
    .messages()
    .filter(({ method }) => method === 'initialize')
    .map(({ params }) => (params as { capabilities: object }).capabilities);
  assert.deepEqual(capabilities, [{ roots: { listChanged: true } }, {}]);
});

test('no tool is called that is not sure to change nothing, and then nothing can be told of a modern server', async t => {
  const server = modernServer(t);
  const { check } = rootsCheck(t, () => server.start, { times: hasty });
  assert.deepEqual(findingsOf(await check.run()), {
    ...silent,
    era: 'modern',
    protocolVersion: '2026-07-28',
    firstAsked: { kind: 'never' },
    asksAgain: undefined,
  });
  assert.equal(server.count('tools/call'), 0);
});

test('a server that reads what it was never told of is found to', async t => {
  const { check } = rootsCheck(t, homemade(t, 'reads-everything'), { times: hasty });
  const { firstAsked, called, reading } = findingsOf(await check.run());
  assert.deepEqual(
    { firstAsked, called, reading },
    {
      firstAsked: { kind: 'never' },
      called: ['read'],
      reading: {
        tool: 'read',
        outside: 'served',
        added: 'served',
        withdrawn: 'served',
        emptied: 'served',
      },
    },
  );
});

test('a server that asks inside its calls, in the older way, is found to', async t => {
  const { check } = rootsCheck(t, homemade(t, 'asks-in-calls'), { times: hasty });
  const { era, firstAsked, asksAgain, reading } = findingsOf(await check.run());
  assert.deepEqual(
    { era, firstAsked, asksAgain, reading },
    {
      era: 'legacy',
      firstAsked: { kind: 'call', tool: 'read' },
      asksAgain: true,
      reading: {
        tool: 'read',
        outside: 'refused',
        added: 'served',
        withdrawn: 'refused',
        emptied: 'refused',
      },
    },
  );
});

test('a tool that answers nothing is given up, and nothing is told of what it reads', async t => {
  const { check } = rootsCheck(t, homemade(t, 'hangs-in-calls'), {
    times: { ...hasty, call: 200 },
  });
  const { called, reading, cutShort } = findingsOf(await check.run());
  assert.deepEqual(
    { called, reading, cutShort },
    { called: ['read'], reading: undefined, cutShort: undefined },
  );
});

test('what was found before a server died is kept, with its end', async t => {
  const { check } = rootsCheck(t, homemade(t, 'dies-in-calls'), {
    times: { ...hasty, settle: 2000 },
  });
  const { firstAsked, reading, cutShort, startsWithoutRoots } = findingsOf(await check.run());
  assert.deepEqual(
    { firstAsked, reading, cutShort, startsWithoutRoots },
    {
      firstAsked: { kind: 'never' },
      reading: undefined,
      cutShort: 'ended',
      startsWithoutRoots: true,
    },
  );
});

test('a server that dies at its start is a failure with its last words', async t => {
  const server = rawServer(t, { dies: 'at-start' });
  const { check } = rootsCheck(t, () => server.start);
  const outcome = await check.run();
  assert.equal(outcome.kind, 'failed');
  const failure = outcome.kind === 'failed' && outcome.failure;
  assert.equal(
    failure && failure.kind === 'ended' && failure.end.stderr.at(-1),
    'no such option: --fast',
  );
});

const stuck: readonly (readonly [string, RawServerOptions])[] = [
  ['a server that answers nothing', { isMute: true, isStubborn: true }],
  ['a stubborn server with a process of its own', { isStubborn: true, leavesGrandchild: true }],
];
const hasLeft = (server: RecordingServer, { leavesGrandchild }: RawServerOptions) =>
  server.grandchildren().length === (leavesGrandchild ? 1 : 0);
const shortGrace = { ...testTimes, stop: { end: 100, terminate: 100 } };

for (const [what, options] of stuck) {
  test(`${what} is ended when the check is cancelled, and nothing of it is left`, async t => {
    const server = rawServer(t, options);
    const { check } = rootsCheck(t, () => server.start, {
      times: { connection: shortGrace },
    });
    const running = check.run();
    await until('it runs', () => server.pids().length === 1);
    await until('it has what it leaves', () => hasLeft(server, options));
    check.cancel();
    assert.deepEqual(await running, { kind: 'cancelled' });
  });
}

test('a server that answers nothing is ended when the time is over', async t => {
  const server = rawServer(t, { isMute: true, isStubborn: true });
  const { check } = rootsCheck(t, () => server.start, {
    times: { whole: 500, connection: shortGrace },
  });
  assert.deepEqual(await check.run(), {
    kind: 'failed',
    failure: { kind: 'silent', seconds: 0.5 },
  });
});

test('what was found before the time was over is kept, and a stubborn server is ended', async t => {
  const server = rawServer(t, { asks: 'never', isStubborn: true, leavesGrandchild: true });
  const { check } = rootsCheck(t, () => server.start, {
    times: { whole: 3000, ask: 60_000, connection: shortGrace },
  });
  assert.deepEqual(findingsOf(await check.run()), {
    ...noFindings('legacy', '2025-11-25'),
    cutShort: 'time',
  });
});

test('a check that is killed leaves no folder, at once, and no process', async t => {
  const server = rawServer(t, { isStubborn: true });
  const { check, folders } = rootsCheck(t, () => server.start, {
    times: { connection: shortGrace },
  });
  const running = check.run();
  await until('it runs', () => server.pids().length === 1);
  check.kill();
  assert.equal(existsSync(dirname(folders[0]!)), false);
  assert.deepEqual(await running, { kind: 'cancelled' });
});

test('a check that may not start leaves nothing and says why', async t => {
  const reason = new Error('Its working directory is missing.');
  const { check } = rootsCheck(t, () => {
    throw reason;
  });
  await assert.rejects(check.run(), reason);
});

test('the server works in the first throw-away folder, in which there is one file that says why', async t => {
  let seen: readonly string[] = [];
  const { check } = rootsCheck(
    t,
    ([folder]) => {
      seen = readdirSync(folder!);
      return programStart(folder!, join(tempFolder(t), 'no-such-program.js'));
    },
    { times: hasty },
  );
  assert.equal((await check.run()).kind, 'failed');
  assert.match(seen.join(), /^note-[\w-]+\.txt$/);
});

type Behaviour = 'reads-everything' | 'asks-in-calls' | 'hangs-in-calls' | 'dies-in-calls';

/** A server of the older SDK with one tool that reads by path and behaves like this. */
function homemade(t: TestContext, behaviour: Behaviour) {
  const program = join(tempFolder(t), 'server.mjs');
  const from = (module: string) =>
    JSON.stringify(import.meta.resolve(`@modelcontextprotocol/sdk/${module}`));
  writeFileSync(
    program,
    `import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Server } from ${from('server/index.js')};
import { StdioServerTransport } from ${from('server/stdio.js')};
import { CallToolRequestSchema, ListToolsRequestSchema } from ${from('types.js')};
process.stdin.on('end', () => process.exit(0));
const server = new Server({ name: 'homemade', version: '1' }, { capabilities: { tools: {} } });
const inputSchema = { type: 'object', properties: { file_path: { type: 'string' } }, required: ['file_path'] };
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [{ name: 'write', inputSchema }, { name: 'read', inputSchema }],
}));
server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
  const path = params.arguments.file_path;
  const text = value => ({ content: [{ type: 'text', text: value }] });
  switch (${JSON.stringify(behaviour)}) {
    case 'hangs-in-calls':
      return new Promise(() => {});
    case 'dies-in-calls':
      process.exit(4);
    case 'asks-in-calls': {
      const { roots } = await server.listRoots();
      if (!roots.some(({ uri }) => path.startsWith(fileURLToPath(uri)))) {
        return text('No access to ' + path);
      }
    }
  }
  return text(readFileSync(path, 'utf8'));
});
await server.connect(new StdioServerTransport());
`,
  );
  return ([folder]: readonly string[]) => programStart(folder!, program);
}
