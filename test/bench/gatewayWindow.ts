import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { clientNames } from '../../src/domain/gateway/clientNames.ts';
import type { Contender } from './contenders.ts';
import { built, ours, type Product } from './product.ts';
import type { Launch } from './rawClient.ts';
import type { Scratch } from './scratch.ts';

/** What a gateway serves: servers by their names, and the folders that they may see. */
export interface GatewayServers {
  readonly launches: Readonly<Record<string, Launch>>;
  readonly folders: readonly string[];
}

/** A window with a gateway, in a process of its own. */
export interface GatewayWindow {
  /** The same server by way of this window: its client starts the connector. */
  through(server: Contender): Contender;
  close(): Promise<void>;
}

/** Opens a window in a home folder of its own, by the host of that revision. */
export async function openGatewayWindow(
  scratch: Scratch,
  product: Product,
  servers: GatewayServers,
): Promise<GatewayWindow> {
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
    through: server => ({
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

/** The name by which clients know a server. */
function nameOf(label: string): string {
  return clientNames([{ definition: { label } }])[0]?.name ?? '';
}
