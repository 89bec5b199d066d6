import { join } from 'node:path';
import { sandboxedStart } from '../../../src/mcp/sandbox/sandboxedStart.ts';
import type { SandboxTool } from '../../../src/mcp/sandbox/sandboxTool.ts';
import type { ProcessStart } from '../../../src/mcp/stdio/serverProcess.ts';
import { sandboxHere } from '../../support/sandbox/bubblewrap.ts';
import { mountedRoot } from '../../support/sandbox/sandboxedServer.ts';
import { writeTree } from '../../support/temp.ts';
import type { Bench, Part } from '../bench.ts';
import { raw } from '../contenders.ts';
import { type Figure, inMilliseconds } from '../figures.ts';
import { type Race, race } from '../race.ts';
import { RawClient } from '../rawClient.ts';
import type { Row } from '../row.ts';
import { against } from '../row.ts';

/** What it costs to keep a server in its folder, in the sandbox of this machine. */
export const sandboxPart: Part = {
  name: 'sandbox',
  async run(bench) {
    const { tool, skip } = { tool: undefined, ...(await sandboxHere()) };
    if (!tool) {
      console.log(`Skipped: ${skip}`);
      return [{ what: 'sandbox (there is none here)', value: undefined, unit: 'ms' }];
    }
    const folder = join(bench.scratch.folder, 'sandbox');
    writeTree(folder, { 'plain/a.txt': 'a', 'git/.git/config': '', 'git/.git/hooks/': '' });
    return [
      await startRow(bench, tool, join(folder, 'plain')),
      // What Git runs by itself is guarded by a second bubblewrap.
      await startRow(bench, tool, join(folder, 'git')),
      await callRow(bench, tool, join(folder, 'plain')),
    ];
  },
};

const [kept, without] = ['ours', 'the same server without'];

async function startRow(bench: Bench, tool: SandboxTool, folder: string): Promise<Row> {
  const side = (name: string, launch: () => Promise<ProcessStart>) => ({
    name,
    sample: async () => {
      const started = performance.now();
      const client = open(bench, await launch());
      const { at } = await client.initialize();
      await client.close();
      return at - started;
    },
  });
  const sides = [
    side(kept, () => sandboxed(tool, folder)),
    side(without, async () => startIn(folder)),
  ];
  const times = await race(sides, { warmUp: 2, rounds: bench.isQuick ? 6 : 30, each: 1 });
  const medianOf = (name: string) => times.percentile(name, 50);
  return {
    what: `start in the sandbox − start without (folder: ${folder.split('/').at(-1)})`,
    against: without,
    ours: figure(times, kept),
    theirs: figure(times, without),
    value: medianOf(kept) - medianOf(without),
    unit: 'ms',
    target: { atMost: 25 },
  };
}

async function callRow(bench: Bench, tool: SandboxTool, folder: string): Promise<Row> {
  const call = raw.read(join(folder, 'a.txt'));
  const side = async (name: string, start: ProcessStart) => {
    const client = open(bench, start);
    await client.initialize();
    const sample = async () => {
      const sent = performance.now();
      const { at } = await client.call(call);
      return at - sent;
    };
    return { name, client, sample };
  };
  const sides = [
    await side(kept, await sandboxed(tool, folder)),
    await side(without, startIn(folder)),
  ];
  const times = await race(sides, { warmUp: 4, rounds: bench.isQuick ? 6 : 60, each: 50 });
  await Promise.all(sides.map(({ client }) => client.close()));
  // What is more than that is no noise.
  return { ...against('calls in the sandbox', times, [kept, without]), target: { atMost: 1.05 } };
}

function figure(times: Race, name: string): Figure {
  return inMilliseconds(times.percentile(name, 50), times.percentile(name, 99));
}

function open({ scratch }: Bench, start: ProcessStart): RawClient {
  const client = new RawClient(start, []);
  scratch.owns(client.process);
  return client;
}

function startIn(cwd: string): ProcessStart {
  return { ...raw.launch, cwd, env: { PATH: '/usr/bin:/bin' } };
}

function sandboxed(tool: SandboxTool, path: string): Promise<ProcessStart> {
  const terms = { read: [], write: [], network: false };
  return sandboxedStart(startIn(path), { terms, roots: [mountedRoot(path)] }, tool);
}
