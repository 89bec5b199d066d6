import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
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

/** A file that is being watched, and what was told of it each time that it changed. */
async function watching(t: TestContext, path: string) {
  const file = await ConfigFile.open(path, '/home/me', 20);
  atEnd(t, () => file.dispose());
  const told: { names: string[]; problems: readonly string[] }[] = [];
  const now = () => ({
    names: file.current.servers.map(({ name }) => name),
    problems: file.problems,
  });
  file.onDidChange(() => told.push(now()));
  const isTold = (times: number) => until(`change ${times}`, () => told.length === times);
  return { file, told, now, isTold };
}

async function refusal(path: string): Promise<string> {
  return ConfigFile.open(path, '/home/me').then(
    () => assert.fail('It is used.'),
    ({ name, message }: Error) => {
      assert.equal(name, 'HumanError');
      return message;
    },
  );
}

const notRegular = 'It is not a regular file. Put one in its place.';

describe('the file of a configuration', () => {
  it('may have a byte order mark, comments and trailing commas', async t => {
    const text = '\ufeff// servers\r\n{ "servers": { "a": { "command": "a", /* x */ }, }, }\r\n';
    const { now } = await watching(t, place(t, text));
    assert.deepEqual(now(), { names: ['a'], problems: [] });
  });

  it('is told by line and column what is wrong with it, and the rest runs', async t => {
    const text = [
      '{',
      '  "mcpServers": {',
      '    "git": {',
      '      "command": "git-server", "dney": ["**/.env"],',
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
    assert.deepEqual(now(), {
      names: ['files'],
      problems: [
        'servers.json:4:32: Server "git": "dney" is not a known key. Did you mean "deny"?',
        'servers.json:6:15: Server "git": "args[1]" must be a text. Write it in quotes.',
        'servers.json:9:5: Server "none": "command" must name the program to start (or "url" the server to call).',
        'servers.json:12:3: The configuration: "server" is not a known key. Did you mean "servers"?',
      ],
    });
  });

  it('costs a server that has a key twice, since nobody knows which rule was meant', async t => {
    const text = `{
  "mcpServers": {
    "git": { "command": "a", "deny": ["**"], "deny": [] },
    "files": { "command": "a", "tools": { "read": {}, "read": { "guard": "off" } } },
    "notes": { "command": "a" },
    "notes": { "command": "b" },
    "good": { "command": "a" }
  },
  "inputs": 1, "inputs": 2
}`;
    const { now } = await watching(t, place(t, text));
    assert.deepEqual(now(), {
      names: ['good'],
      problems: [
        'servers.json:3:46: Server "git": "deny" is there twice. Leave out one of them.',
        'servers.json:4:55: Server "files": "tools.read" is there twice. Leave out one of them.',
        'servers.json:6:5: Server "notes": It is there twice. Leave out one of them.',
        'servers.json:9:16: The configuration: "inputs" is there twice. The last one counts.',
      ],
    });
  });

  it('is refused at the start when it cannot be read, with the reason', async t => {
    const folder = tempFolder(t);
    const at = (text: string | Uint8Array) => {
      writeFileSync(join(folder, 'servers.json'), text);
      return refusal(join(folder, 'servers.json'));
    };
    assert.deepEqual(
      [
        await refusal(join(folder, 'servers.json')),
        await refusal(folder),
        await at('{ "mcpServers": {\n  "git": }'),
        await at(''),
        await at('/*'),
        await at('[]'),
        await at('['.repeat(500_000)),
        await at(Buffer.from(git, 'utf16le')),
        await at(new Uint8Array([0x7b, 0xff, 0x7d])),
      ].map(reason => reason.replaceAll(folder, '/proj').replaceAll(sep, '/')),
      [
        'The configuration /proj/servers.json is not there. Make it, for example: { "mcpServers": { "files": { "command": "npx", "args": ["-y", "a-server"] } } }',
        'The configuration /proj cannot be used. It is not a regular file. Put one in its place.',
        'servers.json:2:10: It is no JSON: a value is missing.',
        'servers.json:1:1: It is no JSON: a value is missing.',
        'servers.json:1:1: It is no JSON: nothing ends this comment.',
        'servers.json:1:1: It must be an object: { … }.',
        'servers.json:1:101: It is nested too deeply.',
        'servers.json:1:2: It is no JSON: this is no value; a text has to be in double quotes.',
        'The configuration /proj/servers.json cannot be used. It is not UTF-8 text. Save it as UTF-8.',
      ],
    );
  });

  it('is not waited for when it is a pipe that nobody writes to', {
    skip: onlyOn('posix', 'no other system makes pipes in folders'),
    timeout: patience,
  }, async t => {
    const pipe = join(tempFolder(t), 'servers.json');
    execFileSync('mkfifo', [pipe]);
    assert.equal(await refusal(pipe), `The configuration ${pipe} cannot be used. ${notRegular}`);
  });
});

describe('a configuration that changes', () => {
  it('may be replaced, removed and made again, as a file or as a link', {
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
    const gone = 'servers.json:1:1: The file is not there. The servers stay as they were.';
    assert.deepEqual(told, [
      { names: ['files'], problems: [] },
      { names: ['files'], problems: [gone] },
      { names: ['git'], problems: [] },
      { names: ['files'], problems: [] },
      { names: ['git'], problems: [] },
    ]);
  });

  it('keeps the old servers while it is broken, and says so', async t => {
    const path = place(t);
    const { file, told, isTold } = await watching(t, path);
    const before = file.current;
    const kept = 'The servers stay as they were.';
    writeFileSync(path, '{ "mcpServers": ');
    await isTold(1);
    rmSync(path);
    mkdirSync(path);
    await isTold(2);
    rmSync(path, { recursive: true });
    writeFileSync(path, git);
    await isTold(3);
    assert.equal(file.current, before);
    assert.deepEqual(told, [
      {
        names: ['git'],
        problems: [`servers.json:1:17: It is no JSON: a value is missing. ${kept}`],
      },
      {
        names: ['git'],
        problems: [`servers.json:1:1: The file cannot be used. ${notRegular} ${kept}`],
      },
      { names: ['git'], problems: [] },
    ]);
  });

  it('tells of mistakes that come, move and go, though the servers stay', async t => {
    const path = place(t);
    const { told, isTold } = await watching(t, path);
    const wrong = git.replace('{ "git"', '{ "a": 5, "git"');
    for (const [at, text] of [wrong, `\n${wrong}`, `// again\n${git}`].entries()) {
      writeFileSync(path, text);
      await isTold(at + 1);
    }
    const problem = 'Server "a": It must be an object with a "command" or a "url".';
    assert.deepEqual(told, [
      { names: ['git'], problems: [`servers.json:1:19: ${problem}`] },
      { names: ['git'], problems: [`servers.json:2:19: ${problem}`] },
      { names: ['git'], problems: [] },
    ]);
  });
});
