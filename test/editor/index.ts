import Mocha from 'mocha';
import { patience } from '../support/patience.ts';
import { formatSummary } from './summary.ts';

/** A test waits several times; a wait must fail with its reason before the test times out. */
const timeout = 5 * patience;

/**
 * Runs the tests that `load` defines, inside the extension host, and prints a line with the counts.
 *
 * @throws when a test fails, or without any test.
 */
export async function runSuite(load: () => void): Promise<void> {
  const mocha = new Mocha({ ui: 'bdd', timeout, forbidOnly: Boolean(process.env['CI']) });
  // Mocha gives `describe` and `it` to the files it loads itself; these come in one bundle.
  mocha.suite.emit('pre-require', globalThis, '', mocha);
  load();

  const { passes, failures, pending } = await run(mocha);
  console.log(formatSummary({ passed: passes, failed: failures, skipped: pending }));
  if (failures > 0 || passes === 0) {
    throw new Error(failures > 0 ? `${failures} tests failed.` : 'No test ran.');
  }
}

function run(mocha: Mocha): Promise<Mocha.Stats> {
  return new Promise(resolve => {
    const runner = mocha.run(() => resolve(runner.stats as Mocha.Stats));
  });
}
