import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { test } from 'node:test';
import { tempFolder, writeTree } from '../support/temp.ts';
import { doubleNames, rings, type SourceFile, violations } from './layerRules.ts';

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
async function wrong(path: string, text: string): Promise<string[]> {
  const found = await violations([{ path, text }]);
  return found.map(violation => violation.slice(path.length + 2));
}

test('the sources keep to the layers', async () => {
  const files = sources();
  assert.deepEqual(await violations(files), []);
  // A check of nothing would pass, too.
  const seen = new Set(files.map(({ path }) => path.split('/')[1]));
  assert.deepEqual([...seen].sort(), [
    'base',
    'connect',
    'domain',
    'extension',
    'hub',
    'mcp',
    'pages',
    'server',
  ]);
});

test('no files import each other in a ring', () => {
  assert.deepEqual(rings(sources()), []);
});

test('no file name stands twice in the sources', () => {
  assert.deepEqual(doubleNames(sources()), []);
});

test('a ring is found, also one of types and of more than two files', () => {
  const file = (path: string, ...texts: string[]) => ({ path, text: texts.join('\n') });
  assert.deepEqual(
    rings([
      file('src/a/one.ts', "import { two } from './two.ts';"),
      file('src/a/two.ts', 'import {', '  type Three,', "} from '../b/three.ts';"),
      file('src/b/three.ts', "type One = import('../a/one.ts').One;"),
      file('src/b/four.ts', "export type { Five } from './five.ts';"),
      file('src/b/five.ts', "import type { Four } from './four.ts';"),
      file('src/b/six.ts', "import { one } from '../a/one.ts';", '// from ./seven.ts'),
      file('src/b/seven.ts', "import { six } from './six.ts';"),
    ]),
    ['src/a/one.ts ↔ src/a/two.ts ↔ src/b/three.ts', 'src/b/five.ts ↔ src/b/four.ts'],
  );
});

test('each folder of unit tests is a folder of the sources', () => {
  const folders = (top: string) =>
    readdirSync(join(project, top), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && entry.name.endsWith('.ts'))
      .map(({ parentPath }) => relative(join(project, top), parentPath));
  const known = new Set(folders('src'));
  const strange = folders('test/unit').filter(folder => folder !== '' && !known.has(folder));
  assert.deepEqual([...new Set(strange)], []);
});

