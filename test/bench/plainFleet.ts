import type { ProcessStart } from '../../src/mcp/stdio/serverProcess.ts';
import type { Fleet } from './fleet.ts';
import { RawClient } from './rawClient.ts';

/** The least that a process of Node can do to run servers: what it takes is the machine's. */
export class PlainFleet implements Fleet {
  private clients: readonly RawClient[] = [];

  async start(servers: readonly ProcessStart[]): Promise<void> {
    this.clients = servers.map(server => new RawClient(server, ['file:///proj/folder-0']));
    const served = this.clients.map(client => client.serveRoots());
    await Promise.all(this.clients.map(client => client.initialize()));
    await Promise.all(served);
  }

  async openFolder(): Promise<void> {
    const roots = ['file:///proj/folder-0', 'file:///proj/folder-1'];
    await Promise.all(this.clients.map(client => client.changeRoots(roots)));
  }

  async stop(): Promise<void> {
    await Promise.all(this.clients.map(client => client.close()));
  }
}
