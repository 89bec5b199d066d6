import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { nodeTestEnv, nodeTestFlags, testFiles } from './testFiles.ts';

// `npm run test:soak`: the tests with an effort as their size, ten times as large as in `npm test`.

const files = ['unit', 'protocol', 'ui']
  .flatMap(folder => testFiles(folder))
  .filter(path => readFileSync(path, 'utf8').includes('support/effort.ts'));
const { status } = spawnSync(
  process.execPath,
  [...nodeTestFlags, '--test-timeout=1800000', ...files],
  { stdio: 'inherit', env: { TEST_EFFORT: '10', ...nodeTestEnv } },
);
process.exitCode = status ?? 1;
