import { deepEqual, match, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { RawSession, toolCall } from '../support/bundledServer.ts';
import { writeConfig } from '../support/hub.ts';
import { everythingServer } from '../support/hubServers.ts';
import { answerRoots, hubCall } from '../support/rawHub.ts';
import { tempFolder, writeTree } from '../support/temp.ts';
import { said } from '../support/texts.ts';

const [fromEnvironment, written, foreign] = [
  'secret-of-the-environment-1',
  'secret-of-the-file-2',
  'secret-of-nobody-3',
];

/** Ends with words that hold what it was given. */
const indiscreet = `
console.error('Token ' + process.env.TOKEN + ' and key ' + process.env.KEY + ' were refused.');
process.exit(1);
`;

test('no list, error, stderr line or audit line shows the secrets of a server', async t => {
  const env = { TOKEN: '${env:HUB_TEST_TOKEN}', KEY: written };
  const script = join(tempFolder(t), 'indiscreet.cjs');
  writeTree(join(script, '..'), { 'indiscreet.cjs': indiscreet });
  const { session, audit } = await openHub(t, {
    dying: { command: process.execPath, args: [script], env },
    missing: { command: 'no-such-program', args: [written], env },
    unset: { command: process.execPath, env: { ...env, MORE: '${env:HUB_TEST_UNSET}' } },
    wrong: { command: process.execPath, env: { KEY: [written] } },
    variable: { command: process.execPath, env: { KEY: `\${${written}:-${written}}` } },
    http: { url: 'http://127.0.0.1:1/mcp', headers: { Authorization: `Bearer ${written}` } },
  });
  const names = ['dying', 'missing', 'unset', 'wrong', 'variable', 'http'];
  session.send(
    ...names.map((name, index) => hubCall(10 + index, name, 'echo')),
    toolCall(20, 'list-tools'),
  );
  const ids = [...names.keys()].map(index => 10 + index);
  const answers = [];
  for (const id of [...ids, 20]) {
    answers.push(await session.answerTo(id));
  }
  session.send(toolCall(21, 'list-servers'));
  answers.push(await session.answerTo(21));
  const said = JSON.stringify(answers);
  const errors = answers.map(({ result }) => result?.content[0]?.text ?? '');
  match(String(errors[0]), / 1: Token .* and key .* were refused\./);
  match(String(errors[1]), /"no-such-program" was not found/);
  match(String(errors[2]), /HUB_TEST_UNSET is not set/);
  const log = readFileSync(audit, 'utf8');
  ok(log.includes('"server":"dying"') && log.includes('were refused'));
  const told = { said, stderr: session.stderr, log };
  for (const [where, text] of Object.entries(told)) {
    deepEqual(
      [fromEnvironment, written, foreign].filter(secret => text.includes(secret)),
      [],
      `${where}: ${text}`,
    );
  }
});

test('a server gets the variables of its entry, few of the machine, and no proxy with a password', async t => {
  const everything = everythingServer(t);
  const env = {
    HTTPS_PROXY: '${env:HTTPS_PROXY}',
    TOKEN: '${env:HUB_TEST_TOKEN}',
    KEY: written,
    BOTH: 'a-${env:HUB_TEST_TOKEN}-b',
  };
  const named = { ...everything.definition, env };
  const proxy = `http://user:${foreign}@127.0.0.1:1`;
  const machine = { HTTPS_PROXY: proxy, no_proxy: 'localhost', SSL_CERT_FILE: '/ca.pem' };
  const { session } = await openHub(t, { plain: everything.definition, named }, machine);
  session.send(hubCall(10, 'plain', 'get-env'), hubCall(11, 'named', 'get-env'));
  const names = ['PATH', 'no_proxy', 'SSL_CERT_FILE', ...Object.keys(env)];
  const given: unknown[] = [];
  for (const id of [10, 11]) {
    const { result } = await session.answerTo(id);
    const all = JSON.parse(result?.content[0]?.text ?? '{}') as Record<string, string>;
    all['PATH'] ??= all['Path'] ?? ''; // As Windows spells it.
    given.push([...names, 'HUB_TEST_TOKEN', 'HUB_TEST_OTHER'].map(name => all[name]));
  }
  const few = [process.env['PATH'], 'localhost', '/ca.pem'];
  const none = [undefined, undefined];
  deepEqual(given, [
    [...few, ...none, ...none, ...none],
    [...few, proxy, fromEnvironment, written, `a-${fromEnvironment}-b`, ...none],
  ]);
  session.send(toolCall(12, 'list-servers'));
  const list = (await session.answerTo(12)).result?.structuredContent as {
    readonly servers: readonly { readonly name: string; readonly problem?: string }[];
  };
  const [plain, ofNamed] = list.servers.map(({ problem }) => problem);
  deepEqual([said(plain ?? ''), ofNamed], ['upstream.proxyProblem(plain, HTTPS_PROXY)', undefined]);
  await session.stderrHas(plain ?? '');
  ok(!session.stderr.includes(foreign) && !JSON.stringify(list).includes(foreign));
});

/** A hub for these servers. Its environment has a used secret, an unused one, and more. */
async function openHub(
  t: TestContext,
  servers: object,
  more: Readonly<Record<string, string>> = {},
) {
  const folder = tempFolder(t);
  const audit = join(folder, 'audit.jsonl');
  const config = writeConfig(t, { mcpServers: servers });
  const given = { HUB_TEST_TOKEN: fromEnvironment, HUB_TEST_OTHER: foreign, ...more };
  Object.assign(process.env, given);
  const session = new RawSession(t, ['--config', config, '--audit', audit]);
  for (const name of Object.keys(given)) {
    delete process.env[name];
  }
  await session.initialize();
  await answerRoots(session, [folder]);
  return { session, audit };
}
