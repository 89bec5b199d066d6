import { spawnSync } from 'node:child_process';
import { nodeTestEnv, nodeTestFlags, testFiles } from './testFiles.ts';

// `npm run test:unit -- grants`: the tests of one folder, or of those files that a word names. What
// begins with a dash goes on to Node's test runner.

const [folder = '', ...args] = process.argv.slice(2);
const flags = args.filter(arg => arg.startsWith('-'));
const words = args.filter(arg => !arg.startsWith('-'));
const { status } = spawnSync(
  process.execPath,
  [...nodeTestFlags, ...flags, ...testFiles(folder, words)],
  { stdio: 'inherit', env: nodeTestEnv },
);
process.exitCode = status ?? 1;