const biome = join(project, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');

test('a layer imports only its modules and the layers below it, and type imports count', t => {
  const folder = tempFolder(t);
  const layers = ['base', 'domain', 'mcp', 'server', 'hub', 'connect', 'extension', 'pages'];
  const modules = [
    'vscode',
    'node:path',
    'node:crypto',
    'node:fs',
    'node:fs/promises',
    'zod',
    'diff',
    '@modelcontextprotocol/client',
    '@modelcontextprotocol/client/stdio',
    '@modelcontextprotocol/server',
    '@modelcontextprotocol/server/stdio',
    '@modelcontextprotocol/sdk/types.js',
    'fs',
    'jsonc-parser',
    '@vscode-elements/elements/dist/vscode-button/index.js',
  ];
  const inside = layers.map(layer => `../../${layer}/roots.ts`);
  const names = [...modules, ...inside, '../../../test/support/temp.ts', './near.ts', '../near.ts'];
  const text = names.map(name => `import type { X } from '${name}';\n`).join('');
  writeTree(folder, {
    'biome.json': readFileSync(join(project, 'biome.json'), 'utf8'),
    ...Object.fromEntries(layers.map(layer => [`src/${layer}/part/a.ts`, text])),
    'src/extension/vscode.ts': "export * from 'vscode';\n",
  });
  const refused = refusedImports(folder);
  const allowed = layers.map(layer => {
    const lines = refused.get(`src/${layer}/part/a.ts`) ?? [];
    return [layer, names.filter((_, at) => !lines.includes(at + 1))];
  });
  // The editor is imported once, and passed on with types that take no text that is not fit for it.
  assert.equal(refused.has('src/extension/vscode.ts'), false);
  const near = ['./near.ts', '../near.ts'];
  const node = ['node:path', 'node:crypto', 'node:fs', 'node:fs/promises'];
  const sdk = (side: string) => [
    `@modelcontextprotocol/${side}`,
    `@modelcontextprotocol/${side}/stdio`,
  ];
  const of = (...names: string[]) => names.map(name => `../../${name}/roots.ts`);
  assert.deepEqual(Object.fromEntries(allowed), {
    base: [...of('base'), ...near],
    domain: ['node:path', 'node:crypto', ...of('base', 'domain'), ...near],
    mcp: [...node, ...sdk('client'), ...of('base', 'domain', 'mcp'), ...near],
    server: [
      ...node,
      'zod',
      'diff',
      ...sdk('server'),
      ...of('base', 'domain', 'server', 'hub'),
      ...near,
    ],
    hub: [
      ...node,
      ...sdk('server'),
      'jsonc-parser',
      ...of('base', 'domain', 'mcp', 'server', 'hub'),
      ...near,
    ],
    connect: [...node, ...of('base', 'connect'), ...near],
    extension: [
      ...node,
      'jsonc-parser',
      ...of('base', 'domain', 'mcp', 'connect', 'extension', 'pages'),
      ...near,
    ],
    pages: [
      '@vscode-elements/elements/dist/vscode-button/index.js',
      ...of('base', 'domain', 'pages'),
      ...near,
    ],
  });
});

test('an import is found in every form', async t => {
  const forms = [
    "import * as vscode from 'vscode';",
    "import type { Uri } from 'vscode';",
    "import {\n  type Uri,\n  window,\n} from 'vscode';",
    "export { Uri } from 'vscode';",
    "export type { Uri } from 'vscode';",
    "export * from 'vscode';",
    "async function load() {\n  return import('vscode');\n}",
    "const pattern = /['\"]/;\nimport * as vscode from 'vscode';",
  ];
  const folder = tempFolder(t);
  const program = "const program = `\nimport * as vscode from 'vscode';\nrequire('fs');\n`;\n";
  writeTree(folder, {
    'biome.json': readFileSync(join(project, 'biome.json'), 'utf8'),
    ...Object.fromEntries(forms.map((form, at) => [`src/mcp/${at}.ts`, form])),
    'src/mcp/comment.ts': "// import * as vscode from 'vscode';\n",
    'src/mcp/program.ts': program,
  });
  assert.deepEqual(
    [...refusedImports(folder).keys()].sort(),
    forms.map((_, at) => `src/mcp/${at}.ts`),
  );
  // The forms that Biome doesn't see.
  assert.deepEqual(
    {
      required: await wrong('src/mcp/a.ts', "export const load = () => require('vscode');"),
      'inside a type': await wrong('src/mcp/a.ts', "type Uri = import('vscode').Uri;"),
      'for its effects': await wrong('src/mcp/a.ts', "import 'node:fs';"),
      'for its effects, on a page': await wrong('src/pages/a.ts', "import 'element.js';"),
      'for its effects, in the main module of a page': await wrong(
        'src/pages/a/main.ts',
        "import 'element.js';",
      ),
      'a program as text': await wrong('src/mcp/a.ts', program),
    },
    {
      required: ['requires vscode'],
      'inside a type': ['imports vscode inside a type'],
      'for its effects': ['imports node:fs for its side effects'],
      'for its effects, on a page': ['imports element.js for its side effects'],
      'for its effects, in the main module of a page': [],
      'a program as text': [],
    },
  );
});

/** The lines with an import that Biome refuses, by file. */
function refusedImports(folder: string): Map<string, number[]> {
  const { stderr } = spawnSync(
    process.execPath,
    [
      biome,
      'lint',
      '--only=style/noRestrictedImports',
      '--vcs-enabled=false',
      '--max-diagnostics=none',
      '--colors=off',
    ],
    { cwd: folder, encoding: 'utf8' },
  );
  const refused = new Map<string, number[]>();
  for (const [, file = '', line] of stderr.matchAll(/^(src\S+?):(\d+):\d+ lint\S*\/noRes/gm)) {
    refused.set(file, [...(refused.get(file) ?? []), Number(line)]);
  }
  return refused;
}

test('of a bundle that is loaded when it is needed, others take only types', async () => {
  const importer = [
    { from: 'src/extension/servers/a.ts', up: '../../mcp', layer: 'src/mcp' },
    { from: 'src/server/a.ts', up: '../hub', layer: 'src/hub' },
    { from: 'src/server/tools/a.ts', up: '../../hub', layer: 'src/hub' },
    { from: 'src/extension/pages/a.ts', up: '../../pages', layer: 'src/pages' },
  ];
  for (const { from, up, layer } of importer) {
    const inside = (code: string) => `function f() {\n  return ${code};\n}\n`;
    assert.deepEqual(
      {
        values: await wrong(from, `import { Part } from '${up}/part.ts';\n`),
        'a type among values': await wrong(from, `import { type Part } from '${up}/part.ts';\n`),
        'values of its main module': await wrong(from, `import { Part } from '${up}/main.ts';\n`),
        'another file at run time': await wrong(from, inside(`import('${up}/part.ts')`)),
        types: await wrong(from, `import type { Part } from '${up}/part.ts';\n`),
        'the type of its main module': await wrong(
          from,
          `type M = typeof import('${up}/main.ts');\n`,
        ),
        'its main module at run time': await wrong(from, inside(`import('${up}/main.ts')`)),
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

test('the hub takes only types from the SDK of the server, which would be in two bundles', async () => {
  const path = 'src/hub/a.ts';
  const sdk = '@modelcontextprotocol/server';
  assert.deepEqual(
    {
      types: await wrong(path, `import type { ServerContext } from '${sdk}';\n`),
      values: await wrong(path, `import { ProtocolError } from '${sdk}';\n`),
      'values of a part': await wrong(path, `import { serveStdio } from '${sdk}/stdio';\n`),
    },
    {
      types: [],
      values: [`imports more than types from ${sdk}`],
      'values of a part': [`imports more than types from ${sdk}/stdio`],
    },
  );
});

test('how roots travel is known to one file on each side', async () => {
  const request = "client.setRequestHandler('roots/list', f);";
  const notice = "send('notifications/roots/list_changed');";
  const inside = (path: string, code: string) => wrong(path, `function f() {\n  ${code}\n}\n`);
  assert.deepEqual(
    {
      'mcp, request': await inside('src/mcp/session.ts', request),
      'mcp, notice': await inside('src/mcp/session.ts', notice),
      'mcp, by the SDK': await inside('src/mcp/session.ts', 'client.sendRootsListChanged();'),
      'server, by the SDK': await inside('src/server/tools/a.ts', 'inputRequired.listRoots();'),
      'domain, request': await inside('src/domain/access.ts', request),
      'extension, notice': await inside('src/extension/text.ts', notice),
      'the client side': await inside('src/mcp/rootsAnswerer.ts', request + notice),
      'the server side': await inside('src/server/sessionRoots.ts', request + notice),
      'a label in the domain': await inside('src/domain/exposure.ts', "return 'roots/list';"),
      'a label in the editor': await inside('src/extension/text.ts', "return 'roots/list';"),
      'a comment': await inside('src/mcp/session.ts', '// `roots/list` is answered elsewhere.'),
      'another list': await inside('src/server/a.ts', "send('notifications/tools/list_changed');"),
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

test('messages and dialogs are shown by one file', async () => {
  const inside = (path: string, code: string) => wrong(path, `function f() {\n  ${code}\n}\n`);
  assert.deepEqual(
    {
      elsewhere: await inside('src/extension/consent/a.ts', 'window.showWarningMessage(text);'),
      'under another name': await inside('src/extension/a.ts', "show = 'showErrorMessage';"),
      'the file for it': await inside('src/extension/screen.ts', 'window.showErrorMessage(text);'),
      'a list': await inside('src/extension/a.ts', 'window.showQuickPick(items);'),
    },
    {
      elsewhere: ['shows a message past the screen: showWarningMessage'],
      'under another name': ['shows a message past the screen: showErrorMessage'],
      'the file for it': [],
      'a list': [],
    },
  );
});

test('no module holds mutable state', async () => {
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
  const found = await Promise.all(states.map(state => wrong('src/mcp/session.ts', state)));
  assert.deepEqual(
    found.map(list => list.length),
    states.map(() => 1),
  );
  const inMain = await Promise.all(states.map(state => wrong('src/extension/main.ts', state)));
  assert.deepEqual(inMain.flat(), []);
});

test('no module does work on import, except the main ones', async () => {
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
    '(() => {\n  start();\n})();',
  ];
  const outcome = async (path: string) => {
    const found = await Promise.all(works.map(work => wrong(path, work)));
    return works.filter((_, at) => found[at]?.some(text => text.startsWith('does work')));
  };
  assert.deepEqual(await outcome('src/mcp/session.ts'), works);
  assert.deepEqual(await outcome('src/mcp/main.ts'), []);
});

test('what a module may have at its top is no violation', async () => {
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
  assert.deepEqual(await wrong('src/server/a.ts', text), []);
});

test('a test that is left out on a system says why, by the one helper for it', () => {
  const silent =
    /\bskip(?:\w*)?\s*[:=]\s*!?(?:process\.platform|is(?:Linux|Windows|Posix)|process\.getuid\S+ \S+ 0(?! &&))/;
  const files = ['unit', 'protocol', 'support'].flatMap(folder =>
    readdirSync(join(project, 'test', folder), { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.ts'))
      .map(name => join('test', folder, name)),
  );
  assert.ok(files.length > 100);
  assert.deepEqual(
    files.filter(file => silent.test(readFileSync(join(project, file), 'utf8'))),
    [],
  );
});

test('what is kept goes with a removed server, or is of none', () => {
  const storing =
    /\b(?:ExtensionContext|Memento|SecretStorage|appendFile|createWriteStream|writeFile\w*|replacePrivate|replaceFile)\b/;
  const keeping = sources()
    .filter(({ path, text }) => /^src\/(?:extension|mcp)\//.test(path) && storing.test(text))
    .map(({ path }) => path.replace('src/extension/', ''));
  const parts = {
    inRemoveServer: [
      ...['secrets/serverSecrets.ts', 'servers/serverMemory.ts', 'servers/serverRecords.ts'],
      ...['gateway/snapshots.ts', 'servers/windowTarget.ts', 'src/mcp/sandbox/installing.ts'],
    ],
    // What Activity says stays, and the user is told so.
    ofActivity: ['activity/activityFile.ts', 'views/activityTree.ts'],
    // Of the installation, the window, or a client; what a person saves is that person's.
    ofNoServer: [
      ...['servers/serverIdentities.ts', 'gateway/windowFile.ts', 'privateFolder.ts'],
      ...['gateway/agents/offerQuestion.ts', 'gateway/connectClient.ts', 'hub/launcher.ts'],
      ...['hub/hubConfigFile.ts', 'commands/resourcesAndPrompts.ts'],
      // They try what a sandbox forbids, in folders of their own.
      ...['main', 'probe'].map(name => `src/mcp/sandbox/waysOut/${name}.ts`),
    ],
    // They pass the state on to the others.
    passing: [
      ...['main.ts', 'openServers.ts', 'commands/windowCommands.ts', 'gateway/agents/agents.ts'],
      'gateway/gateway.ts',
    ],
  };
  assert.deepEqual(keeping.sort(), Object.values(parts).flat().sort());
});

test('every source of questions to the user stands in the list of the window', () => {
  const extension = join(project, 'src', 'extension');
  const files = readdirSync(extension, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => ({
      name: name.replaceAll(sep, '/'),
      text: readFileSync(join(extension, name), 'utf8'),
    }));
  const declaration = /: QuestionSource [{=]|\bimplements .*\bQuestionSource\b/;
  const asking = files.flatMap(({ name, text }) => {
    const { length } = text.match(/\bscreen\.(?:show|ask)\(/g) ?? '';
    return length > 0 && !declaration.test(text) ? [[name, length]] : [];
  });
  // What they show needs no answer, or is asked of who just did it; the folders that `consent` asks about
  // wait in `folderQuestions`.
  const once = [
    ...['commands/definitionCommands.ts', 'commands/startServer.ts'],
    ...['definitionFiles/showSettingsProblems.ts', 'gateway/agents/offerQuestion.ts'],
    'pages/toolCallPage.ts',
  ];
  assert.deepEqual(Object.fromEntries(asking), {
    ...Object.fromEntries(once.map(name => [name, 1])),
    'consent/consent.ts': 3,
  });
  const sources = files
    .flatMap(({ text }) => text.split(/^export /m))
    .filter(part => declaration.test(part))
    .map(part => /^(?:function|class|const) (\w+)/.exec(part)?.[1] ?? part);
  const main = readFileSync(join(extension, 'main.ts'), 'utf8');
  const [, list = ''] = /new OpenQuestions\(([\s\S]*?)\]\)/.exec(main) ?? [];
  assert.ok(sources.length >= 4, sources.join());
  assert.deepEqual(
    sources.filter(name => !list.includes(name)),
    [],
  );
});
