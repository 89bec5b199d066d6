import * as esbuild from 'esbuild';

// Three bundles that load each other as built files: the editor part must start without the SDK
// (it costs about 40 ms), and the server runs as a process of its own.
const bundles = [
  { entryPoints: { extension: 'src/extension/main.ts' }, external: ['vscode', './client.js'] },
  { entryPoints: { client: 'src/mcp/main.ts' } },
  { entryPoints: { server: 'src/server/main.ts' }, banner: { js: '#!/usr/bin/env node' } },
];

/** Makes `import('../mcp/main.ts')` in the editor part load `dist/client.js` when it is run. */
const clientBundle = {
  name: 'client-bundle',
  setup(build) {
    build.onResolve({ filter: /\/mcp\/main\.ts$/ }, () => ({
      path: './client.js',
      external: true,
    }));
  },
};

const options = {
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  outdir: 'dist',
  legalComments: 'none',
  logLevel: 'warning',
};

for (const bundle of bundles) {
  const plugins = bundle.external ? [clientBundle] : [];
  if (process.argv.includes('--watch')) {
    const context = await esbuild.context({ ...options, ...bundle, plugins });
    await context.watch();
  } else {
    await esbuild.build({ ...options, ...bundle, plugins });
  }
}
