import { afterReal } from '../../src/base/clock.ts';
import { sandboxHere } from '../../src/hub/upstreams/hubSandbox.ts';
import { Upstreams } from '../../src/hub/upstreams/upstreams.ts';
import { EmptyFolder } from '../../src/hub/upstreams/upstreamTarget.ts';
import { ProcessOwner } from '../../src/mcp/stdio/processOwner.ts';
import { PinnedRoots } from '../../src/server/roots/rootFolders.ts';
import { stdioLaunch } from './launches.ts';
import { thisPlatform } from './systems.ts';
import { hubServer, silentHost } from './upstreams.ts';

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
const logger = { trace() {}, debug() {}, info() {}, warn: note, error: note };
const owner = new ProcessOwner('hub', logger);
const all = new Upstreams(
  silentHost,
  { noteRoots() {} },
  launches.map((launch, index) => hubServer(`s${index}`, stdioLaunch(launch), { autoStart: true })),
  () => Promise.reject(new Error('Nobody answers.')),
  {
    clientInfo: { name: 'test-hub', version: '1' },
    logger,
    after: afterReal,
    observer: { takeEvent: tellWhenReady, takeExposure() {}, takeLine() {} },
    owner,
    emptyFolder: new EmptyFolder(),
    sandbox: sandboxHere(owner),
  },
);
process.stdin.resume();
process.stdin.on('end', () => void all.close('was ended').then(() => owner.dispose()));
const { roots } = new PinnedRoots([{ uri: root }], thisPlatform).folders.scope;
all.setRoots(roots, undefined);

function tellWhenReady(): void {
  const up = [...all.byName.values()].filter(({ state }) => state.kind === 'running');
  if (up.length === running) {
    process.stdout.write('ready\n');
  }
}
