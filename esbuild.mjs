import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { fileSchemas } from './src/build/schemas.ts';

/** Makes the import of another bundle's main module load that bundle's file when it is run. */
function loads(bundle, filter) {
  const file = { path: `./${bundle}.js`, external: true };
  return {
    name: bundle,
    setup: build => {
      build.onResolve({ filter }, ({ kind }) => (kind === 'dynamic-import' ? file : undefined));
    },
  };
}

// What runs in the tabs of the editor.
const browser = { platform: 'browser', format: 'esm', target: 'es2023' };

// The other form of `jsonc-parser` loads its parts in a way that can't be bundled.
const parserFields = ['module', 'main'];

const withSdk = {
  alias: {
    // A program about trust holds no compiler that makes code (`new Function`) of a server's schemas.
    '@modelcontextprotocol/client/_shims': './src/base/sdkShims.ts',
    '@modelcontextprotocol/server/_shims': './src/base/sdkShims.ts',
  },
  // For ways to sign in that nobody here has.
  external: ['jose'],
  mainFields: parserFields,
};

// Bundles that load each other as built files: the editor part must start without the SDK (it costs
// about 40 ms), and the server runs as a process of its own.
const bundles = [
  {
    entryPoints: { extension: 'src/extension/main.ts' },
    external: ['vscode'],
    plugins: [loads('client', /\/mcp\/main\.ts$/)],
    mainFields: parserFields,
  },
  { entryPoints: { client: 'src/mcp/main.ts' }, ...withSdk },
  { entryPoints: { hub: 'src/hub/main.ts' }, ...withSdk },
  {
    entryPoints: { server: 'src/server/main.ts' },
    ...withSdk,
    plugins: [loads('hub', /\/hub\/main\.ts$/)],
  },
  // What a client starts, once for each server.
  { entryPoints: { connect: 'src/connect/main.ts' } },
  // Run in a sandbox, to find out whether it holds.
  { entryPoints: { waysOut: 'src/mcp/sandbox/waysOut/main.ts' } },
  {
    ...browser,
    entryPoints: {
      access: 'src/pages/access/main.ts',
      toolCall: 'src/pages/toolCall/main.ts',
    },
    outdir: 'dist/pages',
  },
];

// With `--debug`, breakpoints in the sources work.
const isDebug = process.argv.includes('--debug');

const asCommonJs = {
  minify: !isDebug,
  sourcemap: isDebug,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  // The licences are in a file of their own.
  legalComments: 'none',
};

const options = {
  ...asCommonJs,
  bundle: true,
  outdir: 'dist',
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

mkdirSync('dist', { recursive: true });
for (const [name, schema] of Object.entries(fileSchemas())) {
  writeFileSync(join('dist', name), JSON.stringify(schema));
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
