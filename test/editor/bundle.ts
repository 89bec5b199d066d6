import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, type Plugin } from 'esbuild';

const root = join(import.meta.dirname, '..', '..');

/**
 * Bundles tests of a suite with what runs them, because an extension host takes one CommonJS file and
 * no TypeScript. Mocha goes along: the oldest editors cannot load its ES modules.
 *
 * @param name of the bundle.
 * @param files from the top of the project.
 */
export async function bundleSuite(name: string, files: readonly string[]): Promise<string> {
  const requires = files.map(file => `require(${JSON.stringify(join(root, file))});`);
  const outfile = join(root, '.vscode-test', 'editor-tests', `${name}.js`);
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
    // As in the build: the other form of `jsonc-parser` can't be bundled.
    mainFields: ['module', 'main'],
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
