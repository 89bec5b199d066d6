// A window in a process of its own, with one server that may see one folder: node gatewayServersWindow.ts
// JSON. Its gateway allows these clients everything. It ends in order with its stdin.
import { ProcessOwner } from '../../src/mcp/stdio/processOwner.ts';
import type { ProcessStart } from '../../src/mcp/stdio/serverProcess.ts';
import { GatewayServers, StandInServer } from './gatewayServers.ts';

/** What such a window is given. */
export interface WindowProcess {
  readonly home: string;
  readonly workspace: string;
  readonly start: ProcessStart;
  readonly clients: readonly string[];
}

const { home, workspace, start, clients }: WindowProcess = JSON.parse(process.argv[2] ?? '{}');
const owner = new ProcessOwner('editor', { warn: message => console.error(message) });
const server = new StandInServer('files', start).now({ [workspace]: 'allowed' });
const gateway = new GatewayServers(home, owner, [server]);
for (const client of clients) {
  await gateway.allow(client, server);
}
await gateway.open('w', [workspace]);
process.stdin.on('end', async () => {
  await gateway.end();
  owner.dispose();
});
process.stdin.resume();
console.log('ready');
