import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { ManagedServer } from '../../../src/mcp/life/managedServer.ts';
import { ServerConnection } from '../../../src/mcp/link/connection.ts';
import { ProcessOwner } from '../../../src/mcp/process/stdio/processOwner.ts';
import { Sandbox } from '../../../src/mcp/sandbox/sandbox.ts';
import { ownAttacker } from '../../../src/mcp/sandbox/waysOut/probe.ts';
import { stdioLaunch } from '../launches.ts';

// A program that tries the sandbox of this machine and then has a server in it, as a window has. Its
// argument is JSON. It writes a line when the server runs, and stops it at the end of its input.

interface Start {
  readonly root: string;
  readonly launch?: { readonly command: string; readonly args: readonly string[] };
  readonly read: readonly string[];
}

const {
  root,
  launch = { command: '/bin/cat', args: [] },
  read,
}: Start = JSON.parse(process.argv[2] ?? '{}');
const { dev, ino } = lstatSync(root, { bigint: true });
const roots = [{ uri: `file://${root}`, name: 'root', path: root, place: `${dev}:${ino}` }];
const owner = new ProcessOwner('editor', console);
const attacker = ownAttacker(join(import.meta.dirname, '../../../dist'));
// Where nothing can be kept, each of these programs tries the sandbox.
const sandbox = new Sandbox(attacker, '/dev/null/none', owner);
const server = new ManagedServer(
  { id: 'a', label: 'a', launch: stdioLaunch(launch), rootsAs: ['roots'], protocol: 'auto' },
  roots,
  {
    ready: async () => {},
    target: request =>
      sandbox.start(
        { ...launch, cwd: root, env: { PATH: '/usr/bin:/bin' } },
        { ...request, terms: { read, write: [], network: false }, identity: 'a' },
      ),
    admit: start => start(),
    lookAgain: () => undefined,
    logger: { error: () => {} },
  },
  new ServerConnection({ clientInfo: { name: 'test-client', version: '1' }, owner }),
);
process.stdin.resume();
process.stdin.on('end', async () => {
  await server.stop();
  server.dispose();
  owner.dispose();
});
const { kind } = await server.start('by-itself');
process.stdout.write(`${kind}\n`);
