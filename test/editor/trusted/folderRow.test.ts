import assert from 'node:assert/strict';
import type { ExclusionReason } from '../../../src/domain/consent/folderAccess.ts';
import type { Exposure } from '../../../src/domain/exposure.ts';
import { folderItem, formerRootItem } from '../../../src/extension/views/folderItem.ts';
import type { FolderRow } from '../../../src/extension/views/rows.ts';
import {
  allowed,
  exclusion,
  exposure,
  folder,
  running,
  type ShownServer,
  shownServer,
} from '../support/shownServer.ts';

describe('the row of a folder', () => {
  const item = (access: FolderRow['access'], facts: Partial<ShownServer> = {}) =>
    folderItem({
      kind: 'folder',
      server: shownServer(facts),
      access,
      name: access.folder.name,
    });

  it('says why it is no root, and has a checkbox only where an answer can change that', () => {
    const api = folder('api');
    const shown = (reason: ExclusionReason) => {
      const { contextValue, description, checkboxState } = item(exclusion(api, reason));
      return [contextValue, description, checkboxState !== undefined];
    };
    assert.deepEqual(
      (['undecided', 'denied', 'not-offered', 'forbidden', 'excluded', 'missing'] as const).map(
        shown,
      ),
      [
        ['folder.undecided', 'not asked yet', true],
        ['folder.denied', 'not allowed', true],
        ['folder.not-offered', 'not offered to this server', true],
        ['folder.forbidden', 'never exposed: mcpRoots.neverExpose forbids it', false],
        ['folder.excluded', 'left out by mcpRoots.excludeFolders', false],
        ['folder.missing', 'missing on disk', false],
      ],
    );
  });

  it('says where it comes from, and of what is to be known of it the most important', () => {
    const holds = { kind: 'holds-forbidden', paths: ['/proj/home/.ssh'] } as const;
    const home = folder('home', { origin: 'extra' });
    const { description, tooltip } = item(allowed(home, [{ kind: 'wide' }, holds]));
    assert.equal(description, 'allowed · extra folder · holds what must never be exposed');
    assert.equal(
      tooltip,
      [
        '/proj/home: allowed · extra folder · holds what must never be exposed',
        'It holds what must never be exposed: /proj/home/.ssh',
        'very wide',
      ].join('\n'),
    );
    const twin = exclusion(folder('b'), 'duplicate', [{ kind: 'same-as', name: 'api' }]);
    assert.equal(item(twin).description, 'the same folder as api');
  });

  it('says what the server that runs knows of it', () => {
    const access = allowed(folder('api'));
    const told = (trigger: Exposure['trigger']) =>
      String(
        item(access, { state: running, lastExposure: { ...exposure(), trigger } }).description,
      );
    assert.match(told({ kind: 'roots/list' }), /^exposed · asked \S+/);
    assert.match(told({ kind: 'launch', as: ['args'] }), /^exposed · told at its start \S+/);
    assert.match(told({ kind: 'launch', as: ['mount'] }), /^exposed · shown since \S+/);
    assert.equal(item(access, { state: running }).description, 'allowed · not asked for yet');
    assert.equal(
      item(access, { state: running, needsRestart: true }).description,
      'allowed · restart to tell it',
    );
  });

  it('says of a root that it is read only or was at the start, whatever else the server knows of it', () => {
    const access = { ...allowed(folder('api')), isReadOnly: true } as const;
    const terms = { read: [], write: [], network: true };
    const startedReadOnly: Partial<ShownServer> = {
      state: running,
      lastExposure: exposure(),
      definition: { ...shownServer().definition, sandbox: terms },
      sandbox: {
        tool: 'bubblewrap 0.8.0',
        roots: [{ uri: 'file:///proj/api', name: 'api', path: '/proj/api', isReadOnly: true }],
        alsoSees: [],
        hasNetwork: true,
        isPreview: false,
      },
    };
    const shown = (facts: Partial<ShownServer>) => {
      const { description, accessibilityInformation } = item(access, facts);
      const { label = '' } = accessibilityInformation ?? {};
      assert.ok(label.endsWith(`: ${description}`), label);
      return String(description);
    };
    assert.equal(shown({}), 'allowed, read only');
    assert.equal(shown({ state: running }), 'allowed, read only · not asked for yet');
    const told = shown({ state: running, lastExposure: exposure() });
    assert.match(told, /^exposed, read only · asked \S+/);
    const still = String(item(allowed(folder('api')), startedReadOnly).description);
    assert.match(still, /^exposed, read only until a restart · asked \S+/);
    const denied = { ...exclusion(folder('api'), 'denied'), isReadOnly: true };
    assert.equal(item(denied).description, 'not allowed');
  });

  it('stays while the server knows what is no folder of the window any more', () => {
    const server = shownServer({ state: running, lastExposure: exposure() });
    const root = { uri: 'file:///proj/api', name: 'a\u202epi' };
    const { label, description } = formerRootItem({ kind: 'former-root', server, root });
    assert.equal(label, 'a\\u202epi');
    assert.match(String(description), /^removed, but was told at \S+/);
  });
});
