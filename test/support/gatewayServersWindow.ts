// A window in a separate process, with a server for one folder: node gatewayServersWindow.ts JSON.
// It allows these clients everything, and ends cleanly with its stdin.
import { ProcessOwner } from '../../src/mcp/process/stdio/processOwner.ts';
import type { ProcessStart } from '../../src/mcp/process/stdio/serverProcess.ts';
import { GatewayServers, StandInServer } from './gatewayServers.ts';

/** The argument of this program. */
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
