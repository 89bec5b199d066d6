import { readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as esbuild from 'esbuild';

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

/**
 * Makes CommonJS of bundles that share files, which can be split only as modules: it starts sooner. What
 * several have in common is named after them (`client-server.js`).
 */
function sharing(banners) {
  return {
    name: 'sharing',
    setup: build => {
      Object.assign(build.initialOptions, { format: 'esm', splitting: true, write: false });
      build.onEnd(async ({ outputFiles = [], metafile }) => {
        const names = sharedNames(metafile);
        for (const { path, text } of outputFiles) {
          const name = names.get(basename(path)) ?? basename(path);
          const banner = banners[name] ?? '';
          const { code } = await esbuild.transform(text, { ...asCommonJs, banner });
          const renamed = [...names].reduce((all, [from, to]) => all.replaceAll(from, to), code);
          writeFileSync(join(dirname(path), name), renamed);
        }
      });
    },
  };
}

/** By the name that a shared file has from its content, one from the bundles that need it. */
function sharedNames({ outputs }) {
  const users = new Map();
  for (const [file, { entryPoint }] of Object.entries(outputs)) {
    if (entryPoint) {
      visit(file, basename(file, '.js'));
    }
  }
  return new Map([...users].map(([file, names]) => [file, `${[...names].sort().join('-')}.js`]));

  function visit(file, user) {
    for (const { path, kind } of outputs[file]?.imports ?? []) {
      if (kind === 'import-statement' && path in outputs) {
        users.set(basename(path), (users.get(basename(path)) ?? new Set()).add(user));
        visit(path, user);
      }
    }
  }
}

/** Makes the import of a module with `?worker` the text of its bundle, which a page starts a worker from. */
const workers = {
  name: 'workers',
  setup: build => {
    build.onResolve({ filter: /\?worker$/ }, ({ path, resolveDir }) => {
      return { path: join(resolveDir, path.replace('?worker', '')), namespace: 'worker' };
    });
    build.onLoad({ filter: /.*/, namespace: 'worker' }, async ({ path }) => {
      const { outputFiles, metafile } = await esbuild.build({
        ...options,
        ...browser,
        entryPoints: [path],
        write: false,
      });
      Object.keys(metafile.inputs).forEach(addLicenses);
      return { contents: `export const text = ${JSON.stringify(outputFiles[0].text)};` };
    });
  },
};

/** Leaves out the icons that a button of the library may have: no page has any, nor the font for them. */
const withoutIcons = {
  name: 'withoutIcons',
  setup: build => {
    build.onLoad({ filter: /vscode-icon[\\/]index\.js$/ }, () => ({ contents: '' }));
  },
};

/**
 * Builds each schema of the SDK when it is first used. By itself, the SDK builds those of its own types
 * while it is loaded, and those of a protocol revision with the first message: hundreds, of which a
 * session uses a few. In its modules, the name of a schema becomes a function that answers it.
 */
const schemasWhenUsed = {
  name: 'schemasWhenUsed',
  setup: build => {
    const filter = /@modelcontextprotocol[\\/]\w+[\\/]dist[\\/][\w-]+\.mjs$/;
    build.onLoad({ filter }, async ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const contents = await withSchemasWhenUsed(text, typesAskedFor(dirname(path)));
      if (/[\\/](?:schemas|src)-/.test(path) && !contents.includes('whenUsed(() =>')) {
        throw new Error(`${path} has no schemas as they were known: the SDK is another one.`);
      }
      return { contents };
    });
  },
};

