import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Emitter } from '../../../../src/base/emitter.ts';
import type { Server, ServerContext } from '../../../../src/extension/servers/server.ts';
import { Servers } from '../../../../src/extension/servers/servers.ts';
import { shownServer } from '../../../support/shownServer.ts';

describe('the servers of a window', () => {
  it('announce a change only when they have changed', async () => {
    const didChange = new Emitter<void>();
    let fields = { command: 'files' };
    const { definition } = shownServer();
    const servers = new Servers(() => definition, {
      identities: { fieldsOf: () => fields, onDidChange: didChange.event },
      accesses: { onDidChange: didChange.event },
      records: { onDidChange: didChange.event, onDidRevoke: didChange.event },
      logFor: () => undefined,
    } as unknown as ServerContext);
    const changes: (Server | undefined)[] = [];
    servers.onDidChange(server => changes.push(server));
    const [first] = servers.all;
    didChange.fire();
    assert.deepEqual([servers.all, changes], [[first], [first]]);
    fields = { command: 'other' };
    didChange.fire();
    assert.notEqual(servers.all[0], first);
    assert.equal(changes.at(-1), undefined);
    servers.dispose();
  });
});
