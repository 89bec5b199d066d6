import { nodeTestFlags, testFiles } from './testFiles.ts';

export type Command = readonly [tool: string, ...args: string[]];

/** A part of `npm test`: what is run, and how that says how many tests passed. */
export interface Tier {
  readonly name: string;
  /** What is run for it, side by side. */
  readonly commands: readonly Command[];
  /** `none` for a check that has no tests of its own. */
  readonly counts: 'node' | 'mocha' | 'none';
  /** Tiers that this one waits for, and that must have passed: it works on what they made. */
  readonly needs?: readonly string[];
}

const check: Tier = {
  name: 'types, format, lint',
  commands: [['npm', 'run', 'check']],
  counts: 'none',
};
const unit: Tier = { name: 'unit', commands: nodeTests(testFiles('unit'), 2), counts: 'node' };

/** What `npm test` runs, in this order. */
export function allTiers(): readonly Tier[] {
  return [
    check,
    { name: 'package', commands: [['npm', 'run', 'package']], counts: 'node' },
    unit,
    {
      name: 'protocol',
      // Most of the time of these is that of the processes that they start and wait for.
      commands: nodeTests(testFiles('protocol'), 4),
      counts: 'node',
      needs: ['package'],
    },
    {
      name: 'editor',
      commands: [[process.execPath, 'test/editor/run.ts']],
      counts: 'mocha',
      needs: ['package', 'editors'],
    },
    {
      name: 'npm start',
      commands: [[process.execPath, 'test/start/start.ts', '--check', '--packaged']],
      counts: 'none',
      needs: ['package', 'editors'],
    },
    {
      name: 'ui',
      // A test here is a whole job in a window, in which much is waited for.
      commands: [[process.execPath, ...nodeTestFlags, '--test-timeout=600000', ...testFiles('ui')]],
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
    { name: 'build', commands: [['npm', 'run', 'build']], counts: 'none' },
    { name: 'protocol', commands: nodeTests(files, 2), counts: 'node', needs: ['build'] },
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

/**
 * Runs the files in so many processes, each with its share of them: a process for each file takes
 * half a second of the processor more, which adds up.
 */
function nodeTests(files: readonly string[], processes: number): readonly Command[] {
  return Array.from({ length: processes }, (_, index) => [
    process.execPath,
    ...nodeTestFlags,
    '--test-isolation=none',
    ...files.filter((_file, at) => at % processes === index),
  ]);
}
