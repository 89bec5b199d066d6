import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ConfigFile } from '../../../../src/hub/config/configFile.ts';
import { patience } from '../../../support/patience.ts';
import { atEnd } from '../../../support/processes.ts';
import { tempFolder } from '../../../support/temp.ts';
import { TurnedClock } from '../../../support/turnedClock.ts';

const git = '{ "mcpServers": { "git": { "command": "git-server" } } }';
const files = '{ "mcpServers": { "files": { "command": "files-server" } } }';

function place(t: TestContext, text: string | Uint8Array = git): string {
  const path = join(tempFolder(t), 'servers.json');
  writeFileSync(path, text);
  return path;
}

/** A file that is being watched, and what was told of it each time that it changed. */
async function watching(t: TestContext, path: string) {
  const clock = new TurnedClock();
  const opened = await ConfigFile.open(path, { userHome: '/home/me', after: clock.after });
  assert.ok(opened.ok, opened.ok ? '' : opened.reason);
  const { file } = opened;
  atEnd(t, () => file.dispose());
  const told: { names: string[]; problems: readonly string[] }[] = [];
  const now = () => ({
    names: file.current.servers.map(({ name }) => name),
    problems: file.problems,
  });
  file.onDidChange(() => told.push(now()));
  const look = (times = 1) => turned(clock, times);
  return { file, clock, told, now, look };
}

/** Lets it look so many times, each of which ends before the next one. */
async function turned(clock: TurnedClock, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    clock.pass(500);
    while (clock.waiting === 0) {
      await setImmediate();
    }
  }
}

async function refusal(path: string): Promise<string> {
  const opened = await ConfigFile.open(path, { userHome: '/home/me' });
  assert.ok(!opened.ok);
  return opened.reason;
}

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

  it('is told no more than anybody reads', async t => {
    const servers = Array.from({ length: 300 }, (_, index) => [`s${index}`, 5]);
    const text = JSON.stringify({ mcpServers: Object.fromEntries(servers), ['x'.repeat(5000)]: 1 });
    const { file } = await watching(t, place(t, text));
    assert.equal(file.problems.length, 101);
    assert.match(
      file.problems.at(-1) ?? '',
      /^servers\.json:1:\d+: There are 201 more mistakes\.$/,
    );
    assert.ok(file.problems.every(problem => problem.length <= 501));
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
        await at(`{}${' '.repeat(1024 * 1024)}`),
      ].map(reason => reason.replaceAll(folder, '/proj')),
      [
        'The configuration /proj/servers.json is not there. Make it, for example: { "mcpServers": { "files": { "command": "npx", "args": ["-y", "a-server"] } } }',
        'The configuration /proj is no file.',
        'servers.json:2:10: It is no JSON: a value is missing.',
        'servers.json:1:1: It is no JSON: a value is missing.',
        'servers.json:1:1: It is no JSON: nothing ends this comment.',
        'servers.json:1:1: It must be an object: { … }.',
        'servers.json:1:101: It is nested too deeply.',
        'servers.json:1:2: It is no JSON: this is no value; a text has to be in double quotes.',
        'The configuration /proj/servers.json is not UTF-8.',
        'The configuration /proj/servers.json is larger than 1 MB.',
      ],
    );
  });

  it('is not waited for when it is a pipe that nobody writes to', {
    skip: process.platform === 'win32',
    timeout: patience,
  }, async t => {
    const pipe = join(tempFolder(t), 'servers.json');
    execFileSync('mkfifo', [pipe]);
    assert.equal(await refusal(pipe), `The configuration ${pipe} is no file.`);
  });
});

describe('a configuration that changes', () => {
  it('is read once it has been quiet for one interval, and told once', async t => {
    const path = place(t);
    const { told, look, now } = await watching(t, path);
    await look(10);
    writeFileSync(path, files.slice(0, 20));
    await look();
    writeFileSync(path, files);
    await look();
    assert.deepEqual(now(), { names: ['git'], problems: [] });
    await look(10);
    assert.deepEqual(told, [{ names: ['files'], problems: [] }]);
  });

  it('may be replaced, removed and made again, as a file or as a link', async t => {
    const path = place(t);
    const { told, look } = await watching(t, path);
    const next = `${path}.next`;
    writeFileSync(next, files);
    renameSync(next, path);
    await look(10);
    rmSync(path);
    await look(10);
    writeFileSync(path, git);
    await look(10);
    rmSync(path);
    writeFileSync(next, files);
    symlinkSync(next, path);
    await look(10);
    writeFileSync(next, git);
    await look(10);
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
    const { file, told, look } = await watching(t, path);
    const before = file.current;
    const kept = 'The servers stay as they were.';
    writeFileSync(path, '{ "mcpServers": ');
    await look(3);
    assert.equal(file.current, before);
    rmSync(path);
    mkdirSync(path);
    await look(3);
    rmSync(path, { recursive: true });
    writeFileSync(path, git);
    await look(3);
    assert.equal(file.current, before);
    assert.deepEqual(told, [
      {
        names: ['git'],
        problems: [`servers.json:1:17: It is no JSON: a value is missing. ${kept}`],
      },
      { names: ['git'], problems: [`servers.json:1:1: The file is no file. ${kept}`] },
      { names: ['git'], problems: [] },
    ]);
  });

  it('tells nothing when it says the same in other words', async t => {
    const path = place(t);
    const { file, told, look } = await watching(t, path);
    const before = file.current;
    for (const text of [`// again\n${git}`, git.replaceAll(' ', '\n'), git, git]) {
      writeFileSync(path, text);
      await look(3);
    }
    utimesSync(path, 1, 1);
    await look(3);
    assert.deepEqual(told, []);
    assert.equal(file.current, before);
  });

  it('tells of mistakes that come, move and go, though the servers stay', async t => {
    const path = place(t);
    const { file, told, look } = await watching(t, path);
    const wrong = git.replace('{ "git"', '{ "a": 5, "git"');
    for (const text of [wrong, `\n${wrong}`, git]) {
      writeFileSync(path, text);
      await look(3);
    }
    const problem = 'Server "a": It must be an object with a "command" or a "url".';
    assert.deepEqual(told, [
      { names: ['git'], problems: [`servers.json:1:19: ${problem}`] },
      { names: ['git'], problems: [`servers.json:2:19: ${problem}`] },
      { names: ['git'], problems: [] },
    ]);
    assert.equal(file.problems.length, 0);
  });

  it('is not told to anybody after it was disposed, not even on its way', async t => {
    const path = place(t);
    const { file, told, clock, look } = await watching(t, path);
    writeFileSync(path, files);
    await look();
    clock.pass(500);
    file.dispose();
    for (let turn = 0; turn < 200; turn++) {
      await setImmediate();
    }
    assert.deepEqual([told, clock.waiting], [[], 0]);
  });

  it('is followed by the real clock', {
    timeout: patience,
  }, async t => {
    const path = place(t);
    const opened = await ConfigFile.open(path, { userHome: '/home/me', interval: 20 });
    assert.ok(opened.ok);
    const { file } = opened;
    const busy = setInterval(() => {}, 1000);
    atEnd(t, () => {
      clearInterval(busy);
      file.dispose();
    });
    const changed = new Promise<void>(resolve => file.onDidChange(resolve));
    writeFileSync(path, files);
    await changed;
    assert.deepEqual(
      file.current.servers.map(({ name }) => name),
      ['files'],
    );
  });
});
