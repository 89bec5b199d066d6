import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { test } from 'node:test';
import { type SourceFile, violations } from './layerRules.ts';

const project = join(import.meta.dirname, '..', '..');

function sources(): SourceFile[] {
  return readdirSync(join(project, 'src'), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name.endsWith('.ts'))
    .map(({ parentPath, name }) => join(parentPath, name))
    .map(file => ({
      path: relative(project, file).split(sep).join('/'),
      text: readFileSync(file, 'utf8'),
    }));
}

/** What is wrong with one file of this text. */
function wrong(path: string, text: string): string[] {
  return violations([{ path, text }]).map(violation => violation.slice(path.length + 2));
}

test('the sources keep to the layers', () => {
  const files = sources();
  assert.deepEqual(violations(files), []);
  // A check of nothing would pass, too.
  const seen = new Set(files.map(({ path }) => path.split('/')[1]));
  assert.deepEqual([...seen].sort(), ['base', 'domain', 'extension', 'mcp', 'server']);
});

test('a layer imports only the layers below it', () => {
  const imports = (path: string, from: string) => wrong(path, `import { x } from '${from}';\n`);
  assert.deepEqual(
    {
      'base → domain': imports('src/base/a.ts', '../domain/roots.ts'),
      'domain → mcp': imports('src/domain/a.ts', '../mcp/session.ts'),
      'mcp → extension': imports('src/mcp/a.ts', '../extension/ids.ts'),
      'mcp → server': imports('src/mcp/a.ts', '../server/main.ts'),
      'server → extension': imports('src/server/tools/a.ts', '../../extension/ids.ts'),
      'extension → server': imports('src/extension/views/a.ts', '../../server/main.ts'),
      'out of src': imports('src/extension/a.ts', '../../test/support/temp.ts'),
      'domain → base': imports('src/domain/a.ts', '../base/emitter.ts'),
      'extension → domain': imports('src/extension/views/a.ts', '../../domain/roots.ts'),
      'within a layer': imports('src/server/tools/a.ts', '../sessionRoots.ts'),
      'hub → server': imports('src/server/hub/guard/a.ts', '../../paths/locate.ts'),
      'hub → domain': imports('src/server/hub/guard/a.ts', '../../../domain/roots.ts'),
      'hub → extension': imports('src/server/hub/a.ts', '../../extension/ids.ts'),
      'mcp → hub': imports('src/mcp/a.ts', '../server/hub/main.ts'),
    },
    {
      'base → domain': ['imports src/domain/roots.ts'],
      'domain → mcp': ['imports src/mcp/session.ts'],
      'mcp → extension': ['imports src/extension/ids.ts'],
      'mcp → server': ['imports src/server/main.ts'],
      'server → extension': ['imports src/extension/ids.ts'],
      'extension → server': ['imports src/server/main.ts'],
      'out of src': ['imports test/support/temp.ts'],
      'domain → base': [],
      'extension → domain': [],
      'within a layer': [],
      'hub → server': [],
      'hub → domain': [],
      'hub → extension': ['imports src/extension/ids.ts'],
      'mcp → hub': ['imports src/server/hub/main.ts'],
    },
  );
});

test('a layer imports only its modules, and type imports count', () => {
  const modules = [
    'vscode',
    'node:path',
    'node:crypto',
    'node:fs',
    'zod',
    '@modelcontextprotocol/client',
    '@modelcontextprotocol/client/stdio',
    '@modelcontextprotocol/server',
    '@modelcontextprotocol/sdk/types.js',
    'fs',
    'jsonc-parser',
  ];
  const refused = (layer: string) =>
    modules.filter(
      name => wrong(`src/${layer}/a.ts`, `import type { X } from '${name}';\n`).length > 0,
    );
  const [vscode, path, crypto, fs, zod, client, clientStdio, server, sdk, bareFs, jsonc] = modules;
  assert.deepEqual(
    {
      base: refused('base'),
      domain: refused('domain'),
      mcp: refused('mcp'),
      server: refused('server'),
      hub: refused('server/hub'),
      extension: refused('extension'),
    },
    {
      base: [vscode, path, crypto, fs, zod, client, clientStdio, server, sdk, bareFs, jsonc],
      domain: [vscode, fs, zod, client, clientStdio, server, sdk, bareFs, jsonc],
      mcp: [vscode, zod, server, sdk, bareFs, jsonc],
      server: [vscode, client, clientStdio, sdk, bareFs, jsonc],
      hub: [vscode, zod, client, clientStdio, sdk, bareFs],
      extension: [zod, client, clientStdio, server, sdk, bareFs],
    },
  );
});

