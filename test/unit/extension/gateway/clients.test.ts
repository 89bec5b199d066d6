import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../../src/base/emitter.ts';
import { Clients } from '../../../../src/extension/gateway/clients.ts';
import type { Server } from '../../../../src/extension/servers/server.ts';
import { recordsIn } from '../../../support/memory.ts';

test('a client waits once for each server that it has called, not for all that it wants', () => {
  const [files, git, web] = [{}, {}, {}] as [Server, Server, Server];
  const session = (name: string, isWaiting: boolean) => ({ client: { name }, isWaiting });
  const sessions = new Map<Server, readonly object[]>([
    [files, [session('codex', true), session('codex', true), session('claude-code', false)]],
    [git, [session('codex', true)]],
    [web, [session('codex', false)]],
  ]);
  const codex = { name: 'codex' };
  const gateway = {
    sessions: {
      of: (server: Server) => sessions.get(server),
      consent: { waiting: [codex] },
      onDidChange: new Emitter<Server>().event,
    },
  };
  const clients = new Clients(recordsIn(), 'The Editor');
  deepEqual(clients.waitingFor(files), []);
  clients.begin(gateway as never);
  deepEqual(
    [files, git, web].map(server => clients.waitingFor(server)),
    [[codex], [codex], []],
  );
  clients.dispose();
});
