import type { TestContext } from 'node:test';
import { askUntil } from './askUntil.ts';
import { configOf, type HubServer } from './hubServers.ts';
import { HubWire } from './hubWire.ts';
import { tempFolder, writeTree } from './temp.ts';
import type { Era } from './wire.ts';

/** What the hub lists, as it came. */
export type Listed = { readonly name: string } & Readonly<Record<string, unknown>>;

/** A hub that exposes these servers, and its client, which shares one folder with `a.txt`. */
export async function exposing(
  t: TestContext,
  era: Era,
  servers: Readonly<Record<string, HubServer>>,
): Promise<{ readonly folder: string; readonly hub: HubWire }> {
  const folder = tempFolder(t);
  writeTree(folder, { 'a.txt': 'a' });
  const config = configOf(servers);
  const args = ['--expose', 'tools'];
  return { folder, hub: await HubWire.start(t, { era, config, roots: [folder], args }) };
}

/** The tools that are not of the hub itself; asked for until they fit, where it is said what fits. */
export async function exposedTools(
  hub: HubWire,
  fits: (tools: readonly Listed[]) => boolean = () => true,
): Promise<readonly Listed[]> {
  const ask = async (): Promise<readonly Listed[]> => {
    const { result } = await hub.request('tools/list');
    return result.tools.filter(({ name }: Listed) => name.includes('__'));
  };
  return askUntil(ask, fits);
}
