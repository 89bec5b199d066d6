import * as esbuild from 'esbuild';

/** Makes the import of another bundle's main module load that bundle's file when it is run. */
function loads(bundle, filter) {
  return {
    name: bundle,
    setup: build => build.onResolve({ filter }, () => ({ path: `./${bundle}.js`, external: true })),
  };
}

// The other form of `jsonc-parser` loads its parts in a way that can't be bundled.
const parserFields = ['module', 'main'];

// Bundles that load each other as built files: the editor part must start without the SDK (it costs
// about 40 ms) and without what is used once in a while; the server runs as a process of its own.
const bundles = [
  {
    entryPoints: { extension: 'src/extension/main.ts' },
    external: ['vscode'],
    plugins: [loads('client', /\/mcp\/main\.ts$/), loads('onDemand', /\/onDemand\.ts$/)],
  },
  { entryPoints: { client: 'src/mcp/main.ts' } },
  {
    entryPoints: { onDemand: 'src/extension/commands/onDemand.ts' },
    external: ['vscode'],
    mainFields: parserFields,
  },
  {
    entryPoints: { server: 'src/server/main.ts' },
    plugins: [loads('hub', /\/hub\/main\.ts$/)],
    // Leaves out a third of the bundle and of its start: a JSON Schema validator that zod makes idle.
    alias: { '@modelcontextprotocol/server/_shims': './src/server/sdkShims.ts' },
    // Before all else, because loading makes most of what is young in memory: collected early
    // instead of piling up, it takes half the memory under a flood, and no more time. What is old
    // gets less room to grow, too: the peak of a flood hung on how busy the machine was.
    banner: {
      js: "require('node:v8').setFlagsFromString('--semi-space-growth-factor=1 --heap-growing-percent=50');",
    },
  },
  {
    entryPoints: { hub: 'src/hub/main.ts' },
    plugins: [loads('client', /\/mcp\/main\.ts$/)],
    mainFields: parserFields,
    // What passes through a hub is young and soon gone. With more room for it, and collected without
    // threads that take the processors from its client and its servers, a call costs a third less;
    // the memory under a flood of 20,000 calls at once is half as much again. What is old has the
    // room again that the server takes from it, or calls that come together cost a seventh more.
    banner: {
      js: "require('node:v8').setFlagsFromString('--semi-space-growth-factor=2 --no-parallel-scavenge --heap-growing-percent=0');",
    },
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
