import { deepEqual, equal, match, ok, throws } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
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
import { said } from '../../../support/texts.ts';

const isWindows = process.platform === 'win32';
const skipLinks = onlyOn('posix', 'links need a privilege elsewhere');

describe('the audit log', () => {
  it('is one line of JSON for each event, with the time in ISO 8601', t => {
    const file = fileFor(t);
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
    const times = entries.map(({ time }) => String(time));
    deepEqual(
      entries,
      events.map((event, at) => ({ time: times[at], ...event })),
    );
    ok(
      times.every(time => before <= time && time <= new Date().toISOString()),
      `${times}`,
    );
  });

  it('keeps an existing file, and creates one for its owner only', t => {
    const file = fileFor(t);
    opened(t, file).write(call('first'));
    opened(t, file).write(call('second'));
    deepEqual(toolsIn(file), ['first', 'second']);
    equal(statSync(file).mode & 0o777, isWindows ? 0o666 : 0o600);
  });

  it('survives the kill of its process right after a write', t => {
    const file = fileFor(t);
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

  it('goes on in a new file when the user moved or deleted the old one', t => {
    const file = fileFor(t);
    const log = opened(t, file);
    log.write(call('first'));
    renameSync(file, `${file}.old`);
    log.write(call('second'));
    rmSync(file);
    log.write(call('third'));
    deepEqual([toolsIn(`${file}.old`), toolsIn(file)], [['first'], ['third']]);
  });

  it('begins a new line after an unfinished one', t => {
    const file = fileFor(t);
    writeFileSync(file, '{"time":"2026');
    opened(t, file).write(call('read'));
    const [torn, entry = ''] = readFileSync(file, 'utf8').split('\n');
    deepEqual([torn, JSON.parse(entry).tool], ['{"time":"2026', 'read']);
  });
});

describe('an audit log that cannot be opened', () => {
  const places: Readonly<Record<string, (folder: string) => string>> = {
    'auditLog.openingReasons.EISDIR()': folder => folder,
    'auditLog.openingReasons.ENOENT()': folder => join(folder, 'missing', 'audit.jsonl'),
    'auditLog.openRegular()': folder => {
      execFileSync('mkfifo', [join(folder, 'pipe')]);
      return join(folder, 'pipe');
    },
    'auditLog.openingReasons.ELOOP()': folder => {
      symlinkSync(join(folder, 'elsewhere'), join(folder, 'link'));
      return join(folder, 'link');
    },
    'reasons.forbidden()': folder => {
      writeFileSync(join(folder, 'read-only'), '');
      chmodSync(join(folder, 'read-only'), 0o400);
      return join(folder, 'read-only');
    },
  };
  for (const [reason, make] of Object.entries(places)) {
    const mayAll = reason.includes('forbidden') && process.getuid?.() === 0;
    const skip =
      (mayAll && 'root may write everything') || onlyOn('posix', 'it takes links, pipes and modes');
    it(`says why: ${reason}`, { skip }, t => {
      const folder = tempFolder(t);
      const path = make(folder);
      throws(() => new AuditLog(path), isRefusal(path, reason));
      equal(existsSync(join(folder, 'elsewhere')), false);
    });
  }
});

describe('an audit log that cannot be written', () => {
  const full = 'reasons.full()';

  it('reports each failure, and goes on when the disk has space again', t => {
    const file = fileFor(t);
    let isFull = true;
    const log = opened(t, file, (fd, text) =>
      isFull ? failing('ENOSPC') : writeFileSync(fd, text),
    );
    for (const tool of ['first', 'second']) {
      throws(() => log.write(call(tool)), isRefusal(file, full));
    }
    isFull = false;
    log.write(call('third'));
    deepEqual(toolsIn(file), ['third']);
  });

  it('does not spoil the next line with a partly written one', t => {
    const file = fileFor(t);
    let room = 30;
    const log = opened(t, file, (fd, text) => {
      writeFileSync(fd, text.slice(0, room));
      if (room < text.length) {
        room = text.length * 2;
        failing('ENOSPC');
      }
    });
    throws(() => log.write(call('torn')), isRefusal(file, full));
    log.write(call('whole'));
    log.write(call('next'));
    const [torn = '', ...whole] = readFileSync(file, 'utf8').trimEnd().split('\n');
    deepEqual([torn.length, whole.map(line => JSON.parse(line).tool)], [30, ['whole', 'next']]);
  });

  it('reports a missing folder, or a link in its place', { skip: skipLinks }, t => {
    const folder = join(tempFolder(t), 'logs');
    mkdirSync(folder);
    const file = join(folder, 'audit.jsonl');
    const log = opened(t, file);
    rmSync(folder, { recursive: true });
    throws(() => log.write(call('first')), isRefusal(file, 'auditLog.openingReasons.ENOENT()'));
    mkdirSync(folder);
    writeFileSync(join(folder, 'precious'), 'kept');
    symlinkSync('precious', file);
    throws(() => log.write(call('second')), isRefusal(file, 'auditLog.openingReasons.ELOOP()'));
    rmSync(file);
    log.write(call('third'));
    deepEqual([readFileSync(join(folder, 'precious'), 'utf8'), toolsIn(file)], ['kept', ['third']]);
  });

  it('reports a write after its close, and closes once', t => {
    const file = fileFor(t);
    const log = opened(t, file);
    log.dispose();
    log.dispose();
    throws(() => log.write(call('late')), isRefusal(file, 'auditLog.closed()'));
    equal(readFileSync(file, 'utf8'), '');
  });

  it('passes an error of its own unchanged', t => {
    const log = opened(t, join(tempFolder(t), 'audit.jsonl'), () => {
      throw new TypeError('no such thing');
    });
    throws(() => log.write(call('read')), TypeError);
  });
});

const fileFor = (t: TestContext) => join(tempFolder(t), 'audit.jsonl');

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

/** Whether an error names the file and this reason. */
function isRefusal(file: string, reason: string) {
  return ({ name, message }: Error) => {
    const end = `(${JSON.stringify(file)}, ${reason})`;
    return name === 'HumanError' && said(message).endsWith(end);
  };
}

const time = new Date(0);

test('writes fields in one order, without undefined and invalid values', () => {
  const more = { args: { content: 'secret' }, content: 'secret' };
  const event = { ...verdict({ reason: undefined, paths: ['/proj/a'] }), ...more };
  equal(
    auditLine(event, time),
    '{"time":"1970-01-01T00:00:00.000Z","event":"verdict","session":"1","server":"files",' +
      '"tool":"read","verdict":"denied","paths":["/proj/a"]}\n',
  );
});

test('lets no text forge a line or reverse text, and reads each back unchanged', () => {
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

test('writes any event as one whole line', () => {
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

test('cuts a text to 1,000 characters and a list to 50 items, with a mark', () => {
  const shown = (letters: number, paths: number) => {
    const all = { reason: 'r'.repeat(letters), paths: Array(paths).fill('/a') };
    const entry = JSON.parse(auditLine(verdict(all), time));
    return [entry.reason, entry.paths.length, entry.more];
  };
  deepEqual(shown(5000, 80), [`${'r'.repeat(1000)}…`, 50, 30]);
  deepEqual(shown(1000, 50), ['r'.repeat(1000), 50, undefined]);
});

function verdict(said: Partial<AuditEvent>) {
  const usual = { session: '1', server: 'files', tool: 'read', paths: [] };
  return { verdict: 'denied', ...usual, ...said, event: 'verdict' } as const;
}
