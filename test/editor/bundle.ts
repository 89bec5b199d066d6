import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import type { SuiteName } from './suites.ts';

const root = join(import.meta.dirname, '..', '..');

/**
 * Bundles the tests of a suite with what runs them, because an extension host takes one CommonJS
 * file and no TypeScript. (`file` is the name of one, without `.test.ts`.) Mocha goes along: the oldest editors cannot load its ES modules.
 */
export async function bundleSuite(suite: SuiteName, file = '*'): Promise<string> {
  const files = globSync(`./${suite}/${file}.test.ts`, { cwd: import.meta.dirname }).sort();
  const requires = files.map(file => `require(${JSON.stringify(`./${file}`)});`);
  const outfile = join(root, '.vscode-test', 'editor-tests', `${suite}.js`);
  await build({
    stdin: {
      contents: `import { runSuite } from './index.ts';
        export const run = () => runSuite(() => { ${requires.join(' ')} });`,
      resolveDir: import.meta.dirname,
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['vscode'],
    logLevel: 'warning',
    // Mocha's own worker files, for its parallel mode, which needs more than one process.
    logOverride: { 'require-resolve-not-external': 'silent' },
    plugins: [ownFolder],
  });
  return outfile;
}

/** Keeps `import.meta.dirname` true for each file, so that tests find what lies beside them. */
const ownFolder: Plugin = {
  name: 'own-folder',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]test[\\/].*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(
        'import.meta.dirname',
        JSON.stringify(dirname(path)),
      ),
      loader: 'ts',
    }));
  },
};
