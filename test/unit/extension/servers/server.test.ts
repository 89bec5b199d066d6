import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Emitter } from '../../../../src/base/emitter.ts';
import { defaultTerms, userServer } from '../../../../src/domain/servers/serverDefinition.ts';
import { Server, type ServerContext } from '../../../../src/extension/servers/server.ts';
import { stdioLaunch } from '../../../support/launches.ts';
import { tempFolder } from '../../../support/temp.ts';

test('a server fails ahead for as long as something is missing, however often it is looked for', async t => {
  const cwd = join(tempFolder(t), 'later');
  const definition = userServer('files', stdioLaunch({ cwd }), defaultTerms);
  const { event: onDidChange } = new Emitter<never>();
  const shared = { accesses: { onDidChange }, records: { onDidChange }, logFor: () => undefined };
  const server = new Server(definition, {}, shared as unknown as ServerContext);
  t.after(() => server.dispose());
  const looks = [server.failsAhead(), server.failsAhead()];
  assert.deepEqual(await Promise.all(looks), [true, true]);
  assert.equal(server.state.kind, 'failed');
  mkdirSync(cwd);
  assert.equal(await server.failsAhead(), false);
  assert.equal(server.state.kind, 'stopped');
});
