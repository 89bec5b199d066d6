import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readHubConfig } from '../../../../src/domain/hubConfig/hubConfig.ts';
import { ruleWarnings } from '../../../../src/domain/hubConfig/ruleWarnings.ts';
import { inEnglish } from '../../../../src/domain/sentence.ts';

/** What the configuration is told about these globs, without the place; each has to be at its own. */
function mistakesIn(deny: readonly string[]): readonly string[] {
  const { mistakes } = readHubConfig({ mcpServers: { git: { command: 'a', deny } } }, '/home/me');
  return mistakes.map(({ path, text }, index) => {
    assert.deepEqual(path, ['mcpServers', 'git', 'deny', index]);
    const start = `Server "git": "deny[${index}]" `;
    assert.ok(inEnglish(text).startsWith(start), inEnglish(text));
    return inEnglish(text).slice(start.length);
  });
}

/** What is said of the globs of a server with these rules, for these roots. */
function strayIn(rules: object, ...roots: readonly string[]): readonly string[] {
  const [server] = readHubConfig({ servers: { git: { command: 'a', ...rules } } }, '/').servers;
  assert.ok(server);
  const folders = roots.map(announced => ({ announced, real: `/real${announced}` }));
  return ruleWarnings(server, folders, undefined);
}

test('a glob that could match nothing is a mistake, with what to write', () => {
  const byAdvice = {
    'must begin at the roots, as "src/**", "/.env" and "**/.env" do: with no "~", drive, "file:" or variable.':
      [
        ...['~', '~/.ssh', '~\\.ssh', '${userHome}/.ssh', 'C:/proj/**', 'c:\\proj'],
        ...['file:///proj/.env', 'FILE:/proj/.env', '{file:///proj,src}/**'],
      ],
    'must have "/" between names. A "\\" is only for a bracket, a brace, "!", "," or "-" after it.':
      [...['sub\\secrets\\**', 'secrets\\**', 'a\\*.key', 'a\\\\b', '\\\\server\\share', '\\.a']],
    'could match nothing: write one "/" between names, and no "." or ".." for one.': [
      ...['.', './', '/', '//proj', 'src//a', 'src/./a', '{../a,b}', '{,a}'],
    ],
  };
  for (const [advice, globs] of Object.entries(byAdvice)) {
    assert.deepEqual(
      mistakesIn(globs),
      globs.map(() => advice),
    );
  }
});

test('a glob that may match something is none', () => {
  const globs = [
    ...['.env', '*.key', 'sub', 'sub/', '/.env', './.env', 'sub/**', '**/.env', '{.env,*.key}'],
    ...['sub/{.env,z}', '{,sub/}.env', '[.]env', '\\[id\\]', '\\!a', '[!\\-a-z.\\[!]*'],
  ];
  assert.deepEqual(mistakesIn(globs), []);
});

test('a glob that repeats the path of a root is told of once the roots are known', () => {
  const deny = ['/proj/.env', '.env', '/src/**', '/projects'];
  const tools = { read: { allow: ['/proj', '/real/proj/docs/**', '/proj'] } };
  const means = 'because globs begin at each root';
  assert.deepEqual(strayIn({ deny, tools }, '/other', '/proj'), [
    `Server "git": the glob "/proj/.env" means "/proj/proj/.env", ${means}. Write "/.env".`,
    `Server "git": the glob "/proj" means "/proj/proj", ${means}. Write "**".`,
    `Server "git": the glob "/real/proj/docs/**" means "/proj/real/proj/docs/**", ${means}. Write "/docs/**".`,
  ]);
  assert.deepEqual(strayIn({ deny, tools }, '/other'), []);
  assert.deepEqual(strayIn({ deny: ['/a\n/x'] }, '/a\n')[0]?.includes('\n'), false);
});
