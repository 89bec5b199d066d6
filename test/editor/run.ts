import { parseArgs } from 'node:util';
import { testFiles } from '../testFiles.ts';
import type { VsCodeRelease } from '../vscode/releases.ts';
import { bundleSuite } from './bundle.ts';
import { runSuiteIn } from './runSuiteIn.ts';
import { floorTests, type SuiteName, suites } from './suites.ts';

// `node test/editor/run.ts [--only newest|floor] [--suite <name>] [--desktop] [words]` runs every
// suite, or the files that a word names, in the newest VS Code, and in the oldest one supported those
// of `floorTests`, or the files that a word names. The editors come from npm; with `--desktop`, and
// always on Windows, where the launcher cannot be started, from VS Code's own site.

interface TestWindow {
  readonly release: VsCodeRelease;
  readonly suite: SuiteName;
  readonly title: string;
  readonly bundle: string;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    suite: { type: 'string' },
    file: { type: 'string', multiple: true, default: [] },
    desktop: { type: 'boolean', default: process.platform === 'win32' },
  },
});

const releases = pick(['newest', 'floor'] as const, values.only);
const names = pick(Object.keys(suites) as SuiteName[], values.suite);
const words = [...positionals, ...values.file];
const files = testFiles(`editor/${values.suite ?? ''}`, words);

const windows = (await Promise.all(releases.map(windowsOf))).flat();
// Two windows keep two processors busy; more would not be faster. Desktop windows would take the
// focus from each other.
const lanes = values.desktop ? 1 : 2;
await Promise.all(Array.from({ length: lanes }, () => openInTurn(windows)));

/** The windows to open in a release, each with the bundle of its tests. */
async function windowsOf(release: VsCodeRelease): Promise<TestWindow[]> {
  const isLess = release === 'floor' && words.length === 0;
  const isRun = (file: string) =>
    !isLess || floorTests.has(file.slice('test/editor/'.length, -'.test.ts'.length));
  const windows: TestWindow[] = [];
  for (const suite of names) {
    const own = files.filter(file => file.startsWith(`test/editor/${suite}/`) && isRun(file));
    const parts = partsOf(own);
    for (const [index, part] of parts.entries()) {
      const title = parts.length > 1 ? `${suite} ${index + 1} of ${parts.length}` : suite;
      const bundle = await bundleSuite(`${title} ${release}`.replaceAll(' ', '-'), part);
      windows.push({ release, suite, title, bundle });
    }
  }
  return windows;
}

/** A suite of many files runs in three windows. */
function partsOf(files: readonly string[]): readonly (readonly string[])[] {
  const count = files.length > 10 && !values.desktop ? 3 : 1;
  return Array.from({ length: count }, (_, part) =>
    files.filter((_file, index) => index % count === part),
  ).filter(part => part.length > 0);
}

/** Runs the windows that are left, one after another. */
async function openInTurn(left: TestWindow[]): Promise<void> {
  for (let window = left.shift(); window !== undefined; window = left.shift()) {
    const { release, suite, bundle } = window;
    const title = `${window.title}, ${release} VS Code`;
    if (values.desktop && suites[suite].asksForTrust) {
      console.log(`\n=== ${title}: left out, @vscode/test-electron always trusts a desktop window`);
      continue;
    }
    const isDesktop = values.desktop;
    const { passed, output } = await runSuiteIn({ suite, bundle, release, isDesktop });
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
