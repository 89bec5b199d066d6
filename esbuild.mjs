import * as esbuild from 'esbuild';

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

// Three bundles that load each other as built files: the editor part must start without the SDK
// (it costs about 40 ms), and the server runs as a process of its own.
const bundles = [
  {
    entryPoints: { extension: 'src/extension/main.ts' },
    external: ['vscode', './client.js'],
    plugins: [clientBundle],
  },
  { entryPoints: { client: 'src/mcp/main.ts' } },
  {
    entryPoints: { server: 'src/server/main.ts' },
    // Leaves out a third of the bundle and of its start: a JSON Schema validator that zod makes idle.
    alias: { '@modelcontextprotocol/server/_shims': './src/server/sdkShims.ts' },
    // Before all else, because loading makes most of what is young in memory: collected early
    // instead of piling up, it takes half the memory under a flood, and no more time.
    banner: { js: "require('node:v8').setFlagsFromString('--semi-space-growth-factor=1');" },
  },
];

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
  if (process.argv.includes('--watch')) {
    const context = await esbuild.context({ ...options, ...bundle });
    await context.watch();
  } else {
    await esbuild.build({ ...options, ...bundle });
  }
}
