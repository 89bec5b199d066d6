import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { clientNames } from '../../src/domain/gateway/clientNames.ts';
import type { Contender } from './contenders.ts';
import { built, ours, type Product } from './product.ts';
import type { Launch } from './rawClient.ts';
import type { Scratch } from './scratch.ts';

/** The servers of a gateway by their names, with their visible folders. */
export interface WindowServers {
  readonly launches: Readonly<Record<string, Launch>>;
  readonly folders: readonly string[];
}

/** Opens a window in a new home folder, with the host of that revision. */
export async function openGatewayWindow(
  scratch: Scratch,
  product: Product,
  servers: WindowServers,
) {
  const home = mkdtempSync(join(scratch.folder, 'home-'));
  const { MCP_ROOTS_WINDOW: _, ...outside } = process.env as Record<string, string>;
  const env = { ...outside, HOME: home, USERPROFILE: home };
  const program = join(product.folder, 'test', 'bench', 'gatewayHost.ts');
  const host = spawn(process.execPath, [program, JSON.stringify(servers)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env,
  });
  scratch.owns(host);
  await once(host.stdout, 'data');
  const connect = built(product, 'connect.js');
  return {
    /** The same server by way of this window: its client starts the connector. */
    through: (server: Contender): Contender => ({
      ...server,
      name: product.name,
      role: product === ours ? undefined : 'before',
      launch: {
        command: process.execPath,
        args: [connect, '--server', nameOf(server.name)],
        cwd: servers.folders[0] ?? home,
        env,
      },
    }),
    async close() {
      const gone = once(host, 'exit');
      host.stdin.end();
      await gone;
    },
  };
}

/** The name that clients use for a server. */
function nameOf(label: string): string {
  return clientNames([{ definition: { label } }])[0]?.name ?? '';
}