/** The text of a module of the SDK, changed in that way; of the lists of all types, those types remain. */
export async function withSchemasWhenUsed(text, types) {
  // Formatted anew, a statement goes on as long as lines are indented more, or close a bracket.
  const { code } = await esbuild.transform(text, { legalComments: 'none' });
  // What is imported and exported keeps its name: every other part.
  const parts = withoutTypeLists(code, types).split(/(^(?:import|export) \{.+?;$)/ms);
  const changed = parts.map((part, index) => (index % 2 === 0 ? builtWhenUsed(part) : part));
  return changed.join('') + builders;
}

const builders = `
function whenUsed(build) {
  let built;
  return () => (built ??= build());
}
function kept(object, name, value) {
  Object.defineProperty(object, name, { value });
  return value;
}
`;

// The last three are computed from schemas, where they stand.
const schemaName = String.raw`(?:[A-Z]\w*Schema(?:\$\d+)?|PROPERTY_KEYS_BY_TYPE|ROOT_KEYS|SUPPORTED_STRING_FORMATS)`;

/**
 * The code with each `const XSchema = …` a function that builds it once, and each use of the name a call.
 * What lists schemas, in the builders of a revision and its maps by method, has getters for them.
 */
function builtWhenUsed(code) {
  const listed = (_, indent, name, value = name) =>
    `${indent}get ${name}() { return kept(this, "${name.replaceAll('"', '')}", ${value}); },`;
  return code
    .replace(/^function build(?:\$\d+)?\(\) \{.+?^\}/gms, builder =>
      builder.replace(/^ {2}(?:return|const \w+Schemas\w* =) \{\n.+?^ {2}\};/gms, list =>
        list.replace(/^( {4})("?[\w/]+"?)(?:: (.+?))?,?$(?=\n {4}["\w]|\n {2}\})/gms, listed),
      ),
    )
    .replace(/^( +)("?[\w/]+"?): (s\.\w+Schema),?$/gm, listed)
    .replace(
      new RegExp(String.raw`^( *)const (${schemaName}) = (.+?);$(?!\n\1[\s}\])])`, 'gms'),
      '$1const $2 = /* @__PURE__ */ whenUsed(() => ($3));',
    )
    .replace(
      new RegExp(String.raw`(?<![\w$"']|(?<!\.\.)\.|const )${schemaName}(?![\w$("']|: )`, 'g'),
      '$&()',
    );
}

/** Leaves out the lists of all types by name, but for those that the SDK asks for itself. */
function withoutTypeLists(code, types) {
  const lists =
    /^const authSchemas = [^;]+;$|^for \(const key of SPEC_SCHEMA_KEYS\) .+\nfor \(.+authSchemas.+$/gm;
  return code.replace(lists, list =>
    list.startsWith('const')
      ? ''
      : types.map(type => `register("${type}Schema", ${type}Schema);`).join('\n'),
  );
}

/** The types that the modules in a folder ask for by name, outside of comments. */
function typesAskedFor(folder) {
  const modules = readdirSync(folder).filter(name => name.endsWith('.mjs'));
  const texts = modules.map(name => readFileSync(join(folder, name), 'utf8')).join('\n');
  const asked = texts.matchAll(/^(?!\s*\*).*\b(?:isSpecType|specTypeSchemas)\.(\w+)/gm);
  return [...new Set([...asked].map(([, type]) => type))];
}

/** Has Node load those of its own modules that it does not start with when they are first used. */
const builtinsWhenUsed = {
  name: 'builtinsWhenUsed',
  setup: build => {
    const filter = /^node:(?:child_process|crypto|http|worker_threads)$/;
    build.onResolve({ filter }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'builtin' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, async ({ path }) => {
      const names = Object.keys(await import(path)).filter(name => name !== 'default');
      const getters = names.map(name => `get ${name}() { return require('${path}').${name}; }`);
      return { contents: `module.exports = { ${getters.join(', ')} };` };
    });
  },
};

// What runs in the tabs of the editor.
const browser = { platform: 'browser', format: 'esm', target: 'es2023' };

// The other form of `jsonc-parser` loads its parts in a way that can't be bundled.
const parserFields = ['module', 'main'];

const memoryFlags = {
  // Before all else, because loading makes most of what is young in memory: collected early
  // instead of piling up, it takes half the memory under a flood, and no more time. What is old
  // gets less room to grow, too: the peak of a flood hung on how busy the machine was.
  'server.js':
    "require('node:v8').setFlagsFromString('--semi-space-growth-factor=1 --heap-growing-percent=50');",
  // What passes through a hub is young and soon gone. With more room for it, and collected without
  // threads that take the processors from its client and its servers, a call costs a third less;
  // the memory under a flood of 20,000 calls at once is half as much again. What is old has the
  // room again that the server takes from it, or calls that come together cost a seventh more.
  'hub.js':
    "require('node:v8').setFlagsFromString('--semi-space-growth-factor=2 --no-parallel-scavenge --heap-growing-percent=0');",
};

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
    entryPoints: { onDemand: 'src/extension/commands/onDemand.ts' },
    external: ['vscode'],
    plugins: [loads('client', /\/mcp\/main\.ts$/)],
    mainFields: parserFields,
  },
  {
    entryPoints: { gateway: 'src/extension/gateway/gateway.ts' },
    external: ['vscode'],
    plugins: [loads('client', /\/mcp\/main\.ts$/)],
  },
  {
    entryPoints: {
      client: 'src/mcp/main.ts',
      hub: 'src/hub/main.ts',
      server: 'src/server/main.ts',
    },
    plugins: [
      loads('client', /^\.\/session\.ts$|\/mcp\/main\.ts$/),
      loads('hub', /\/hub\/main\.ts$/),
      sharing(memoryFlags),
      schemasWhenUsed,
      builtinsWhenUsed,
    ],
    alias: {
      '@modelcontextprotocol/client/_shims': './src/mcp/clientShims.ts',
      // Leaves out a third of the bundle and of its start: a JSON Schema validator that zod makes idle.
      '@modelcontextprotocol/server/_shims': './src/server/sdkShims.ts',
    },
    // For ways to sign in that nobody here has.
    external: ['jose'],
    mainFields: parserFields,
  },
  // What a client starts, alone, once for each server. The code that V8 would optimize there is of
  // little use, and takes 6 MB; what it uses once, it only gives back when it is told to.
  {
    entryPoints: { connect: 'src/connect/main.ts' },
    banner: { js: "require('node:v8').setFlagsFromString('--no-opt --no-maglev --expose-gc');" },
  },
  // Run in a sandbox, to find out whether it holds.
  { entryPoints: { waysOut: 'src/mcp/sandbox/waysOut/main.ts' } },
  // What several pages use is in a file that they share.
  {
    ...browser,
    entryPoints: {
      access: 'src/pages/access/main.ts',
      toolCall: 'src/pages/toolCall/main.ts',
    },
    outdir: 'dist/pages',
    splitting: true,
    chunkNames: 'shared',
    plugins: [workers, withoutIcons],
  },
];

const asCommonJs = {
  minify: true,
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

if (realpathSync(process.argv[1]) === import.meta.filename) {
  await buildAll();
}

async function buildAll() {
  for (const bundle of bundles) {
    if (process.argv.includes('--watch')) {
      const context = await esbuild.context({ ...options, ...bundle });
      await context.watch();
    } else {
      const { metafile } = await esbuild.build({ ...options, ...bundle });
      const inputs = Object.values(metafile.outputs).flatMap(({ inputs }) =>
        Object.entries(inputs),
      );
      for (const [file] of inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0)) {
        addLicenses(file);
      }
    }
  }
  if (licenses.size > 0) {
    const sections = [...licenses].map(
      ([text, titles]) => `${[...titles].join('\n')}\n\n${text}\n`,
    );
    const rule = `\n${'-'.repeat(80)}\n\n`;
    const head = 'MCP Roots contains parts of the following packages, under their own licences.\n';
    writeFileSync('dist/LICENSES.txt', [head, ...sections.sort()].join(rule));
  }
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
