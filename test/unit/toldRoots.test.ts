import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Access } from '../../src/domain/consent/access.ts';
import type { Exposure, Trigger } from '../../src/domain/exposure.ts';
import { diskFolder } from '../../src/domain/folders/folders.ts';
import { ToldRoots } from '../../src/extension/servers/toldRoots.ts';

const asked: Trigger = { kind: 'roots/list' };

function exposure(names: readonly string[], trigger = asked, count = 1): Exposure {
  const roots = names.map(name => ({ uri: `file:///proj/${name}`, name }));
  return { at: 1, serverId: 'setting:raw', serverLabel: 'raw', trigger, count, roots };
}

function candidates(...names: readonly string[]): Access {
  const folders = names.map(name => ({
    folder: diskFolder(`/proj/${name}`, name, 'directory', 'posix'),
    notes: [],
    leftOut: 'denied' as const,
  }));
  return { folders, roots: [], waiting: [], isRefused: false };
}

describe('what a process was told of its roots', () => {
  it('is nothing at first', () => {
    const told = new ToldRoots();
    assert.deepEqual([told.last, told.count, told.changeFor([])], [undefined, 0, 'none']);
    assert.deepEqual(told.former(candidates('api')), []);
  });

  it('counts what it asked for, also when that was answered together', () => {
    const told = new ToldRoots();
    told.note(exposure(['api']));
    told.note(exposure(['api', 'web'], asked, 7));
    assert.equal(told.count, 8);
    assert.deepEqual(
      told.last?.roots.map(({ name }) => name),
      ['api', 'web'],
    );
  });

  it('names what is no candidate any more until it was told of the list without it', () => {
    const told = new ToldRoots();
    told.note(exposure(['api', 'web']));
    const former = () => told.former(candidates('web')).map(({ name }) => name);
    assert.deepEqual(former(), ['api']);
    told.note(exposure(['web']));
    assert.deepEqual(former(), []);
  });

  it('keeps what it was started with, whatever it is told later', () => {
    const told = new ToldRoots();
    const { roots } = exposure(['api']);
    told.launchedWith(roots, undefined);
    told.note({ ...exposure(['api'], { kind: 'launch', as: ['args'] }), at: 1 });
    assert.equal(told.count, 0);
    told.note({ ...exposure(['web']), at: 2 });
    assert.equal(told.changeFor(exposure(['web']).roots), 'lost');
    assert.equal(told.changeFor(exposure(['api', 'web']).roots), 'outdated');
    assert.equal(told.changeFor(roots), 'none');
    assert.deepEqual(
      told.former(candidates('web')).map(({ name }) => name),
      ['api'],
    );
  });

  it('is the newer of two occasions, in whatever order they are told', () => {
    const told = new ToldRoots();
    told.note({ ...exposure(['web']), at: 2 });
    told.note({ ...exposure(['api'], { kind: 'launch', as: ['args'] }), at: 1 });
    assert.deepEqual(
      told.last?.roots.map(({ name }) => name),
      ['web'],
    );
  });

  it('is outdated where it works in a folder that was taken away, and only then', () => {
    const told = new ToldRoots();
    const [api] = exposure(['api']).roots;
    told.launchedWith([], api);
    assert.equal(told.changeFor(exposure(['web']).roots), 'outdated');
    assert.equal(told.changeFor(exposure(['web', 'api']).roots), 'none');
  });
});
