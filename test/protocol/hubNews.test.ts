import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Hub, startHub } from '../support/hub.ts';
import { untilListed } from '../support/hubListing.ts';
import { filesystemServer } from '../support/hubServers.ts';
import { until } from '../support/processes.ts';
import { tempFolder } from '../support/temp.ts';

test('the standard error of a hub has the lines that servers write, without their secrets, and who does not start', async t => {
  const program =
    "process.stderr.write('the key is ' + process.env.KEY + '\\n\\u001b[31mred\\n'); setInterval(() => {}, 1000);";
  const env = { KEY: 'secret-5f1d-of-the-file' };
  const talking = { command: process.execPath, args: ['-e', program], env, autoStart: true };
  const failing = { command: 'no-such-program-of-the-test', autoStart: true };
  const hub = await open(t, { mcpServers: { talking, failing } });
  await hub.listServers();
  await says(hub, '[info] talking: the key is •••');
  await says(hub, '[info] talking: \\u001b[31mred');
  ok(!hub.stderr.join('\n').includes('secret-5f1d'));
  const problem = 'it could not be started: "no-such-program-of-the-test" was not found on PATH.';
  await says(hub, `[warn] Server "failing": ${problem}`);
});

test('rules for a tool that a server does not have are told once, wherever the tools are, until they are mended', async t => {
  const problem =
    'Server "files" has no tool "read_txt_file", so its rules hold for nothing. Did you mean "read_text_file"?';
  const { definition } = filesystemServer(t);
  const withRules = (tool: string) => ({
    mcpServers: { files: { ...definition, tools: { [tool]: { deny: ['**/.env'] } } } },
  });
  const hub = await open(t, withRules('read_txt_file'));
  await hub.call('files', 'list_allowed_directories');
  await says(hub, `[warn] ${problem}`);
  const { servers } = await hub.listServers();
  equal(servers[0]?.problem, problem);
  const listed = await hub.callOwn('list-tools');
  deepEqual((listed.structuredContent as { problems: unknown }).problems, [problem]);
  ok(listed.content[0]?.text?.endsWith(`\n${problem}`));
  match(listed.content[0]?.text ?? '', /edits: \{oldText: string, newText: string\}\[\]/);
  equal(hub.stderr.filter(line => line.includes('no tool')).length, 1);
  hub.edit(withRules('read_text_file'));
  await untilListed(hub, 'no problem', ({ servers }) => servers[0]?.problem === undefined);
  hub.edit(withRules('write_fil'));
  await says(
    hub,
    `[warn] ${problem.replace('read_txt_file', 'write_fil').replace('read_text', 'write')}`,
  );
});

function open(t: TestContext, config: object): Promise<Hub> {
  return startHub(t, { era: 'legacy', config, roots: [tempFolder(t)] });
}

function says(hub: Hub, line: string): Promise<void> {
  return until(`stderr has ${line}`, () => hub.stderr.includes(line));
}
