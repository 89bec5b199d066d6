import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { type Hub, startHub } from '../support/hub.ts';
import { untilListed } from '../support/hubListing.ts';
import { filesystemServer, plainServer } from '../support/hubServers.ts';
import { until } from '../support/processes.ts';
import { tempFolder } from '../support/temp.ts';

describe('the standard error of a hub', { concurrency: 2 }, () => {
  test('has the lines that servers write, with their names and without their secrets', async t => {
    const program =
      "process.stderr.write('the key is ' + process.env.KEY + '\\n\\u001b[31mred\\n'); setInterval(() => {}, 1000);";
    const env = { KEY: 'secret-5f1d-of-the-file' };
    const talking = { command: process.execPath, args: ['-e', program], env, autoStart: true };
    const hub = await open(t, { mcpServers: { talking } });
    await hub.listServers();
    await says(hub, '[info] talking: the key is •••');
    await says(hub, '[info] talking: \\u001b[31mred');
    ok(!hub.stderr.join('\n').includes('secret-5f1d'));
  });

  test('tells of a server that was to start by itself and does not', async t => {
    const failing = { command: 'no-such-program-of-the-test', autoStart: true };
    const hub = await open(t, { mcpServers: { failing } });
    await hub.listServers();
    const problem = 'it could not be started: "no-such-program-of-the-test" was not found on PATH.';
    await says(hub, `[warn] Server "failing": ${problem}`);
  });
});

describe('rules for a tool that a server does not have', { concurrency: 2 }, () => {
  const problem =
    'Server "files" has no tool "read_txt_file", so its rules hold for nothing. Did you mean "read_text_file"?';
  const withRules = (t: TestContext, tool: string) => {
    const { definition } = filesystemServer(t);
    return { mcpServers: { files: { ...definition, tools: { [tool]: { deny: ['**/.env'] } } } } };
  };

  test('are told once on stderr, though nobody asks for the tools, and where the tools are', async t => {
    const hub = await open(t, withRules(t, 'read_txt_file'));
    await hub.call('files', 'list_allowed_directories');
    await says(hub, `[warn] ${problem}`);
    const { servers } = await hub.listServers();
    equal(servers[0]?.problem, problem);
    const listed = await hub.callOwn('list-tools');
    deepEqual((listed.structuredContent as { problems: unknown }).problems, [problem]);
    ok(listed.content[0]?.text?.endsWith(`\n${problem}`));
    match(listed.content[0]?.text ?? '', /edits: \{oldText: string, newText: string\}\[\]/);
    equal(hub.stderr.filter(line => line.includes('no tool')).length, 1);
  });

  test('are told when they come with a change, and no more when they are mended', async t => {
    const config = withRules(t, 'read_text_file');
    const hub = await open(t, config);
    await hub.call('files', 'list_allowed_directories');
    const { files } = config.mcpServers;
    hub.edit({ mcpServers: { files: { ...files, tools: { read_txt_file: {} } } } });
    await says(hub, `[warn] ${problem}`);
    hub.edit(config);
    await untilListed(hub, 'no problem', ({ servers }) => servers[0]?.problem === undefined);
  });
});

test('a server that is left out is told as that, and why, wherever it is asked for', async t => {
  const dying = plainServer(t, { dies: 'at-start' }).definition;
  const hub = await open(t, { mcpServers: { files: { ...dying, comand: 'x' } } });
  const text = async (tool: string, args = {}) =>
    (await hub.callOwn(tool, args)).content[0]?.text ?? '';
  const why =
    /"files" is left out: servers\.json:\d+:\d+: Server "files": "comand" is not a known key\. Did you mean "command"\?/;
  const names = { serverName: 'files', toolName: 'read' };
  match(await text('call-tool', names), why);
  match(await text('list-tools'), why);
  match(await text('list-tools', { serverName: 'files' }), why);
  const listed = await text('list-servers');
  match(listed, /^Left out until the mistakes below are corrected: "files"\.\nservers\.json:\d+:/);
});

function open(t: TestContext, config: object): Promise<Hub> {
  return startHub(t, { era: 'legacy', config, roots: [tempFolder(t)] });
}

function says(hub: Hub, line: string): Promise<void> {
  return until(`stderr has ${line}`, () => hub.stderr.includes(line));
}
