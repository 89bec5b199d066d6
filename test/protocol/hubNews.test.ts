import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Hub, startHub } from '../support/hub.ts';
import { untilListed } from '../support/hubListing.ts';
import { filesystemServer } from '../support/hubServers.ts';
import { until } from '../support/processes.ts';
import { tempFolder } from '../support/temp.ts';

test('stderr has the lines of the servers without secrets, and names failed starts', async t => {
  const program =
    "process.stderr.write('the key is ' + process.env.KEY + '\\n\\u001b[31mred\\n'); setInterval(() => {}, 1000);";
  const env = { KEY: 'secret-5f1d-of-the-file' };
  const talking = { command: process.execPath, args: ['-e', program], env, autoStart: true };
  const failing = { command: 'no-such-program-of-the-test', autoStart: true };
  const hub = await open(t, { mcpServers: { talking, failing } });
  await hub.listServers();
  await until('all is there', () =>
    [
      /^\[info\] talking: the key is •••$/,
      /^\[info\] talking: \\u001b\[31mred$/,
      /^\[warn\] Server "failing": .*"no-such-program-of-the-test"/,
    ].every(line => hub.stderr.some(one => line.test(one))),
  );
  ok(!hub.stderr.join('\n').includes('secret-5f1d'));
});

test('reports rules for an unknown tool once, until they are corrected', async t => {
  const { definition } = filesystemServer(t);
  const withRules = (tool: string) => ({
    mcpServers: { files: { ...definition, guard: { tools: { [tool]: { deny: ['**/.env'] } } } } },
  });
  const hub = await open(t, withRules('read_txt_file'));
  const warned = () => hub.stderr.filter(line => line.includes('no tool'));
  await hub.call('files', 'list_allowed_directories');
  await until('the warning', () => warned().length === 1);
  const problem = warned()[0]?.replace('[warn] ', '');
  match(problem ?? '', /"files" .*"read_txt_file".*"read_text_file"/);
  const { servers } = await hub.listServers();
  equal(servers[0]?.problem, problem);
  const listed = await hub.callOwn('list-tools');
  deepEqual((listed.structuredContent as { problems: unknown }).problems, [problem]);
  ok(listed.content[0]?.text?.endsWith(`\n${problem}`));
  equal(warned().length, 1);
  hub.edit(withRules('read_text_file'));
  await untilListed(hub, 'no problem', ({ servers }) => servers[0]?.problem === undefined);
  hub.edit(withRules('write_fil'));
  await until('the next', () => warned()[1]?.includes('"write_fil"') === true);
});

function open(t: TestContext, config: object): Promise<Hub> {
  return startHub(t, { era: 'legacy', config, roots: [tempFolder(t)] });
}
