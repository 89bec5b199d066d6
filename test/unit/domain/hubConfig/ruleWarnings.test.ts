import { deepEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { readHubConfig } from '../../../../src/domain/hubConfig/hubConfig.ts';
import type { HubServer } from '../../../../src/domain/hubConfig/hubServer.ts';
import { ruleWarnings } from '../../../../src/domain/hubConfig/ruleWarnings.ts';

const tools = ['read_text_file', 'write_file', 'search'];

/** The server of this entry. */
function serverOf(name: string, rules: object): HubServer {
  const [server] = readHubConfig(
    { servers: { [name]: { command: 'a', guard: rules } } },
    '/',
  ).servers;
  ok(server);
  return server;
}

/** The names in each warning, in order: the name that was meant comes last. */
function namesIn(warnings: readonly string[]): string[][] {
  return warnings.map(warning => [...warning.matchAll(/"([^"]*)"/g)].map(([, name = '']) => name));
}

/** The warnings of rules for the tools of these names. */
function warningsOf(rules: readonly string[], listed: readonly string[] = tools) {
  const tools = Object.fromEntries(rules.map(name => [name, { deny: ['**/.env'] }]));
  const known = listed.map(name => ({ name }));
  return namesIn(ruleWarnings(serverOf('files', { tools }), [], known));
}

test('warns of rules for an unknown tool, and names the tool that was meant', () => {
  deepEqual(warningsOf(['read_txt_file', 'search', 'zzz', 'prompt review', 'a\nb']), [
    ['files', 'read_txt_file', 'read_text_file'],
    ['files', 'zzz'],
    ['files', 'prompt review'],
    ['files', 'a\\u000ab'],
  ]);
  deepEqual([warningsOf([]), warningsOf(['zzz'], ['zzz'])], [[], []]);
  deepEqual(warningsOf(['search'], []), [['files', 'search']]);
});

test('shortens an endless name', () => {
  const long = 'x'.repeat(1_000_000);
  deepEqual(warningsOf([long], [`${long}y`]), [['files', 'x'.repeat(100)]]);
});

test('warns of unknown names of arguments, and names the one that was meant', () => {
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
  deepEqual(namesIn(ruleWarnings(server, [], listed)), [
    ['files', 'libary-id', 'leaveNames', 'libraryId'],
    ['files', 'docs', 'query', 'checkNames'],
  ]);
  // Without a schema there is no warning.
  deepEqual(ruleWarnings(server, [], [{ name: 'docs' }]), []);
});

test('warns of a glob that repeats the path of a root, once the roots are known', () => {
  const deny = ['/proj/.env', '.env', '/src/**', '/projects'];
  const tools = { read: { allow: ['/proj', '/real/proj/docs/**', '/proj'] } };
  const strayIn = (rules: object, ...roots: readonly string[]) => {
    const folders = roots.map(announced => ({ announced, real: `/real${announced}` }));
    return namesIn(ruleWarnings(serverOf('git', rules), folders, undefined));
  };
  deepEqual(strayIn({ deny, tools }, '/other', '/proj'), [
    ['git', '/proj/.env', '/proj/proj/.env', '/.env'],
    ['git', '/proj', '/proj/proj', '**'],
    ['git', '/real/proj/docs/**', '/proj/real/proj/docs/**', '/docs/**'],
  ]);
  deepEqual(strayIn({ deny, tools }, '/other'), []);
  deepEqual(strayIn({ deny: ['/a\n/x'] }, '/a\n')[0]?.[1], '/a\\u000a/x');
});
