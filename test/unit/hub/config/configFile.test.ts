import { deepEqual, equal, fail } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ConfigFile } from '../../../../src/hub/config/configFile.ts';
import { patience } from '../../../support/patience.ts';
import { atEnd, until } from '../../../support/processes.ts';
import { onlyOn } from '../../../support/systems.ts';
import { tempFolder } from '../../../support/temp.ts';

const git = '{ "mcpServers": { "git": { "command": "git-server" } } }';
const files = '{ "mcpServers": { "files": { "command": "files-server" } } }';

function place(t: TestContext, text: string | Uint8Array = git): string {
  const path = join(tempFolder(t), 'servers.json');
  writeFileSync(path, text);
  return path;
}

/** A watched file, and the result after each change. */
async function watching(t: TestContext, path: string) {
  const file = await ConfigFile.open(path, '/home/me', 20);
  atEnd(t, () => file.dispose());
  const told: ReturnType<typeof now>[] = [];
  const now = () => ({
    names: file.current.servers.map(({ name }) => name),
    problems: file.problems.map(placeAndNames),
  });
  file.onDidChange(() => told.push(now()));
  const isTold = (times: number) => until(`change ${times}`, () => told.length === times);
  return { file, told, now, isTold };
}

/** The line and column that a problem begins with, and the names in it. */
function placeAndNames(problem: string): string {
  const [, place] = /^servers\.json:(\d+:\d+): /.exec(problem) ?? [];
  return [place, ...(problem.match(/(?<=")[^" ]+(?=")/g) ?? [])].join(' ');
}

async function refusal(path: string): Promise<string> {
  return ConfigFile.open(path, '/home/me').then(
    () => fail('It is used.'),
    ({ name, message }: Error) => {
      equal(name, 'HumanError');
      return message;
    },
  );
}

test('reads a byte order mark, comments and trailing commas', async t => {
  const text = '\ufeff// servers\r\n{ "servers": { "a": { "command": "a", /* x */ }, }, }\r\n';
  const { now } = await watching(t, place(t, text));
  deepEqual(now(), { names: ['a'], problems: [] });
});

test('reports each mistake by line and column, and runs the other servers', async t => {
  const text = [
    '{',
    '  "mcpServers": {',
    '    "git": {',
    '      "command": "git-server", "gaurd": { "deny": [] },',
    '      "args": [',
    '        "-x", 5',
    '      ]',
    '    },',
    '    "none": {},',
    '    "files": { "command": "files-server" }',
    '  },',
    '  "server": {}',
    '}',
  ].join('\r\n');
  const { now } = await watching(t, place(t, `\ufeff${text}`));
  deepEqual(now(), {
    names: ['files'],
    problems: [
      '4:32 git gaurd guard',
      '6:15 git args[1]',
      '9:5 none command url',
      '12:3 server servers',
    ],
  });
});

test('leaves out a server with a repeated key, since the meant rule is unknown', async t => {
  const text = `{
  "mcpServers": {
    "git": { "command": "a", "guard": {}, "guard": {} },
    "files": { "command": "a", "guard": { "tools": { "read": {}, "read": { "check": "off" } } } },
    "notes": { "command": "a" },
    "notes": { "command": "b" },
    "good": { "command": "a" }
  },
  "inputs": 1, "inputs": 2
}`;
  const { now } = await watching(t, place(t, text));
  deepEqual(now(), {
    names: ['good'],
    problems: ['3:43 git guard', '4:66 files guard.tools.read', '6:5 notes', '9:16 inputs'],
  });
});

test('refuses a file that cannot be read, with its path or the place of the mistake', async t => {
  const path = place(t);
  const refused: readonly (readonly [text: string | Uint8Array, start: string])[] = [
    ['{ "mcpServers": {\n  "git": }', 'servers.json:2:10: '],
    ['', 'servers.json:1:1: '],
    ['/*', 'servers.json:1:1: '],
    ['[]', 'servers.json:1:1: '],
    ['['.repeat(500_000), 'servers.json:1:101: '],
    [Buffer.from(git, 'utf16le'), 'servers.json:1:2: '],
    [new Uint8Array([0x7b, 0xff, 0x7d]), `The configuration ${path} `],
  ];
  for (const [text, start] of refused) {
    writeFileSync(path, text);
    equal((await refusal(path)).slice(0, start.length), start);
  }
  rmSync(path);
  equal((await refusal(path)).includes(path), true);
  mkdirSync(path);
  equal((await refusal(path)).includes(path), true);
});

test('does not wait for a pipe without a writer', {
  skip: onlyOn('posix', 'no other system makes pipes in folders'),
  timeout: patience,
}, async t => {
  const pipe = join(tempFolder(t), 'servers.json');
  execFileSync('mkfifo', [pipe]);
  equal((await refusal(pipe)).includes(pipe), true);
});

test('follows its file when it is replaced, removed and recreated, as file or link', {
  skip: onlyOn('posix', 'Windows replaces no file that is being read'),
}, async t => {
  const path = place(t);
  const { told, isTold } = await watching(t, path);
  const next = `${path}.next`;
  const changes = [
    () => {
      writeFileSync(next, files);
      renameSync(next, path);
    },
    () => rmSync(path),
    () => writeFileSync(path, git),
    () => {
      rmSync(path);
      writeFileSync(next, files);
      symlinkSync(next, path);
    },
    () => writeFileSync(next, git),
  ];
  for (const [at, change] of changes.entries()) {
    change();
    await isTold(at + 1);
  }
  deepEqual(told, [
    { names: ['files'], problems: [] },
    { names: ['files'], problems: ['1:1'] },
    { names: ['git'], problems: [] },
    { names: ['files'], problems: [] },
    { names: ['git'], problems: [] },
  ]);
});

test('keeps the old servers while the file is broken', async t => {
  const path = place(t);
  const { file, told, isTold } = await watching(t, path);
  const before = file.current;
  writeFileSync(path, '{ "mcpServers": ');
  await isTold(1);
  rmSync(path);
  mkdirSync(path);
  await isTold(2);
  rmSync(path, { recursive: true });
  writeFileSync(path, git);
  await isTold(3);
  equal(file.current, before);
  deepEqual(
    told,
    [['1:17'], ['1:1'], []].map(problems => ({ names: ['git'], problems })),
  );
});

test('reports mistakes that appear, move and disappear, without a change of servers', async t => {
  const path = place(t);
  const { told, isTold } = await watching(t, path);
  const wrong = git.replace('{ "git"', '{ "a": 5, "git"');
  for (const [at, text] of [wrong, `\n${wrong}`, `// again\n${git}`].entries()) {
    writeFileSync(path, text);
    await isTold(at + 1);
  }
  const places = ['1:19', '2:19'].map(at => [`${at} a command url`]);
  deepEqual(
    told,
    [...places, []].map(problems => ({ names: ['git'], problems })),
  );
});
