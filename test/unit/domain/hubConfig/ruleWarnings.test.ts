import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readHubConfig } from '../../../../src/domain/hubConfig/hubConfig.ts';
import type { HubServer } from '../../../../src/domain/hubConfig/hubServer.ts';
import { ruleWarnings } from '../../../../src/domain/hubConfig/ruleWarnings.ts';

const tools = ['read_text_file', 'write_file', 'search'];

/** The server of this entry. */
function serverOf(name: string, rules: object): HubServer {
  const [server] = readHubConfig({ servers: { [name]: { command: 'a', ...rules } } }, '/').servers;
  assert.ok(server);
  return server;
}

/** What is said of rules for the tools of these names. */
function problemsOf(rules: readonly string[], listed: readonly string[] = tools) {
  const tools = Object.fromEntries(rules.map(name => [name, { deny: ['**/.env'] }]));
  const known = listed.map(name => ({ name }));
  return ruleWarnings(serverOf('files', { tools }), [], known);
}

test('rules for a tool that there is not are told of, with the tool that was meant', () => {
  assert.deepEqual(problemsOf(['read_txt_file', 'search', 'zzz']), [
    'Server "files" has no tool "read_txt_file", so its rules hold for nothing. Did you mean "read_text_file"?',
    'Server "files" has no tool "zzz", so its rules hold for nothing.',
  ]);
  assert.deepEqual(problemsOf([], []), []);
  assert.equal(problemsOf(['search'], []).length, 1);
});

test('rules for prompts and resources are told of, because there are none', () => {
  const rules = ['resources/read', 'completion/complete', 'prompt review'];
  assert.equal(problemsOf(rules).length, 3);
  assert.deepEqual(problemsOf(rules, rules), []);
});

test('names forge no line, and cost no more than they say', () => {
  assert.deepEqual(problemsOf(['a\nb']), [
    'Server "files" has no tool "a\\u000ab", so its rules hold for nothing.',
  ]);
  const long = 'x'.repeat(1_000_000);
  const [problem = ''] = problemsOf([long], [`${long}y`]);
  assert.ok(problem.length < 200, problem.slice(0, 300));
});

test('names of arguments that no schema has are told of, with the one that was meant', () => {
  const server = serverOf('files', {
    leaveNames: ['libary-id', 'LIBRARYID', 'query'],
    checkNames: ['deep_one'],
    tools: { docs: { checkNames: ['query', 'topic'] } },
  });
  const deep = { type: 'array', items: { properties: { deepOne: {} } } };
  const listed = [
    { name: 'docs', inputSchema: { properties: { libraryId: {}, topic: {} } } },
    { name: 'find', inputSchema: { properties: { query: {}, deep } } },
  ];
  assert.deepEqual(ruleWarnings(server, [], listed), [
    'Server "files": no tool has an argument "libary-id", so "leaveNames" does nothing for it. Did you mean "libraryId"?',
    'Server "files": tool "docs" has no argument "query", so "checkNames" does nothing for it.',
  ]);
  // Without any schema nothing can be said.
  assert.deepEqual(ruleWarnings(server, [], [{ name: 'docs' }]), []);
});

test('a glob that repeats the path of a root is told of once the roots are known', () => {
  const deny = ['/proj/.env', '.env', '/src/**', '/projects'];
  const tools = { read: { allow: ['/proj', '/real/proj/docs/**', '/proj'] } };
  const strayIn = (rules: object, ...roots: readonly string[]) => {
    const folders = roots.map(announced => ({ announced, real: `/real${announced}` }));
    return ruleWarnings(serverOf('git', rules), folders, undefined);
  };
  const means = 'because globs begin at each root';
  assert.deepEqual(strayIn({ deny, tools }, '/other', '/proj'), [
    `Server "git": the glob "/proj/.env" means "/proj/proj/.env", ${means}. Write "/.env".`,
    `Server "git": the glob "/proj" means "/proj/proj", ${means}. Write "**".`,
    `Server "git": the glob "/real/proj/docs/**" means "/proj/real/proj/docs/**", ${means}. Write "/docs/**".`,
  ]);
  assert.deepEqual(strayIn({ deny, tools }, '/other'), []);
  assert.deepEqual(strayIn({ deny: ['/a\n/x'] }, '/a\n')[0]?.includes('\n'), false);
});
