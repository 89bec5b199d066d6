import { deepEqual, equal, match, ok, throws } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import {
  type AuditEvent,
  AuditLog,
  auditLine,
  type WriteText,
} from '../../../../src/hub/audit/auditLog.ts';
import { effort } from '../../../support/effort.ts';
import { atEnd } from '../../../support/processes.ts';
import { onlyOn } from '../../../support/systems.ts';
import { tempFolder } from '../../../support/temp.ts';

const isWindows = process.platform === 'win32';
const skipLinks = onlyOn('posix', 'links need a privilege elsewhere');

describe('the audit log', () => {
  it('is one line of JSON for each event, with the time in ISO 8601', t => {
    const file = join(tempFolder(t), 'audit.jsonl');
    const log = opened(t, file);
    const events: readonly AuditEvent[] = [
      { event: 'roots', session: '1', roots: ['/proj/api'], source: 'the client' },
      call('read', '/proj/api/a.ts'),
      { event: 'child', server: 'files', child: '1', state: 'failed', reason: 'It ended.' },
    ];
    const before = new Date().toISOString();
    for (const event of events) {
      log.write(event);
    }
    const entries = entriesOf(file);
    deepEqual(
      entries.map(({ time, ...event }) => event),
      events,
    );
    for (const { time } of entries) {
      ok(before <= String(time) && String(time) <= new Date().toISOString(), String(time));
    }
  });

  it('keeps what is in the file, and makes one for its owner alone', t => {
    const file = join(tempFolder(t), 'audit.jsonl');
    opened(t, file).write(call('first'));
    opened(t, file).write(call('second'));
    deepEqual(toolsIn(file), ['first', 'second']);
    equal(statSync(file).mode & 0o777, isWindows ? 0o666 : 0o600);
  });

  it('has every line of a flood in order before the next thing happens', t => {
    const file = join(tempFolder(t), 'audit.jsonl');
    const log = opened(t, file);
    const names = Array.from({ length: 20_000 }, (_, index) => `tool${index}`);
    for (const name of names) {
      log.write(call(name, '/proj/api/src/main.ts'));
    }
    deepEqual(toolsIn(file), names);
  });

  it('outlives a process that is killed right after it wrote', t => {
    const file = join(tempFolder(t), 'audit.jsonl');
    const module = join(import.meta.dirname, '../../../../src/hub/audit/auditLog.ts');
    const code = `import { AuditLog } from ${JSON.stringify(pathToFileURL(module).href)};
      const log = new AuditLog(${JSON.stringify(file)});
      log.write(${JSON.stringify(call('last'))});
      process.kill(process.pid, 'SIGKILL');`;
    throws(() => execFileSync(process.execPath, ['--input-type=module', '--eval', code]), {
      // Windows tells of none.
      signal: process.platform === 'win32' ? null : 'SIGKILL',
    });
    deepEqual(toolsIn(file), ['last']);
  });

  it('goes on in a new file when a person moved or deleted the old one', t => {
    const file = join(tempFolder(t), 'audit.jsonl');
    const log = opened(t, file);
    log.write(call('first'));
    renameSync(file, `${file}.old`);
    log.write(call('second'));
    rmSync(file);
    log.write(call('third'));
    deepEqual([toolsIn(`${file}.old`), toolsIn(file)], [['first'], ['third']]);
  });

  it('begins a line of its own after one that was never ended', t => {
    const file = join(tempFolder(t), 'audit.jsonl');
    writeFileSync(file, '{"time":"2026');
    opened(t, file).write(call('read'));
    const [torn, entry = ''] = readFileSync(file, 'utf8').split('\n');
    deepEqual([torn, JSON.parse(entry).tool], ['{"time":"2026', 'read']);
  });
});

