import { availableParallelism } from 'node:os';

/** A part of `npm test`: a command that is run, and how it says how many tests passed. */
export interface Tier {
  readonly name: string;
  readonly command: readonly [tool: string, ...args: string[]];
  /** `none` for a check that has no tests of its own. */
  readonly counts: 'node' | 'mocha' | 'none';
  /** Tiers that must have passed, because this one works on what they made. */
  readonly needs?: readonly string[];
}

// Node leaves one processor free by itself; these tests wait for processes more than they compute.
const sideBySide = `--test-concurrency=${availableParallelism()}`;
const nodeTests = (...args: string[]): Tier['command'] => [
  process.execPath,
  '--test',
  '--test-reporter=spec',
  '--test-timeout=180000',
  ...args,
];

/**
 * What `npm test` runs, the quickest first. Tiers that stand together run side by side; the others
 * need the machine for themselves, or write what the next one reads.
 */
export const tiers: readonly (readonly Tier[])[] = [
  [
    { name: 'types, format, lint', command: ['npm', 'run', 'check'], counts: 'none' },
    { name: 'unit', command: nodeTests(sideBySide, 'test/unit/**/*.test.ts'), counts: 'node' },
  ],
  [{ name: 'build', command: ['npm', 'run', 'build'], counts: 'none' }],
  [
    {
      name: 'protocol',
      command: nodeTests(sideBySide, 'test/protocol/**/*.test.ts'),
      counts: 'node',
      needs: ['build'],
    },
  ],
  [{ name: 'package', command: ['npm', 'run', 'package'], counts: 'node' }],
  [
    {
      name: 'editor',
      command: [process.execPath, 'test/editor/run.ts'],
      counts: 'mocha',
      needs: ['build', 'editors'],
    },
  ],
  [
    {
      name: 'ui',
      // A test here is a whole job in a window, in which much is waited for.
      command: nodeTests('--test-timeout=600000', 'test/ui/**/*.test.ts'),
      counts: 'node',
      needs: ['package', 'editors'],
    },
  ],
];
