import { registerHooks } from 'node:module';
import { homedir } from 'node:os';
import { pathToFileURL } from 'node:url';
import { GatewayServers, StandInServer } from '../support/gatewayServers.ts';
import type { WindowServers } from './gatewayWindow.ts';
import { built, clientOf, ours } from './product.ts';

// The gateway of a window that allows the bench's client everything, in a process of its kind only,
// unlike an extension host. Its argument names its servers. It reports when it is ready, and ends
// with its stdin.

// The relay and all that talks to servers comes as it is shipped.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier.endsWith('/mcp/main.ts')
      ? { url: pathToFileURL(built(ours, 'client.js')).href, shortCircuit: true }
      : next(specifier, context),
});

const { launches, folders }: WindowServers = JSON.parse(process.argv[2] ?? '');
const { ProcessOwner, serverEnvironment } = clientOf(ours);
const env = serverEnvironment(process.env, {}, process.platform);
const allowed = Object.fromEntries(folders.map(folder => [folder, 'allowed' as const]));
const servers = Object.entries(launches).map(([label, { command, args }]) =>
  new StandInServer(label, { command, args, cwd: folders[0] ?? homedir(), env }).now(allowed),
);
const owner = new ProcessOwner('editor', { warn: console.error });
const gateway = new GatewayServers(homedir(), owner, servers);
for (const server of servers) {
  await gateway.allow('bench', server);
}
await gateway.open('bench', folders);

process.stdin.on('end', async () => {
  await gateway.end();
  process.exit();
});
process.stdin.resume();
process.stdout.write('ready\n');
