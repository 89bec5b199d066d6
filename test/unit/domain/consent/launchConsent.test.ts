import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startStep, startsByItself } from '../../../../src/domain/consent/folderAccess.ts';
import type { Grant } from '../../../../src/domain/consent/grants.ts';
import {
  formerFields,
  isLaunchAllowed,
  launchSubject,
} from '../../../../src/domain/consent/launchConsent.ts';

const now = { serverId: 'setting:files', identity: 'now' };

function grant(part: Partial<Grant> = {}): Grant {
  return {
    ...now,
    fields: { command: part.identity ?? 'now' },
    folder: launchSubject,
    decision: 'allowed',
    scope: 'workspace',
    at: 1,
    ...part,
  };
}

describe('the start of a server', () => {
  it('is agreed to by an answer on that, for that server as it is', () => {
    assert.equal(isLaunchAllowed([grant()], now), true);
    const others = [
      grant({ folder: 'file:///proj/api' }),
      grant({ identity: 'before' }),
      grant({ serverId: 'setting:other' }),
      grant({ decision: 'denied' }),
    ];
    for (const other of others) {
      assert.equal(isLaunchAllowed([other], now), false);
    }
    assert.equal(isLaunchAllowed([grant(), grant({ decision: 'denied' })], now), false);
  });

  it('is asked about though every folder has its answer, and happens by itself only then', () => {
    const root = { uri: 'file:///proj/api', name: 'api' };
    const folder = {
      ...root,
      path: '/proj/api',
      disk: 'directory',
      origin: 'workspace',
      realPath: '/proj/api',
      place: '1:1',
    } as const;
    const folders = [{ folder, root, notes: [] }];
    const access = { folders, roots: [root], waiting: [], isRefused: false };
    assert.equal(startStep(access, false), 'ask');
    assert.equal(startStep(access, true), 'start');
    assert.equal(startsByItself(access, false), false);
    assert.equal(startsByItself(access, true), true);
  });
});

describe('what a server was before', () => {
  it('is shown until its new start was agreed to, whatever folders were answered on meanwhile', () => {
    const before = grant({ identity: 'before' });
    const tick = grant({ folder: 'file:///proj/api', at: 2 });
    assert.deepEqual(formerFields([before, tick], now.serverId, now.identity), {
      command: 'before',
    });
    assert.equal(formerFields([before, tick, grant({ at: 3 })], now.serverId, 'now'), undefined);
  });

  it('is what folders were answered on, where no start was ever agreed to', () => {
    const tick = grant({ identity: 'before', folder: 'file:///proj/api' });
    assert.deepEqual(formerFields([tick], now.serverId, now.identity), { command: 'before' });
  });
});