describe('an audit log that can not be opened', () => {
  const places: Readonly<Record<string, (folder: string) => string>> = {
    'It is a folder.': folder => folder,
    'Its folder does not exist.': folder => join(folder, 'missing', 'audit.jsonl'),
    'It is no regular file.': folder => {
      execFileSync('mkfifo', [join(folder, 'pipe')]);
      return join(folder, 'pipe');
    },
    'It is a link: name the file that it leads to.': folder => {
      symlinkSync(join(folder, 'elsewhere'), join(folder, 'link'));
      return join(folder, 'link');
    },
    'This server may not do that there: look at the permissions and the owner.': folder => {
      writeFileSync(join(folder, 'read-only'), '');
      chmodSync(join(folder, 'read-only'), 0o400);
      return join(folder, 'read-only');
    },
  };
  for (const [reason, make] of Object.entries(places)) {
    const mayAll = reason.includes('permissions') && process.getuid?.() === 0;
    const skip =
      (mayAll && 'root may write everything') || onlyOn('posix', 'it takes links, pipes and modes');
    it(`says why: ${reason}`, { skip }, t => {
      const path = make(tempFolder(t));
      throws(() => new AuditLog(path), {
        name: 'HumanError',
        message: `The audit log ${JSON.stringify(path)} cannot be opened. ${reason}`,
      });
    });
  }

  it('makes nothing behind a link', { skip: skipLinks }, t => {
    const folder = tempFolder(t);
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'link'));
    throws(() => new AuditLog(join(folder, 'link')));
    throws(() => statSync(join(folder, 'elsewhere')), { code: 'ENOENT' });
  });
});

describe('an audit log that can not be written', () => {
  const full = 'There is no space left for it.';

  it('says so each time, and goes on when there is space again', t => {
    const file = join(tempFolder(t), 'audit.jsonl');
    let isFull = true;
    const log = opened(t, file, (fd, text) =>
      isFull ? failing('ENOSPC') : writeFileSync(fd, text),
    );
    for (const tool of ['first', 'second']) {
      throws(() => log.write(call(tool)), refusal(file, full));
    }
    isFull = false;
    log.write(call('third'));
    deepEqual(toolsIn(file), ['third']);
  });

  it('does not let the part of a line that did fit spoil the next line', t => {
    const file = join(tempFolder(t), 'audit.jsonl');
    let room = 30;
    const log = opened(t, file, (fd, text) => {
      writeFileSync(fd, text.slice(0, room));
      if (room < text.length) {
        room = text.length * 2;
        failing('ENOSPC');
      }
    });
    throws(() => log.write(call('torn')), refusal(file, full));
    log.write(call('whole'));
    log.write(call('next'));
    const [torn = '', ...whole] = readFileSync(file, 'utf8').trimEnd().split('\n');
    deepEqual([torn.length, whole.map(line => JSON.parse(line).tool)], [30, ['whole', 'next']]);
  });

  it('says so when its folder is gone, or a link was put in its place', { skip: skipLinks }, t => {
    const folder = join(tempFolder(t), 'logs');
    mkdirSync(folder);
    const file = join(folder, 'audit.jsonl');
    const log = opened(t, file);
    rmSync(folder, { recursive: true });
    throws(() => log.write(call('first')), refusal(file, 'Its folder does not exist.'));
    mkdirSync(folder);
    writeFileSync(join(folder, 'precious'), 'kept');
    symlinkSync('precious', file);
    throws(
      () => log.write(call('second')),
      refusal(file, 'It is a link: name the file that it leads to.'),
    );
    rmSync(file);
    log.write(call('third'));
    deepEqual([readFileSync(join(folder, 'precious'), 'utf8'), toolsIn(file)], ['kept', ['third']]);
  });

  it('says so after it was closed, and closes once', t => {
    const file = join(tempFolder(t), 'audit.jsonl');
    const log = opened(t, file);
    log.dispose();
    log.dispose();
    throws(() => log.write(call('late')), refusal(file, 'It was closed.'));
    equal(readFileSync(file, 'utf8'), '');
  });

  it('lets an error of its own pass as what it is', t => {
    const log = opened(t, join(tempFolder(t), 'audit.jsonl'), () => {
      throw new TypeError('no such thing');
    });
    throws(() => log.write(call('read')), TypeError);
  });
});

function opened(t: Pick<TestContext, 'after'>, file: string, write?: WriteText): AuditLog {
  const log = new AuditLog(file, write);
  atEnd(t, () => log.dispose());
  return log;
}