test('an import is found in every form', () => {
  const forms = [
    "import * as vscode from 'vscode';",
    "import type { Uri } from 'vscode';",
    "import {\n  type Uri,\n  window,\n} from 'vscode';",
    "export { Uri } from 'vscode';",
    "export type { Uri } from 'vscode';",
    "export * from 'vscode';",
    "async function load() {\n  return import('vscode');\n}",
    "function load() {\n  return require('vscode');\n}",
    "type Uri = import('vscode').Uri;",
    "const pattern = /['\"]/;\nimport * as vscode from 'vscode';",
  ];
  assert.deepEqual(
    forms.map(form => wrong('src/mcp/a.ts', form)),
    forms.map(() => ['imports vscode']),
  );
  assert.deepEqual(wrong('src/mcp/a.ts', "import 'node:fs';"), [
    'imports node:fs for its side effects',
  ]);
  assert.deepEqual(wrong('src/mcp/a.ts', "// import * as vscode from 'vscode';\n"), []);
  const program = "const program = `\nimport * as vscode from 'vscode';\nrequire('fs');\n`;\n";
  assert.deepEqual(wrong('src/mcp/a.ts', program), []);
});

test('of a bundle that is loaded when it is needed, others take only types', () => {
  const importer = [
    { from: 'src/extension/servers/a.ts', up: '../../mcp', layer: 'src/mcp' },
    { from: 'src/server/hub/a.ts', up: '../../mcp', layer: 'src/mcp' },
    { from: 'src/server/hub/children/a.ts', up: '../../../mcp', layer: 'src/mcp' },
    { from: 'src/server/a.ts', up: './hub', layer: 'src/server/hub' },
    { from: 'src/server/tools/a.ts', up: '../hub', layer: 'src/server/hub' },
  ];
  for (const { from, up, layer } of importer) {
    const inside = (code: string) => `function f() {\n  return ${code};\n}\n`;
    assert.deepEqual(
      {
        values: wrong(from, `import { Part } from '${up}/part.ts';\n`),
        'a type among values': wrong(from, `import { type Part } from '${up}/part.ts';\n`),
        'values of its main module': wrong(from, `import { Part } from '${up}/main.ts';\n`),
        'another file at run time': wrong(from, inside(`import('${up}/part.ts')`)),
        types: wrong(from, `import type { Part } from '${up}/part.ts';\n`),
        'the type of its main module': wrong(from, `type M = typeof import('${up}/main.ts');\n`),
        'its main module at run time': wrong(from, inside(`import('${up}/main.ts')`)),
      },
      {
        values: [`imports more than types from ${layer}/part.ts`],
        'a type among values': [`imports more than types from ${layer}/part.ts`],
        'values of its main module': [`imports more than types from ${layer}/main.ts`],
        'another file at run time': [`imports more than types from ${layer}/part.ts`],
        types: [],
        'the type of its main module': [],
        'its main module at run time': [],
      },
    );
  }
});

test('of the bundled server only the hub uses the client', () => {
  const types = (up: string) =>
    `import type { ServerConnection } from '${up}/mcp/connection.ts';\n`;
  assert.deepEqual(
    {
      tools: wrong('src/server/tools/a.ts', types('../..')),
      'beside the hub': wrong('src/server/hubHandlers.ts', types('..')),
      hub: wrong('src/server/hub/a.ts', types('../..')),
    },
    {
      tools: ['imports src/mcp/connection.ts'],
      'beside the hub': ['imports src/mcp/connection.ts'],
      hub: [],
    },
  );
});

test('the hub takes only types from the SDK of the server, which would be in two bundles', () => {
  const path = 'src/server/hub/a.ts';
  const sdk = '@modelcontextprotocol/server';
  assert.deepEqual(
    {
      types: wrong(path, `import type { ServerContext } from '${sdk}';\n`),
      values: wrong(path, `import { ProtocolError } from '${sdk}';\n`),
      'values of a part': wrong(path, `import { serveStdio } from '${sdk}/stdio';\n`),
    },
    {
      types: [],
      values: [`imports more than types from ${sdk}`],
      'values of a part': [`imports more than types from ${sdk}/stdio`],
    },
  );
});

