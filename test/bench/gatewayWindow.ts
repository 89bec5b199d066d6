import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Bench } from './bench.ts';
import type { Launch } from './rawClient.ts';

/** What a gateway serves: servers by their names, and the folders that they may see. */
export interface GatewayServers {
  readonly launches: Readonly<Record<string, Launch>>;
  readonly folders: readonly string[];
}

/** A window with a gateway, in a process of its own. */
export interface GatewayWindow {
  /** How a client starts the connector to a server there. */
  connector(server: string): Launch;
  close(): Promise<void>;
}

/** Opens a window in a home folder of its own. */
export async function openGatewayWindow(
  { scratch, server }: Bench,
  servers: GatewayServers,
): Promise<GatewayWindow> {
  const home = join(scratch.folder, 'home');
  mkdirSync(home, { recursive: true });
  const { MCP_ROOTS_WINDOW: _, ...outside } = process.env as Record<string, string>;
  const env = { ...outside, HOME: home, USERPROFILE: home };
  const program = join(import.meta.dirname, 'gatewayHost.ts');
  const host = spawn(process.execPath, [program, JSON.stringify(servers)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env,
  });
  scratch.owns(host);
  await once(host.stdout, 'data');
  const connect = join(dirname(server), 'connect.js');
  return {
    connector: name => ({
      command: process.execPath,
      args: [connect, '--server', name],
      cwd: servers.folders[0] ?? home,
      env,
    }),
    async close() {
      const gone = once(host, 'exit');
      host.stdin.end();
      await gone;
    },
  };
}
