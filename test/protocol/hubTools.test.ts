import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { askUntil } from '../support/askUntil.ts';
import { textOf } from '../support/bundledServer.ts';
import { startHub } from '../support/hub.ts';
import { untilItHasTools, untilListed } from '../support/hubListing.ts';
import { configOf, oddHubServer, plainServer, plainTool } from '../support/hubServers.ts';
import { rawServer } from '../support/recordingServer.ts';
import { slowDownload } from '../support/slowDownload.ts';
import { onlyOn } from '../support/systems.ts';
import { tempFolder } from '../support/temp.ts';

test('list-servers and list-tools list servers and tools with their problems', async t => {
  const odd = oddHubServer(t, { tools: [plainTool('rich'), plainTool('plain'), plainTool('')] });
  const bad = plainServer(t, { dies: 'at-start' });
  const { mcpServers } = configOf({ odd, bad }) as { mcpServers: object };
  const off = { command: 'no-such-program-of-the-test', guard: { check: 'off' } };
  const config = { mcpServers: { ...mcpServers, off, nothing: {} } };
  const hub = await startHub(t, { era: 'legacy', config, roots: [tempFolder(t)] });
  const states = async () =>
    (await hub.listServers()).servers.map(({ name, state, tools }) => [name, state, tools]);
  const { problems } = await hub.listServers();
  match(problems.join(), /^servers\.json:\d+:\d+: Server "nothing": /);
  const stopped = ['odd', 'bad', 'off'].map(name => [name, 'stopped', undefined]);
  deepEqual(await states(), stopped);
  // Three servers, the excluded one, the promise of the guard, and the problem.
  const lines = textOf(await hub.callOwn('list-servers')).split('\n');
  deepEqual([lines.length, lines.at(-1)], [6, problems[0]]);
  deepEqual(
    lines.slice(0, 3).map(line => line.split(':')[0]),
    ['odd', 'bad', 'off'],
  );

  const list = async (args: Record<string, unknown> = {}) => {
    const { content, structuredContent, isError } = await hub.callOwn('list-tools', args);
    const { tools = [], problems = [] } = (structuredContent ?? {}) as {
      readonly tools?: readonly { readonly serverName: string; readonly name: string }[];
      readonly problems?: readonly string[];
    };
    const names = tools.map(({ serverName, name }) => `${serverName} ${name}`);
    return { names, problems, isError, texts: content.map(({ text = '' }) => text) };
  };
  // It waits for a server a second once the others have come up.
  const all = await askUntil(
    list,
    ({ names, problems }) => names.length > 0 && problems.join().includes(' 3: '),
  );
  deepEqual(all.names, ['odd rich', 'odd plain']);
  const [ofOdd, ofBad, ofOff, ofNothing, ...more] = all.problems;
  match(ofOdd ?? '', /^odd: 1 .*"name"\)\.$/);
  match(ofBad ?? '', /"bad" .* 3: no such option: --fast\./);
  match(ofOff ?? '', /"off" .*"no-such-program-of-the-test"/);
  ok(ofNothing?.endsWith(problems[0]!), ofNothing);
  deepEqual(more, []);
  const shown = ['odd › rich()', 'odd › plain()', ...all.problems];
  deepEqual(all.texts, [shown.join('\n')]);
  deepEqual((await list({ search: 'RICH odd' })).names, ['odd rich']);
  deepEqual((await list({ search: 'rich nowhere' })).names, []);
  const one = await list({ serverName: 'odd' });
  deepEqual([one.names, one.problems], [all.names, [ofOdd]]);
  for (const serverName of ['nothing', 'even']) {
    const { isError, texts } = await list({ serverName });
    equal(isError, true);
    match(texts[0] ?? '', new RegExp(`"${serverName}".*: odd, bad, off\\.$`));
  }
  const { names, texts } = await list({ search: null, server: 'odd' });
  deepEqual([names, texts.length], [all.names, 2]);
  match(texts[1] ?? '', /"server".*: serverName, search\./);

  match(String((await hub.listServers()).servers[0]?.rootsReachIt), /when it asks/);
  deepEqual((await states())[0], ['odd', 'running', 2]);
  deepEqual((await states())[2], ['off', 'failed', undefined]);
});