test('how roots travel is known to one file on each side', () => {
  const request = "client.setRequestHandler('roots/list', f);";
  const notice = "send('notifications/roots/list_changed');";
  const inside = (path: string, code: string) => wrong(path, `function f() {\n  ${code}\n}\n`);
  assert.deepEqual(
    {
      'mcp, request': inside('src/mcp/session.ts', request),
      'mcp, notice': inside('src/mcp/session.ts', notice),
      'mcp, by the SDK': inside('src/mcp/session.ts', 'client.sendRootsListChanged();'),
      'server, by the SDK': inside('src/server/tools/a.ts', 'inputRequired.listRoots();'),
      'domain, request': inside('src/domain/access.ts', request),
      'extension, notice': inside('src/extension/text.ts', notice),
      'the client side': inside('src/mcp/rootsAnswerer.ts', request + notice),
      'the server side': inside('src/server/sessionRoots.ts', request + notice),
      'a label in the domain': inside('src/domain/exposure.ts', "return 'roots/list';"),
      'a label in the editor': inside('src/extension/text.ts', "return 'roots/list';"),
      'a comment': inside('src/mcp/session.ts', '// `roots/list` is answered elsewhere.'),
      'another list': inside('src/server/a.ts', "send('notifications/tools/list_changed');"),
    },
    {
      'mcp, request': ['knows how roots travel: roots/list'],
      'mcp, notice': ['knows how roots travel: roots/list_changed'],
      'mcp, by the SDK': ['knows how roots travel: sendRootsListChanged'],
      'server, by the SDK': ['knows how roots travel: listRoots'],
      'domain, request': ['knows how roots travel: roots/list'],
      'extension, notice': ['knows how roots travel: roots/list_changed'],
      'the client side': [],
      'the server side': [],
      'a label in the domain': [],
      'a label in the editor': [],
      'a comment': [],
      'another list': [],
    },
  );
});

test('no module holds mutable state', () => {
  const states = [
    'let count = 0;',
    'export let count = 0;',
    'var count = 0;',
    'const cache = new Map<string, number>();',
    'const known = new Set();',
    'export const listeners: (() => void)[] = [];',
    'const byName: Record<string, string> = {};',
    'class A {\n  static count = 0;\n}',
    'class A {\n  private static count: number;\n}',
  ];
  assert.deepEqual(
    states.map(state => wrong('src/mcp/session.ts', state).length),
    states.map(() => 1),
  );
  assert.deepEqual(wrong('src/extension/main.ts', states.join('\n')), []);
});

test('no module does work on import, except the main ones', () => {
  const works = [
    'start();',
    'const now = Date.now();',
    'const files = readdirSync(folder);',
    'export const emitter = new Emitter<string>();',
    'await load();',
    'const client = await load;',
    "if (process.platform === 'win32') {\n  start();\n}",
    'for (const x of [1]) {\n  use(x);\n}',
    "process.on('exit', () => {});",
    'const options = {\n  home: homedir(),\n};',
    'const options = {\n  run: start(() => {\n    x();\n  }),\n};',
    'const options = {\n  run() {\n    x();\n  },\n  home: homedir(),\n};',
    '(() => {})();',
  ];
  const outcome = (path: string) => works.filter(work => wrong(path, work).length > 0);
  assert.deepEqual(outcome('src/mcp/session.ts'), works);
  assert.deepEqual(outcome('src/mcp/main.ts'), []);
});

test('what a module may have at its top is no violation', () => {
  const text = `import { join } from 'node:path';

/** A comment that says let x = start(); */
const limit = 8 * 1024;
const pattern = /^(?:a|b)\\(['"]/;
const text = \`let x = start();
let y = start();\`;
const names = ['a', 'b'] as const;
export const known: ReadonlySet<string> = new Set(['a']);
const schema = z.object({
  line: z.int().min(1).describe('start()'),
});
const settings = {
  run: () => start(),
  later: (name: string) => {
    start(name);
  },
  get now(): number {
    return Date.now();
  },

  async load(path: string) {
    if (path) {
      await start();
    }
  },
  'a b': "it's",
} as const;
const line = z.int().min(1);
const lines = z.object({ first: line.optional(), last: line.optional() });

export type Run = () => void;

export interface Options {
  readonly run: Run;
}

export abstract class A {
  static readonly none = 0;
  private count = 0;
}

export async function run(): Promise<void> {
  let x = start();
  await use(x);
}

export { join };
`;
  assert.deepEqual(wrong('src/server/a.ts', text), []);
});
