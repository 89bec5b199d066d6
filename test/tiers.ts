import { nodeTestFlags, testFiles } from './testFiles.ts';

/** A part of `npm test`: a command that is run, and how it says how many tests passed. */
export interface Tier {
  readonly name: string;
  readonly command: readonly [tool: string, ...args: string[]];
  /** `none` for a check that has no tests of its own. */
  readonly counts: 'node' | 'mocha' | 'none';
  /** Tiers that this one waits for, and that must have passed: it works on what they made. */
  readonly needs?: readonly string[];
}

const check: Tier = {
  name: 'types, format, lint',
  command: ['npm', 'run', 'check'],
  counts: 'none',
};
const unit: Tier = { name: 'unit', command: nodeTests(testFiles('unit')), counts: 'node' };

/** What `npm test` runs, in this order. */
export function allTiers(): readonly Tier[] {
  return [
    check,
    { name: 'package', command: ['npm', 'run', 'package'], counts: 'node' },
    unit,
    {
      name: 'protocol',
      command: nodeTests(testFiles('protocol')),
      counts: 'node',
      needs: ['package'],
    },
    {
      name: 'editor',
      command: [process.execPath, 'test/editor/run.ts'],
      counts: 'mocha',
      needs: ['package', 'editors'],
    },
    {
      name: 'npm start',
      command: [process.execPath, 'test/start/start.ts', '--check', '--packaged'],
      counts: 'none',
      needs: ['package', 'editors'],
    },
    {
      name: 'ui',
      // A test here is a whole job in a window, in which much is waited for.
      command: nodeTests(testFiles('ui'), '--test-timeout=600000'),
      counts: 'node',
      needs: ['package', 'editors'],
    },
  ];
}

/** What `npm test -- --quick` runs, which is for before a commit. */
export function quickTiers(): readonly Tier[] {
  const files = testFiles('protocol', Object.keys(tellingTests));
  return [
    check,
    unit,
    { name: 'build', command: ['npm', 'run', 'build'], counts: 'none' },
    { name: 'protocol', command: nodeTests(files), counts: 'node', needs: ['build'] },
  ];
}

/** The few tests with real processes that tell most for their time, and of what. */
const tellingTests = {
  lifecycle: 'a process of a server from its start to its end, with what it started',
  rootsServed: 'which roots a server is given in both eras, and what it is told of changes',
  everyClient: 'every client on every transport: reading, writing, a revocation',
  bundledServerTools: 'each reading tool',
  bundledServerRoots: 'the roots that the bundled server takes from its client',
  hubTools: 'a call through the hub, over both eras',
  httpServersStarts: 'a server over HTTP',
};

function nodeTests(files: readonly string[], ...flags: string[]): Tier['command'] {
  return [process.execPath, ...nodeTestFlags, ...flags, ...files];
}
