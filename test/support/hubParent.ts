import type { PathPlatform } from '../../src/domain/paths/pathNames.ts';
import { afterReal } from '../../src/server/after.ts';
import { ChildSets } from '../../src/server/hub/children/childSets.ts';
import { loadClient } from '../../src/server/hub/children/clientBundle.ts';
import { prepareRootFolders } from '../../src/server/roots/rootFolders.ts';
import { hubServer, nobody } from './childSets.ts';
import { stdioLaunch } from './launches.ts';

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
const sets = new ChildSets({
  loadClient,
  clientInfo: { name: 'test-hub', version: '1' },
  logger: { trace() {}, debug() {}, info() {}, warn: note, error: note },
  after: afterReal,
  onChild() {
    const up = [...(tenant.current?.children.values() ?? [])].filter(
      ({ state }) => state.kind === 'running',
    );
    if (up.length === running) {
      process.stdout.write('ready\n');
    }
  },
});
const tenant = sets.tenant(nobody);
sets.setServers(
  launches.map((launch, index) => hubServer(`s${index}`, stdioLaunch(launch), { autoStart: true })),
);
process.stdin.resume();
process.stdin.on('end', () => void sets.close());
tenant.use(prepareRootFolders([{ uri: root }], process.platform as PathPlatform).scope.roots);
