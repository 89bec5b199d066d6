import assert from 'node:assert/strict';
import {
  appendFileSync,
  chmodSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Activity } from '../../../../src/domain/activity.ts';
import { ActivityFile } from '../../../../src/extension/activity/activityFile.ts';
import { onlyOn } from '../../../support/systems.ts';
import { tempFolder } from '../../../support/temp.ts';

const megabyte = 1024 * 1024;

function exposure(at: number, name = 'api'): Activity {
  return {
    kind: 'exposure',
    at,
    serverId: 'setting:files',
    serverLabel: 'files',
    era: 'legacy',
    trigger: { kind: 'roots/list' },
    count: 1,
    roots: [{ uri: 'file:///proj/api', name }],
  };
}

function assertSmall(folder: string): void {
  assert.deepEqual(readdirSync(folder).sort(), ['activityLog.1.jsonl', 'activityLog.jsonl']);
  for (const name of readdirSync(folder)) {
    assert.ok(statSync(join(folder, name)).size <= megabyte, name);
  }
}

describe('the activity file', () => {
  it('returns the entries of all sessions, the oldest first', async t => {
    const folder = join(tempFolder(t), 'not', 'made', 'yet');
    assert.deepEqual(await new ActivityFile(folder).read(), []);
    await new ActivityFile(folder).append([exposure(1), exposure(2)]);
    await new ActivityFile(folder).append([exposure(3)]);
    assert.deepEqual(await new ActivityFile(folder).read(), [
      exposure(1),
      exposure(2),
      exposure(3),
    ]);
  });

  it('has one line of JSON for each entry, with the time in ISO 8601', async t => {
    const folder = tempFolder(t);
    await new ActivityFile(folder).append([exposure(0)]);
    assert.equal(
      readFileSync(join(folder, 'activityLog.jsonl'), 'utf8'),
      '{"time":"1970-01-01T00:00:00.000Z","kind":"exposure","serverId":"setting:files",' +
        '"serverLabel":"files","era":"legacy","trigger":{"kind":"roots/list"},"count":1,' +
        '"roots":[{"uri":"file:///proj/api","name":"api"}]}\n',
    );
  });

  it('escapes characters that forge lines or reverse text', async t => {
    const folder = tempFolder(t);
    const forged = exposure(1, 'a\n{"time"\u202egpj.\u2028\u0007\u009b');
    await new ActivityFile(folder).append([forged]);
    const text = readFileSync(join(folder, 'activityLog.jsonl'), 'utf8');
    assert.equal(text.split('\n').length, 2);
    for (const unsafe of ['\u202e', '\u2028', '\u0007', '\u009b']) {
      assert.ok(!text.includes(unsafe), JSON.stringify(unsafe));
    }
    assert.deepEqual(await new ActivityFile(folder).read(), [forged]);
  });

  it('skips half a line and entries without a time', async t => {
    const folder = tempFolder(t);
    const file = new ActivityFile(folder);
    await file.append([exposure(1)]);
    appendFileSync(join(folder, 'activityLog.jsonl'), 'null\n{"time":"x"}\n{"time":"2026-\n');
    await file.append([exposure(2)]);
    assert.deepEqual(await file.read(), [exposure(1), exposure(2)]);
  });

  it('is readable by its owner only, even if it was open to others', {
    skip: onlyOn('posix', 'Windows has no such modes'),
  }, async t => {
    const [made, known] = [join(tempFolder(t), 'made'), tempFolder(t)];
    chmodSync(known, 0o755);
    const names = ['activityLog.1.jsonl', 'activityLog.jsonl'];
    for (const name of names) {
      writeFileSync(join(known, name), '');
      chmodSync(join(known, name), 0o644);
    }
    const flood = Array.from({ length: 6000 }, (_, index) => exposure(index));
    await new ActivityFile(made).append(flood);
    await new ActivityFile(known).append([exposure(1)]);
    for (const folder of [made, known]) {
      const modes = ['', ...names].map(name => statSync(join(folder, name)).mode & 0o777);
      assert.deepEqual(modes, [0o700, 0o600, 0o600]);
    }
  });

  it('keeps each file within a megabyte, however much is written at once', async t => {
    const folder = tempFolder(t);
    const file = new ActivityFile(folder);
    await file.append([exposure(0)]);
    const flood = Array.from({ length: 30_000 }, (_, at) => exposure(at + 1, `api-${at}`));
    await file.append(flood);
    assertSmall(folder);
    const kept = await file.read();
    assert.ok(kept.length > 5000, String(kept.length));
    assert.deepEqual(kept, flood.slice(-kept.length));
  });

  it('keeps the entries of a quiet server beside those of a loud one', async t => {
    const folder = tempFolder(t);
    const file = new ActivityFile(folder);
    const quiet = (at: number) => ({ ...exposure(at), serverId: 'quiet', serverLabel: 'quiet' });
    await file.append([quiet(1), { ...quiet(2), client: 'codex' }]);
    for (let round = 0; round < 10; round++) {
      const loud = Array.from({ length: 2000 }, (_, index) => exposure(round * 2000 + index + 3));
      const louder = loud.map(({ at }) => ({ ...exposure(at, `api-${at}`), serverId: 'louder' }));
      await file.append([...loud, ...louder]);
    }
    assertSmall(folder);
    const kept = await new ActivityFile(folder).read();
    const ofQuiet = kept.filter(({ serverId }) => serverId === 'quiet');
    assert.deepEqual(ofQuiet, [quiet(1), { ...quiet(2), client: 'codex' }]);
    const count = (id: string) =>
      kept.reduce((sum, one) => sum + (one.serverId === id ? (one.count ?? 1) : 0), 0);
    assert.equal(count('setting:files'), 20_000);
  });

  it('leaves out and reports an exposure that is too long', async t => {
    const folder = tempFolder(t);
    const file = new ActivityFile(folder);
    const huge = exposure(2, 'x'.repeat(megabyte));
    await assert.rejects(file.append([exposure(1), huge, exposure(3)]), /too long: 1/);
    assert.deepEqual(await file.read(), [exposure(1), exposure(3)]);
  });
});
