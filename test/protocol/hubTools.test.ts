import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import { askUntil } from '../support/askUntil.ts';
import { startHub } from '../support/hub.ts';
import { untilItHasTools, untilListed } from '../support/hubListing.ts';
import { configOf, plainServer } from '../support/hubServers.ts';
import { oddHubServer, plainTool } from '../support/oddServers.ts';
import { rawServer } from '../support/recordingServer.ts';
import { slowDownload } from '../support/slowDownload.ts';
import { onlyOn } from '../support/systems.ts';
import { tempFolder } from '../support/temp.ts';

const skip = onlyOn('posix', 'no program is run by a shebang there');

test('list-servers and list-tools tell in plain words what there is, and what is wrong', async t => {
  const properties = {
    text: { type: 'string' },
    side: { enum: ['left', 'right'] },
    list: { type: 'array' },
    more: {},
  };
  const inputSchema = { type: 'object', properties, required: ['text'] };
  const rich = { name: 'rich', description: 'Does it.\nAt length.', inputSchema };
  const odd = oddHubServer(t, { tools: [rich, plainTool('plain'), plainTool('plain')] });
  const bad = plainServer(t, { dies: 'at-start' });
  const { mcpServers } = configOf({ odd, bad }) as { mcpServers: object };
  const off = { command: 'no-such-program-of-the-test', guard: 'off' };
  const config = { mcpServers: { ...mcpServers, off, nothing: {} } };
  const hub = await startHub(t, { era: 'legacy', config, roots: [tempFolder(t)] });
  const says = async (tool: string, args = {}) => {
    const { content } = await hub.callOwn(tool, args);
    return content[0]?.text?.split('\n') ?? [];
  };
  const idle =
    'not running, and starts when it is called. It learns of the shared folders when it asks for them.';
  const [first, , third, without, promise, mistake] = await says('list-servers');
  equal(first, `odd: ${idle}`);
  equal(third, `off: ${idle} Paths in its arguments are not checked.`);
  equal(without, 'Left out until the mistakes below are corrected: "nothing".');
  match(promise ?? '', /^A path that a call names as a path is inside the roots/);
  match(mistake ?? '', /^servers\.json:\d+:\d+: Server "nothing": /);

  // It waits a second for the second, once the first has come up.
  const listed = await askUntil(
    () => says('list-tools'),
    lines => lines[0]?.startsWith('odd ›') === true && lines.join().includes('exit code'),
  );
  deepEqual(listed.slice(0, 3), [
    'odd › rich(text: string, side?: "left" | "right", list?: array, more?: any) — Does it.',
    'odd › plain()',
    'odd: 1 entry of tools/list left out: without a name of its own.',
  ]);
  match(listed[3] ?? '', /^The server "bad" ended with exit code 3: no such option: --fast\./);
  match(listed[4] ?? '', /^The server "off" could not be started: /);
  equal(
    (await says('list-tools', { search: 'RICH odd' })).slice(0, 2).join('\n'),
    [listed[0], listed[2]].join('\n'),
  );
  const [none] = await says('list-tools', { search: 'rich nowhere' });
  equal(none, 'No tool has all of these words. There are 2 tools without "search".');
  deepEqual(await says('list-tools', { serverName: 'odd' }), listed.slice(0, 3));
  match(listed[5] ?? '', /^"nothing" is left out: servers\.json:\d+:\d+: Server "nothing": /);
  deepEqual(await says('list-tools', { serverName: 'nothing' }), [
    `${listed[5]} There are: odd, bad, off.`,
  ]);
  deepEqual(await says('list-tools', { serverName: 'even' }), [
    'There is no server "even". There are: odd, bad, off.',
  ]);
  deepEqual(await says('list-tools', { server: 'odd' }), [
    'Invalid arguments for list-tools: There is no argument "server"; there are: serverName, search.',
  ]);

  // In between, it is being started again.
  const after = await askUntil(
    () => says('list-servers'),
    ([, bad]) => bad?.includes('ended with exit code 3') === true,
  );
  equal(
    after[0],
    `odd: running, with 2 tools. ${listed[2]?.slice(5)} It learns of the shared folders when it asks for them.`,
  );
  match(after[1] ?? '', /^bad: /);
  match(after[2] ?? '', /^off: failed\. It could not be started: "no-such-program-of-the-test"/);
});

test('list-servers tells of a server that may be downloading', { skip }, async t => {
  const download = slowDownload(t, rawServer(t));
  const { command, args } = download.launch;
  const hub = await startHub(t, {
    era: 'legacy',
    roots: [tempFolder(t)],
    config: { mcpServers: { fetched: { command, args, autoStart: true } } },
  });
  const isListed = (problem: string | undefined) =>
    untilListed(hub, String(problem), ({ servers }) => servers[0]?.problem === problem);
  equal((await isListed('It may be downloading.')).servers[0]?.state, 'starting');
  download.finish();
  equal((await isListed(undefined)).servers[0]?.state, 'running');
});

test('a hub', async t => {
  const odd = oddHubServer(t, { tools: ['plain', 'hang'].map(plainTool) });
  const page = { path: { description: "The page's path, such as '/platforms/python/'" } };
  const writes = { ...plainTool('writes'), inputSchema: { type: 'object', properties: page } };
  const reads = { ...writes, name: 'reads', annotations: { readOnlyHint: true } };
  const properties = { path: { description: 'URL path, such as /users' }, spot: {} };
  const ruled = { ...plainTool('ruled'), inputSchema: { type: 'object', properties } };
  const site = oddHubServer(t, { tools: [reads, writes, ruled] });
  const config = configOf({ odd, site });
  const hub = await startHub(t, { era: 'legacy', config, roots: [tempFolder(t)] });
  const outside = tempFolder(t);

  await t.test(
    'takes the page of a site for no path to a tool that only reads, also where root could make it',
    async () => {
      await untilItHasTools(hub, 'site');
      const page = `/platforms-${process.pid}/javascript/`;
      const isRefused = async (tool: string, path: string) =>
        (await hub.call('site', tool, { path })).isError === true;
      deepEqual([await isRefused('reads', page), await isRefused('reads', outside)], [false, true]);
      // On Windows, everybody may make folders at the top of a drive.
      equal(await isRefused('writes', page), (process.getuid?.() ?? 0) === 0);
    },
  );

  await t.test(
    'refuses by the schema of the tool, and names the key that lets it pass',
    async () => {
      equal((await hub.call('site', 'ruled')).isError, undefined);
      equal((await hub.call('site', 'ruled', { path: '/etc/users' })).isError, undefined);
      for (const spot of [outside, ['~/x']]) {
        const { content, isError } = await hub.call('site', 'ruled', { spot });
        equal(isError, true);
        match(
          content[0]?.text ?? '',
          /"spot(?:\[0\])?" of the tool "ruled".* "leaveNames": \["spot"\]/,
        );
      }
    },
  );
});
