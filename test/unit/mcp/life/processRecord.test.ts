import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Emitter } from '../../../../src/base/emitter.ts';
import type { Exposure, Trigger } from '../../../../src/domain/exposure.ts';
import { ProcessRecord } from '../../../../src/mcp/life/processRecord.ts';
import type { Link, LinkEvents } from '../../../../src/mcp/link/link.ts';
import type { Listed } from '../../../../src/mcp/link/session.ts';

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

describe('a record of roots', () => {
  const record = (...exposures: readonly Exposure[]) => {
    const one = new ProcessRecord(() => {});
    for (const exposure of exposures) {
      one.noteExposure(exposure);
    }
    return one;
  };

  it('is empty for the next process', () => {
    const { knownRoots } = record(exposure(['api']));
    const next = record(exposure(['api']));
    next.noteStart(knownRoots, undefined);
    next.begin();
    const all = [next.lastExposure, next.exposureCount, next.knownRoots];
    assert.deepEqual(all, [undefined, 0, []]);
  });

  it('counts requests, even those answered together, and has the roots of the last answer', () => {
    const { exposureCount, knownRoots, lastExposure } = record(
      exposure(['api', 'web']),
      exposure(['web'], asked, 7),
    );
    assert.deepEqual([exposureCount, names(knownRoots)], [8, ['web']]);
    assert.deepEqual(names(lastExposure?.roots), ['web']);
  });

  it('keeps the roots of the start', () => {
    const started = record();
    started.noteStart(exposure(['api']).roots, undefined);
    started.noteExposure(exposure(['api'], launched));
    assert.equal(started.exposureCount, 0);
    started.noteExposure({ ...exposure(['web']), at: 2 });
    assert.deepEqual(names(started.knownRoots), ['api', 'web']);
  });

  it('has the newer of two exposures', () => {
    const { lastExposure } = record({ ...exposure(['web']), at: 2 }, exposure(['api'], launched));
    assert.deepEqual(names(lastExposure?.roots), ['web']);
  });
});

describe('a record of tools', () => {
  it('is kept until the next process', async () => {
    const record = new ProcessRecord(() => {});
    assert.equal(record.tools, undefined);
    assert.deepEqual(await record.keepTools(Promise.resolve([read])), [read]);
    assert.deepEqual(record.tools, [read]);
    record.begin();
    assert.equal(record.tools, undefined);
  });

  it('is forgotten when the server says that its tools changed', async t => {
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

  it('does not keep an outdated answer', async () => {
    const record = new ProcessRecord(() => {});
    const answer = record.keepTools(Promise.resolve([read]));
    record.begin();
    assert.deepEqual(await answer, [read]);
    assert.equal(record.tools, undefined);
  });
});
