import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
    plugins: [
      loads('client', /\/mcp\/main\.ts$/),
      loads('onDemand', /\/onDemand\.ts$/),
      loads('gateway', /\/gateway\/gateway\.ts$/),
    ],
  },
  {
    entryPoints: { client: 'src/mcp/main.ts' },
    alias: { '@modelcontextprotocol/client/_shims': './src/mcp/clientShims.ts' },
  },
  {
    entryPoints: { onDemand: 'src/extension/commands/onDemand.ts' },
    external: ['vscode'],
    mainFields: parserFields,
  },
  {
    entryPoints: { gateway: 'src/extension/gateway/gateway.ts' },
    external: ['vscode'],
    plugins: [loads('client', /\/mcp\/main\.ts$/)],
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
    plugins: [loads('client', /^\.\/session\.ts$|\/mcp\/main\.ts$/)],
    mainFields: parserFields,
    // What passes through a hub is young and soon gone. With more room for it, and collected without
    // threads that take the processors from its client and its servers, a call costs a third less;
    // the memory under a flood of 20,000 calls at once is half as much again. What is old has the
    // room again that the server takes from it, or calls that come together cost a seventh more.
    banner: {
      js: "require('node:v8').setFlagsFromString('--semi-space-growth-factor=2 --no-parallel-scavenge --heap-growing-percent=0');",
    },
  },
  // What a client starts, alone, once for each server. The code that V8 would optimize there is of
  // little use, and takes 6 MB.
  {
    entryPoints: { connect: 'src/connect/main.ts' },
    banner: { js: "require('node:v8').setFlagsFromString('--no-opt --no-maglev');" },
  },
  // Run in a sandbox, to find out whether it holds.
  { entryPoints: { waysOut: 'src/mcp/sandbox/waysOut/main.ts' } },
];

const options = {
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  outdir: 'dist',
  // The licences are in a file of their own.
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
};

/** By the text of each licence, the packages that are under it. */
const licenses = new Map();

for (const bundle of bundles) {
  if (process.argv.includes('--watch')) {
    const context = await esbuild.context({ ...options, ...bundle });
    await context.watch();
  } else {
    const { metafile } = await esbuild.build({ ...options, ...bundle });
    const inputs = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
    for (const [file] of inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0)) {
      addLicenses(file);
    }
  }
}

if (licenses.size > 0) {
  const sections = [...licenses].map(([text, titles]) => `${[...titles].join('\n')}\n\n${text}\n`);
  const rule = `\n${'-'.repeat(80)}\n\n`;
  const head = 'MCP Roots contains parts of the following packages, under their own licences.\n';
  writeFileSync('dist/LICENSES.txt', [head, ...sections.sort()].join(rule));
}

/** Adds the licence of the package that a file is of, and of each that was put into the file itself. */
function addLicenses(file) {
  const [, folder] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file) ?? [];
  if (!folder) {
    return;
  }
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  addLicense(folder, `${name}@${version}`);
  // The SDK is bundled itself, by a bundler that leaves these marks.
  const inlined =
    /^\/\/#region .*\/\.pnpm\/[^/]+?@(\d[^/_]*)[^/]*\/node_modules\/((?:@[^/]+\/)?[^/]+)/gm;
  for (const [, version, name] of readFileSync(file, 'utf8').matchAll(inlined)) {
    addLicense(join('node_modules', name), `${name}@${version}`);
  }
}

function addLicense(folder, title) {
  const file = readdirSync(folder).find(name => /^licen[cs]e/i.test(name));
  if (file === undefined) {
    throw new Error(`${title} is bundled, and has no licence in ${folder}.`);
  }
  const text = readFileSync(join(folder, file), 'utf8').trim();
  licenses.set(text, (licenses.get(text) ?? new Set()).add(title));
}
