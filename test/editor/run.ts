import { parseArgs } from 'node:util';
import type { VsCodeRelease } from '../vscode/releases.ts';
import { bundleSuite } from './bundle.ts';
import { runSuiteIn } from './runSuiteIn.ts';
import { type SuiteName, suites } from './suites.ts';

// `node test/editor/run.ts [--only newest|floor] [--suite <name>] [--file <name>] [--desktop]` runs every suite in
// the newest VS Code and in the oldest one supported. They come from npm; with `--desktop`, and
// always on Windows, where the launcher cannot be started, from VS Code's own site.

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    suite: { type: 'string' },
    file: { type: 'string', default: '*' },
    desktop: { type: 'boolean', default: process.platform === 'win32' },
  },
});

const releases = pick(['newest', 'floor'] as const, values.only);
const names = pick(Object.keys(suites) as SuiteName[], values.suite);
const bundles = new Map<SuiteName, string>();
for (const name of names) {
  bundles.set(name, await bundleSuite(name, values.file));
}

if (values.desktop) {
  // Desktop windows would take the focus from each other.
  for (const release of releases) {
    await runRelease(release);
  }
} else {
  await Promise.all(releases.map(runRelease));
}

async function runRelease(release: VsCodeRelease): Promise<void> {
  for (const [suite, bundle] of bundles) {
    const title = `${suite}, ${release} VS Code`;
    if (values.desktop && suites[suite].asksForTrust) {
      console.log(`\n=== ${title}: left out, @vscode/test-electron always trusts a desktop window`);
      continue;
    }
    const { passed, output } = await runSuiteIn({
      suite,
      bundle,
      release,
      isDesktop: values.desktop,
    });
    console.log(`\n=== ${title}: ${passed ? 'passed' : 'FAILED'}\n${output}`);
    process.exitCode ||= passed ? 0 : 1;
  }
}

function pick<T extends string>(all: readonly T[], wanted: string | undefined): readonly T[] {
  const picked = all.filter(name => wanted === undefined || name === wanted);
  if (picked.length === 0) {
    console.error(`There is no "${wanted}"; choose one of: ${all.join(', ')}.`);
    process.exit(1);
  }
  return picked;
}
