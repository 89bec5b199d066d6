import { homedir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { node } from './recorder.ts';

/** The built connector. */
export const connectMain = join(import.meta.dirname, '..', '..', '..', 'dist', 'connect.js');

/** A client outside of the editor, behind the connector, with the home of the editor. */
export async function connectClient(name: string, server: string, cwd: string): Promise<Client> {
  const client = new Client({ name, version: '1' }, { versionNegotiation: { mode: 'legacy' } });
  const env = { HOME: homedir(), USERPROFILE: homedir(), PATH: process.env['PATH'] ?? '' };
  const args = [connectMain, '--server', server];
  await client.connect(new StdioClientTransport({ command: node, args, cwd, env }));
  return client;
}
