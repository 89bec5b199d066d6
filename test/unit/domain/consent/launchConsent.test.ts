import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Grant, GrantScope } from '../../../../src/domain/consent/grants.ts';
import {
  formerFields,
  holdsElsewhere,
  isLaunchAllowed,
  launchScope,
  launchSubject,
} from '../../../../src/domain/consent/launchConsent.ts';
import type { StdioLaunch } from '../../../../src/domain/servers/launch.ts';
import { foundAsExpected } from '../../../support/cases.ts';
import { httpLaunch, stdioLaunch } from '../../../support/launches.ts';

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

it('an answer on the start of a server holds for its present identity', () => {
  const isAllowed = (...grants: Partial<Grant>[]) => isLaunchAllowed(grants.map(grant), now, true);
  const denied = { decision: 'denied' } as const;
  foundAsExpected({
    'on this': [isAllowed({}), true],
    'on a folder': [isAllowed({ folder: 'file:///proj/api' }), false],
    'as it was': [isAllowed({ identity: 'before' }), false],
    'on another': [isAllowed({ serverId: 'setting:other' }), false],
    denied: [isAllowed(denied), false],
    both: [isAllowed({}, denied), false],
  });
});

describe('an answer to a start', () => {
  const workspace = {
    folders: ['/ws/api', '/ws/web', '/home/u/proj'],
    home: '/home/u',
    programFolders: ['/usr/bin', '/home/u/.local/bin'],
  };
  const holds = (line: string, said: Partial<StdioLaunch> = {}, other: object = {}) => {
    const [command = '', ...args] = line.split(' ');
    return holdsElsewhere(stdioLaunch({ command, args, ...said }), { ...workspace, ...other });
  };

  it('holds in one workspace if the start may run a file of it', () => {
    // A command line alone does not tell what runs: without a working directory, no answer holds.
    const lines = [
      ...['./run.sh', '/ws/web/bin/server', 'node server.js', 'npx -y good-pkg@1.2.3', 'make'],
      ...['python -m server', 'sh -c ./run', 'docker run -v .:/app image /app/run'],
      ...['/usr/bin/server', 'server --config tool.json'],
    ];
    assert.deepEqual(
      lines.filter(line => holds(line)),
      [],
    );
    const elsewhere = { cwd: '/opt/server' };
    for (const variable of ['NODE_OPTIONS', 'PYTHONPATH', 'LD_PRELOAD', 'GIT_SSH_COMMAND', 'X']) {
      for (const text of ['-r /ws/api/x', '${workspaceFolder}/x', '${firstRoot}', '${new}']) {
        assert.equal(holds('server', { ...elsewhere, env: { [variable]: text } }), false, text);
      }
      assert.equal(holds('server', { env: { [variable]: 'x' } }), false);
    }
    const named = ['/ws/web/x.js', '--from=/ws/web', '-I${workspaceFolder:web}', '${roots}'];
    const hidden = ['${env:PWD}/run.js', '${userHome}/proj/run.sh', '/WS/api/x', '../ws/api/y'];
    for (const text of [...named, ...hidden, '/opt/lib:/ws/api:/lib']) {
      assert.equal(holds('server', { ...elsewhere, args: [text] }), false, text);
      assert.equal(holds(text, elsewhere), false, text);
    }
    for (const place of ['/ws/api/node_modules/.bin', '.', '']) {
      const programFolders = [...workspace.programFolders, place];
      assert.equal(holds('server', elsewhere, { programFolders }), false, place);
    }
    assert.equal(holds('server', { ...elsewhere, envFile: '/ws/api/.env' }), false);
    const places = ['.', '', '/ws/api', '/ws/web/x', '${workspaceFolder}', '${env:PLACE}'];
    for (const cwd of [...places, '/ws', '${userHome}', '${userHome}/proj', '/']) {
      assert.equal(holds('server', { cwd }), false, cwd);
    }
  });

  it('holds everywhere if no file of a workspace takes part in the start', () => {
    const env = { API_TOKEN: '${input:token}', HOME: '${userHome}', LEVEL: '1' };
    for (const cwd of ['/opt/server', '${userHome}/server', '/w']) {
      assert.equal(holds('npx -y good-pkg', { cwd, env }), true, cwd);
    }
    assert.equal(holdsElsewhere(httpLaunch('https://host/'), workspace), true);
    assert.equal(holds('server', {}, { folders: [] }), true);
  });

  it('is kept only as long and as far as it holds', () => {
    const kept = (isEverywhere: boolean) =>
      (['session', 'workspace', 'always'] as const).map(scope => launchScope(scope, isEverywhere));
    assert.deepEqual(kept(true), ['session', 'workspace', 'always']);
    assert.deepEqual(kept(false), ['session', 'workspace', 'workspace']);
    const counts = (scope: GrantScope, decision: Grant['decision'] = 'allowed') =>
      [true, false].map(is => isLaunchAllowed([grant({ scope, decision })], now, is));
    assert.deepEqual(counts('always'), [true, false]);
    assert.deepEqual(counts('workspace'), [true, true]);
    const refusal = grant({ scope: 'always', decision: 'denied' });
    assert.equal(isLaunchAllowed([grant(), refusal], now, false), false);
  });
});

describe('the earlier identity of a server', () => {
  it('is shown until the user agrees to the new start, whatever folders were answered', () => {
    const before = grant({ identity: 'before' });
    const tick = grant({ folder: 'file:///proj/api', at: 2 });
    assert.deepEqual(formerFields([before, tick], now.serverId, now.identity), {
      command: 'before',
    });
    assert.equal(formerFields([before, tick, grant({ at: 3 })], now.serverId, 'now'), undefined);
  });

  it('follows the answers that were carried over, with their old dates', () => {
    const answers = ['before', 'after'].map(identity => grant({ identity }));
    assert.deepEqual(formerFields(answers, now.serverId, now.identity), { command: 'after' });
  });

  it('is the identity with answers on folders, if no start was ever agreed to', () => {
    const folder = 'file:///proj/api';
    const answers = [
      grant({ identity: 'long before', folder, at: 0 }),
      grant({ identity: 'before', folder }),
      grant({ serverId: 'setting:other', identity: 'other', folder, at: 9 }),
    ];
    const former = (grants: readonly Grant[]) => formerFields(grants, now.serverId, now.identity);
    assert.deepEqual(former(answers), { command: 'before' });
    assert.equal(former([...answers, grant({ folder })]), undefined);
    assert.equal(former(answers.slice(2)), undefined);
  });
});
