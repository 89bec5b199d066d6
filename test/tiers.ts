import { availableParallelism } from 'node:os';
import { nodeTestFlags, testFiles } from './testFiles.ts';

export type Command = readonly [tool: string, ...args: string[]];

/** A part of `npm test`: its commands, and how they report the number of passed tests. */
export interface Tier {
  readonly name: string;
  /** Its commands, which run side by side. */
  readonly commands: readonly Command[];
  /** `none` for a check without tests. */
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

/** The tiers of `npm test`, in this order. */
export function allTiers(): readonly Tier[] {
  return [
    check,
    { name: 'package', commands: [['npm', 'run', 'package']], counts: 'node' },
    unit,
    {
      name: 'protocol',
      // These spend most of their time waiting for processes.
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
      // A test here is a whole job in a window. It waits a lot: two thirds of the time no processor
      // is busy.
      commands: [
        [
          process.execPath,
          ...nodeTestFlags,
          `--test-concurrency=${availableParallelism() + 1}`,
          '--test-timeout=600000',
          ...testFiles('ui'),
        ],
      ],
      counts: 'node',
      needs: ['package', 'editors'],
    },
  ];
}

/** The tiers of `npm test -- --quick`, for use before a commit. */
export function quickTiers(): readonly Tier[] {
  const files = testFiles('protocol', Object.keys(tellingTests));
  return [
    check,
    unit,
    { name: 'build', commands: [['npm', 'run', 'build']], counts: 'none' },
    { name: 'protocol', commands: nodeTests(files, 2), counts: 'node', needs: ['build'] },
  ];
}

/** The few most useful tests with real processes, and their subjects. */
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
