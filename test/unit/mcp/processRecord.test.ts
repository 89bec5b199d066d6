import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Emitter } from '../../../src/base/emitter.ts';
import type { Exposure, Trigger } from '../../../src/domain/exposure.ts';
import type { Link, LinkEvents } from '../../../src/mcp/link.ts';
import { ProcessRecord } from '../../../src/mcp/processRecord.ts';
import type { Listed } from '../../../src/mcp/session.ts';

const asked: Trigger = { kind: 'roots/list' };
const launched: Trigger = { kind: 'launch', as: ['args'] };
const read = { name: 'read', inputSchema: { type: 'object' as const } };

function exposure(names: readonly string[], trigger = asked, count = 1): Exposure {
  const roots = names.map(name => ({ uri: `file:///proj/${name}`, name }));
  return { at: 1, serverId: 'setting:raw', serverLabel: 'raw', trigger, count, roots };
}

function names(roots: Exposure['roots'] = []): string[] {
  return roots.map(({ name }) => name);
}

describe('what a process was told of its roots', () => {
  it('is nothing at first, and with the next process again', () => {
    const record = new ProcessRecord(() => {});
    const all = () => [record.lastExposure, record.exposureCount, record.knownRoots];
    assert.deepEqual(all(), [undefined, 0, []]);
    record.noteStart(exposure(['api']).roots, undefined);
    record.noteExposure(exposure(['api']));
    record.begin();
    assert.deepEqual(all(), [undefined, 0, []]);
  });

  it('counts what it asked for, also when that was answered together', () => {
    const record = new ProcessRecord(() => {});
    record.noteExposure(exposure(['api']));
    record.noteExposure(exposure(['api', 'web'], asked, 7));
    assert.equal(record.exposureCount, 8);
    assert.deepEqual(names(record.lastExposure?.roots), ['api', 'web']);
  });

  it('is known to it until it was told of a list without it', () => {
    const record = new ProcessRecord(() => {});
    record.noteExposure(exposure(['api', 'web']));
    assert.deepEqual(names(record.knownRoots), ['api', 'web']);
    record.noteExposure(exposure(['web']));
    assert.deepEqual(names(record.knownRoots), ['web']);
  });

  it('stays known where it was started with it, whatever it is told later', () => {
    const record = new ProcessRecord(() => {});
    record.noteStart(exposure(['api']).roots, undefined);
    record.noteExposure(exposure(['api'], launched));
    assert.equal(record.exposureCount, 0);
    record.noteExposure({ ...exposure(['web']), at: 2 });
    assert.deepEqual(names(record.knownRoots), ['api', 'web']);
  });

  it('is the newer of two occasions, in whatever order they are told', () => {
    const record = new ProcessRecord(() => {});
    record.noteExposure({ ...exposure(['web']), at: 2 });
    record.noteExposure(exposure(['api'], launched));
    assert.deepEqual(names(record.lastExposure?.roots), ['web']);
  });
});

describe('what a server said of its tools', () => {
  it('is kept until there is another process', async () => {
    const record = new ProcessRecord(() => {});
    assert.equal(record.tools, undefined);
    assert.deepEqual(await record.keepTools(Promise.resolve([read])), [read]);
    assert.deepEqual(record.tools, [read]);
    record.begin();
    assert.equal(record.tools, undefined);
  });

  it('is forgotten when the server says that its tools are others', async t => {
    t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    const record = new ProcessRecord(() => {});
    const didChangeList = new Emitter<Listed>();
    const didBegin = new Emitter<LinkEvents>();
    const never = new Emitter<never>().event;
    record.follow({ onDidChangeState: never, onDidBegin: didBegin.event } as Partial<Link> as Link);
    const silent = { onDidPass: never, onDidNeglect: never } as Partial<LinkEvents> as LinkEvents;
    didBegin.fire({ ...silent, onDidChangeList: didChangeList.event });
    await record.keepTools(Promise.resolve([read]));
    const asked = record.keepTools(Promise.resolve([read]));
    didChangeList.fire('prompts');
    t.mock.timers.tick(1000);
    assert.deepEqual(record.tools, [read]);
    didChangeList.fire('tools');
    t.mock.timers.tick(1000);
    assert.equal(record.tools, undefined);
    await asked;
    assert.equal(record.tools, undefined);
  });

  it('is given and not kept when it was out of date when it came', async () => {
    const record = new ProcessRecord(() => {});
    const answer = record.keepTools(Promise.resolve([read]));
    record.begin();
    assert.deepEqual(await answer, [read]);
    assert.equal(record.tools, undefined);
  });
});