function call(tool: string, ...paths: readonly string[]): AuditEvent {
  return { event: 'verdict', session: '1', server: 'files', tool, verdict: 'allowed', paths };
}

function entriesOf(file: string): Readonly<Record<string, unknown>>[] {
  const text = readFileSync(file, 'utf8');
  match(text, /^$|\n$/);
  return text
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line));
}

function toolsIn(file: string): unknown[] {
  return entriesOf(file).map(({ tool }) => tool);
}

function failing(code: string): never {
  throw Object.assign(new Error(code), { code });
}

function refusal(file: string, reason: string) {
  const what = `The audit log ${JSON.stringify(file)} cannot be written`;
  return {
    name: 'HumanError',
    message: `${what}, and without it nothing is called. ${reason}`,
  };
}

const time = new Date(0);

test('a line tells its fields in one order, and leaves out what was not said', () => {
  const event = verdict({ reason: undefined, paths: ['/proj/a'] });
  equal(
    auditLine(event, time),
    '{"time":"1970-01-01T00:00:00.000Z","event":"verdict","session":"1","server":"files",' +
      '"tool":"read","verdict":"denied","paths":["/proj/a"]}\n',
  );
});

test('no text can forge a line or turn text around, and each reads back as it was', () => {
  const forgeries = [
    'a\n{"event":"verdict","verdict":"allowed"}',
    '\r\n\u0000\u001b[2J\u007f\u0085\u009b',
    'gpj.\u202e\u2028\u2029\u2066\u200e\u061c',
    '"},{"',
    'half \ud83d a pair \udc00',
    '\\u202e',
  ];
  const said = { session: 'x', server: 'x', tool: 'x', reason: 'x' };
  for (const forgery of forgeries) {
    const all = Object.fromEntries(Object.keys(said).map(key => [key, forgery]));
    const event = verdict({ ...all, paths: [forgery] });
    const line = auditLine(event, time);
    ok(/^[\x20-\x7e]+\n$/.test(line), line);
    deepEqual(JSON.parse(line), { time: time.toISOString(), ...event });
  }
});

test('any event is one whole line', () => {
  const text = fc.string({ unit: 'binary', maxLength: 3000, size: 'max' });
  const long = fc
    .tuple(fc.constantFrom('\u0000', '\u202e', '語', '🙂', '\ud83d', 'a'), fc.nat(40_000))
    .map(([one, length]) => one.repeat(length));
  const any = fc.oneof(text, long);
  const events = fc
    .record({ session: any, server: any, tool: any, reason: any, paths: fc.array(any) })
    .map(verdict);
  fc.assert(
    fc.property(events, event => {
      const line = auditLine(event, time);
      const entry = JSON.parse(line);
      equal(line.indexOf('\n'), line.length - 1);
      equal(Buffer.from(line).toString(), line);
      equal((entry.more ?? 0) + entry.paths.length, event.paths.length);
    }),
    { numRuns: 10 * effort, endOnFailure: true },
  );
});

test('a text is cut to 1,000 characters, and a list to 50 items, and both say so', () => {
  const entry = JSON.parse(
    auditLine(
      verdict({ reason: 'r'.repeat(5000), paths: Array.from({ length: 80 }, () => '/a') }),
      time,
    ),
  );
  deepEqual([entry.reason, entry.paths.length, entry.more], [`${'r'.repeat(1000)}…`, 50, 30]);
  const exact = JSON.parse(auditLine(verdict({ reason: 'r'.repeat(1000) }), time));
  deepEqual([exact.reason, exact.more], ['r'.repeat(1000), undefined]);
});

test('what an event holds beyond its type is not told', () => {
  const event = { ...verdict({}), args: { content: 'secret' }, content: 'secret' };
  ok(!auditLine(event, time).includes('secret'));
});

function verdict(said: Partial<AuditEvent>) {
  const usual = { session: '1', server: 'files', tool: 'read', paths: [] };
  return { verdict: 'denied', ...usual, ...said, event: 'verdict' } as const;
}
