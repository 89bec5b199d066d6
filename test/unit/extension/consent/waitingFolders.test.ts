import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { waitingFolders } from '../../../../src/extension/consent/waitingFolders.ts';
import type { Server } from '../../../../src/extension/servers/server.ts';

/** As much of a server as it depends on. */
function server(isLive: boolean, ...waiting: readonly string[]) {
  return { isLive, access: { waiting } } as unknown as Server;
}

test('folders wait of what runs, and of what has any that do', () => {
  const [live, idle, quiet] = [server(true, 'api', 'web'), server(false, 'api'), server(true)];
  deepEqual(waitingFolders([live, idle, quiet]), [{ server: live, folders: ['api', 'web'] }]);
});
