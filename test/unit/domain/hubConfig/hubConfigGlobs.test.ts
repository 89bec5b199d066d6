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

/** Which of these paths below a root a server with this glob may not use. */
function denied(glob: string, paths: readonly string[]): readonly string[] {
  const git = { command: 'a', deny: [glob] };
  const [server] = readHubConfig({ mcpServers: { git } }, '/home/me').servers;
  return paths.filter(path => server?.guard.deny?.matches(path.split('/'), 0));
}

/** What is said of the globs of a server with these rules, for these roots. */
function strayIn(rules: object, ...roots: readonly string[]): readonly string[] {
  const [server] = readHubConfig({ servers: { git: { command: 'a', ...rules } } }, '/').servers;
  assert.ok(server);
  const folders = roots.map(announced => ({ announced, real: `/real${announced}` }));
  return ruleWarnings(server, folders, undefined);
}

test('a glob for elsewhere than the roots could match nothing, so it is a mistake', () => {
  const globs = [
    ...['~', '~/.ssh', '~\\.ssh', '${userHome}/.ssh', 'C:/proj/**', 'c:\\proj'],
    ...['file:///proj/.env', 'FILE:/proj/.env', '{file:///proj,src}/**'],
  ];
  const elsewhere =
    'must begin at the roots, as "src/**", "/.env" and "**/.env" do: with no "~", drive, "file:" or variable.';
  assert.deepEqual(
    mistakesIn(globs),
    globs.map(() => elsewhere),
  );
});

test('a backslash that was meant to part names is a mistake', () => {
  const globs = [
    'sub\\secrets\\**',
    'secrets\\**',
    'a\\*.key',
    'a\\\\b',
    '\\\\server\\share',
    '\\.a',
  ];
  const parting =
    'must have "/" between names. A "\\" is only for a bracket, a brace, "!", "," or "-" after it.';
  assert.deepEqual(
    mistakesIn(globs),
    globs.map(() => parting),
  );
});

test('a name that no file has is a mistake', () => {
  const globs = ['.', './', '/', '//proj', 'src//a', 'src/./a', '{../a,b}', '{,a}'];
  const nothing = 'could match nothing: write one "/" between names, and no "." or ".." for one.';
  assert.deepEqual(
    mistakesIn(globs),
    globs.map(() => nothing),
  );
});

test('what a glob may be has an effect', () => {
  const paths = ['.env', 'sub/.env', 'a.key', 'sub/a.key', 'sub/z', '[id]', '!a'];
  const expected = {
    '.env': ['.env', 'sub/.env'],
    '*.key': ['a.key', 'sub/a.key'],
    sub: ['sub/.env', 'sub/a.key', 'sub/z'],
    'sub/': ['sub/.env', 'sub/a.key', 'sub/z'],
    '/.env': ['.env'],
    './.env': ['.env', 'sub/.env'],
    'sub/**': ['sub/.env', 'sub/a.key', 'sub/z'],
    '**/.env': ['.env', 'sub/.env'],
    '{.env,*.key}': ['.env', 'sub/.env', 'a.key', 'sub/a.key'],
    'sub/{.env,z}': ['sub/.env', 'sub/z'],
    '{,sub/}.env': ['.env', 'sub/.env'],
    '[.]env': ['.env', 'sub/.env'],
    '\\[id\\]': ['[id]'],
    '\\!a': ['!a'],
    '[!\\-a-z.\\[!]*': [],
  };
  const globs = Object.keys(expected);
  assert.deepEqual(Object.fromEntries(globs.map(glob => [glob, denied(glob, paths)])), expected);
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
