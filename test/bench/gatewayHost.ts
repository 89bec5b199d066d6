import { registerHooks } from 'node:module';
import { homedir } from 'node:os';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Emitter } from '../../src/base/emitter.ts';
import { Limiter } from '../../src/base/limiter.ts';
import { windowsFolder } from '../../src/connect/windowFiles.ts';
import { type Access, startRoots } from '../../src/domain/consent/folderAccess.ts';
import { diskFolder } from '../../src/domain/folders/folders.ts';
import type { PathPlatform } from '../../src/domain/paths/pathNames.ts';
import { inEnglish } from '../../src/domain/sentence.ts';
import { Deaths } from '../../src/domain/servers/restarts.ts';
import { defaultTerms, userServer } from '../../src/domain/servers/serverDefinition.ts';
import { Clients } from '../../src/extension/gateway/clients.ts';
import { GatewaySocket } from '../../src/extension/gateway/gatewaySocket.ts';
import { Snapshots } from '../../src/extension/gateway/snapshots.ts';
import { WindowFile } from '../../src/extension/gateway/windowFile.ts';
import type { Server, ServerContext } from '../../src/extension/servers/server.ts';
import { recordsIn } from '../support/memory.ts';
import type { GatewayServers } from './gatewayWindow.ts';
import { built, clientOf, ours } from './product.ts';

// The gateway of a window whose user has allowed the client of the bench everything, in a process that
// has nothing else to do, other than an extension host. Its argument is what it serves; it says when it
// is ready, and ends with its stdin.

// The relay and all that talks to servers comes as it is shipped.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier.endsWith('/mcp/main.ts')
      ? { url: pathToFileURL(built(ours, 'client.js')).href, shortCircuit: true }
      : next(specifier, context),
});

const { launches, folders }: GatewayServers = JSON.parse(process.argv[2] ?? '');
const { ProcessOwner, serverEnvironment } = clientOf(ours);
const platform = process.platform as PathPlatform;
const ignore = () => {};
const logger = {
  trace: ignore,
  debug: ignore,
  info: ignore,
  warn: console.error,
  error: console.error,
};
const never = new Emitter<never>().event;

const access: Access = {
  folders: folders.map(path => {
    const folder = diskFolder(path, basename(path), 'directory', platform);
    return { folder, notes: [], root: { uri: folder.uri, name: folder.name } };
  }),
  roots: folders.map(path => ({ uri: pathToFileURL(path).href, name: basename(path) })),
  waiting: [],
  isRefused: false,
};
const env = serverEnvironment(process.env, {}, process.platform);
const servers = Object.entries(launches).map(([name, { command, args }]) => ({
  definition: userServer(
    name,
    {
      type: 'stdio',
      command,
      args,
      cwd: undefined,
      env: {},
      envFile: undefined,
    },
    defaultTerms,
  ),
  identity: name,
  access,
  isLaunchAllowed: true,
  isRetired: false,
  deaths: new Deaths(),
  startRoots: startRoots(access),
  onDidChange: never,
  target: async () => ({ command, args, cwd: folders[0], env }),
  followClient: ignore,
})) as unknown as readonly Server[];

const records = recordsIn();
for (const server of servers) {
  await records.setAnswer('client', server, true, 'bench');
}

const owner = new ProcessOwner('editor', logger);
const clients = new Clients({
  servers: {
    all: servers,
    onDidChange: never,
  },
  context: {
    owner: () => owner,
    starts: new Limiter({ running: 4 }),
    identities: { refresh: async () => {} },
    accesses: { lookAgain: async () => {}, page: { answered: () => undefined } },
    records,
    onExposure: ignore,
    logger,
  } as unknown as ServerContext,
  editor: 'bench host',
  activity: { add: ignore },
  ask: () => Promise.reject(new Error('The client of the bench is not to be asked about.')),
  text: inEnglish,
});

const folder = windowsFolder(homedir());
const snapshots = new Snapshots(homedir(), 'bench', logger);
const gateway = await GatewaySocket.listen(
  folder,
  connection => void clients.accept(connection, snapshots),
);
const state = { folders, focusedAt: 1, name: 'bench', grants: ['bench'] };
const reach = { socket: gateway.path, nonce: gateway.nonce };
await WindowFile.write(folder, { id: 'bench', state, onDidChange: never }, reach, logger);

process.stdin.on('end', async () => {
  await clients.endAll();
  process.exit();
});
process.stdin.resume();
process.stdout.write('ready\n');
