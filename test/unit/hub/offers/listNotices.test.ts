import { deepEqual } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Emitter } from '../../../../src/base/emitter.ts';
import { ConfigFile } from '../../../../src/hub/config/configFile.ts';
import { ListNotices } from '../../../../src/hub/offers/listNotices.ts';
import type { UpstreamChange } from '../../../../src/hub/upstreams/upstreams.ts';
import { atEnd } from '../../../support/processes.ts';
import { tempFolder } from '../../../support/temp.ts';
import { TurnedClock } from '../../../support/turnedClock.ts';

const all = ['tools', 'resources', 'prompts'];

test('a client hears of a change of the servers, and not of one of problems or rules', async t => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const file = join(tempFolder(t), 'servers.json');
  const write = (servers: object) => writeFileSync(file, JSON.stringify({ mcpServers: servers }));
  const one = { command: 'one' };
  write({ one });
  const clock = new TurnedClock();
  const opened = await ConfigFile.open(file, { userHome: '/home/me', after: clock.after });
  if (!opened.ok) {
    throw new Error(opened.reason);
  }
  const { file: config } = opened;
  const heard: string[] = [];
  const notices = new ListNotices();
  notices.onDidChange(list => heard.push(list));
  const following = notices.followConfig(config);
  let changes = 0;
  config.onDidChange(() => {
    changes += 1;
  });
  atEnd(t, () => {
    following.dispose();
    notices.dispose();
    config.dispose();
  });
  const hears = async (change: () => void) => {
    const before = changes;
    change();
    while (changes === before) {
      clock.pass(500);
      await setImmediate();
    }
    t.mock.timers.tick(1000);
    return heard.splice(0);
  };
  deepEqual(
    {
      'a file that is broken': await hears(() => writeFileSync(file, '{ "mcpServers": ')),
      'one that is right again': await hears(() => write({ one, wrong: {} })),
      'a mistake less': await hears(() => write({ one })),
      'other rules': await hears(() => write({ one: { ...one, guard: 'off' } })),
      'another server': await hears(() => write({ one: { command: 'other' } })),
      'one more server': await hears(() => write({ one: { command: 'other' }, two: one })),
    },
    {
      'a file that is broken': [],
      'one that is right again': [],
      'a mistake less': [],
      'other rules': [],
      'another server': all,
      'one more server': all,
    },
  );
});

test('a client hears of what a server offers as soon as that runs, and not of its end', t => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const heard: string[] = [];
  const notices = new ListNotices();
  notices.onDidChange(list => heard.push(list));
  atEnd(t, () => notices.dispose());
  const changes = new Emitter<UpstreamChange>();
  notices.follow({ onDidChange: changes.event });
  const hears = (upstream: object, ...what: readonly UpstreamChange['what'][]) => {
    for (const one of what) {
      changes.fire({ upstream, what: one } as UpstreamChange);
    }
    t.mock.timers.tick(1000);
    return heard.splice(0);
  };
  deepEqual(
    {
      'that it starts': hears({ isUp: false }, 'state'),
      // Calls are held back while it takes in its roots.
      'that it runs': hears({ isUp: true, isReady: false }, 'state'),
      'a list of its own': hears({ isUp: true }, 'tools', 'tools'),
      'that it has ended': hears({ isUp: false }, 'state'),
    },
    {
      'that it starts': [],
      'that it runs': all,
      'a list of its own': all.slice(0, 1),
      'that it has ended': [],
    },
  );
});
