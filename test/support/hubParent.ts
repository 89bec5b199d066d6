import { afterReal } from '../../src/base/clock.ts';
import type { PathPlatform } from '../../src/domain/paths/pathNames.ts';
import { PoolClient } from '../../src/hub/upstreams/poolClient.ts';
import { UpstreamPool } from '../../src/hub/upstreams/upstreamPool.ts';
import { prepareRootFolders } from '../../src/server/roots/rootFolders.ts';
import { stdioLaunch } from './launches.ts';
import { hubServer } from './upstreamPools.ts';

// A program that has children as the hub has them, and nothing else. Its argument is JSON: how they
// are started. It writes a line when those of them run that can, and ends them at the end of its input.

interface Start {
  readonly root: string;
  readonly launches: readonly { readonly command: string; readonly args: readonly string[] }[];
  /** How many of them run sooner or later; the others are stuck in their start. */
  readonly running: number;
}

const { root, launches, running }: Start = JSON.parse(process.argv[2] ?? '{}');
const note = (message: string | Error) => void process.stderr.write(`${message}\n`);
const pool = new UpstreamPool({
  clientInfo: { name: 'test-hub', version: '1' },
  logger: { trace() {}, debug() {}, info() {}, warn: note, error: note },
  after: afterReal,
  observer: { takeEvent: tellWhenReady, takeExposure() {}, takeLine() {} },
});
const only = new PoolClient(pool, 'one');
pool.setServers(
  launches.map((launch, index) => hubServer(`s${index}`, stdioLaunch(launch), { autoStart: true })),
);
process.stdin.resume();
process.stdin.on('end', () => void pool.close());
const { roots } = prepareRootFolders([{ uri: root }], process.platform as PathPlatform).scope;
only.use({ kind: 'session', roots, capabilities: {} });

function tellWhenReady(): void {
  const up = [...(only.current?.upstreams.values() ?? [])].filter(
    ({ state }) => state.kind === 'running',
  );
  if (up.length === running) {
    process.stdout.write('ready\n');
  }
}