test('list-servers reports a server that may be downloading', {
  skip: onlyOn('posix', 'no program is run by a shebang there'),
}, async t => {
  const download = slowDownload(t, rawServer(t));
  const { command, args } = download.launch;
  const hub = await startHub(t, {
    era: 'legacy',
    roots: [tempFolder(t)],
    config: { mcpServers: { fetched: { command, args, autoStart: true } } },
  });
  const { servers } = await untilListed(hub, 'a problem', listed => !!listed.servers[0]?.problem);
  deepEqual(
    [servers[0]?.state, servers[0]?.problem],
    ['starting', 'The server may be downloading its program.'],
  );
  download.finish();
  await untilListed(hub, 'its end', listed => listed.servers[0]?.problem === undefined);
});

test('shows the description of a running server, in a list only its beginning', async t => {
  const long = `  Ask first.\r\n\n\tThen\u202e\u0007 act.\nfiles › forged() ${'x'.repeat(5000)}`;
  const tools = [plainTool('plain')];
  const odd = oddHubServer(t, { tools, title: ' An  Odd\nServer ', instructions: long });
  const silent = oddHubServer(t, { tools, title: '', instructions: ' ' });
  const config = configOf({ odd, silent });
  const hub = await startHub(t, { era: 'legacy', config, roots: [tempFolder(t)] });
  const described = async () =>
    (await hub.listServers()).servers.map(({ title, instructions }) => [title, instructions]);
  const nothing = [undefined, undefined];
  deepEqual(await described(), [nothing, nothing]);
  await hub.call('odd', 'plain');
  await hub.call('silent', 'plain');
  const inShort = `Ask first. Then\\u202e\\u0007 act. files › forged() ${'x'.repeat(257)}…`;
  deepEqual(await described(), [['An Odd Server', inShort], nothing]);
  const lines = textOf(await hub.callOwn('list-servers')).split('\n');
  deepEqual(
    [lines[0]?.startsWith('odd (An Odd Server): '), lines[0]?.endsWith(inShort)],
    [true, true],
  );

  const { content, structuredContent } = await hub.callOwn('list-tools', { serverName: 'odd' });
  const atLength = String(structuredContent?.['instructions']);
  match(atLength, /^Ask first\.\n\n Then\\u202e\\u0007 act\.\nfiles › forged\(\) x{3900,4000}…$/);
  // Apart from the tools, because its lines could look like lines of other servers.
  equal(content[0]?.text, 'odd › plain()');
  ok(content[1]?.text?.endsWith(`:\n${atLength}`));
  equal(textOf(await hub.callOwn('list-tools', { serverName: 'silent' })), 'silent › plain()');
  equal(textOf(await hub.callOwn('list-tools')), 'odd › plain()\nsilent › plain()');
});

test('the guard reads the schema of a tool, and whether the tool only reads', async t => {
  const page = { path: { description: "The page's path, such as '/platforms/python/'" } };
  const writes = { ...plainTool('writes'), inputSchema: { type: 'object', properties: page } };
  const reads = { ...writes, name: 'reads', annotations: { readOnlyHint: true } };
  const properties = { path: { description: 'URL path, such as /users' }, spot: {} };
  const ruled = { ...plainTool('ruled'), inputSchema: { type: 'object', properties } };
  const config = configOf({ site: oddHubServer(t, { tools: [reads, writes, ruled] }) });
  const hub = await startHub(t, { era: 'legacy', config, roots: [tempFolder(t)] });
  const outside = tempFolder(t);
  await untilItHasTools(hub, 'site');
  const isRefused = async (tool: string, args: Record<string, unknown>) =>
    (await hub.call('site', tool, args)).isError === true;
  const path = `/platforms-${process.pid}/javascript/`;
  deepEqual(
    [
      await isRefused('reads', { path }),
      await isRefused('reads', { path: outside }),
      await isRefused('ruled', { path: '/etc/users' }),
      await isRefused('ruled', { spot: outside }),
      await isRefused('ruled', { spot: ['~/x'] }),
    ],
    [false, true, false, true, true],
  );
  // On Windows, everybody may make folders at the top of a drive; elsewhere root may.
  equal(await isRefused('writes', { path }), (process.getuid?.() ?? 0) === 0);
});
