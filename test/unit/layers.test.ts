import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { test } from 'node:test';
import { tempFolder, writeTree } from '../support/temp.ts';
import { doubleNames, rings, type SourceFile, violations } from './layerRules.ts';

const project = join(import.meta.dirname, '..', '..');

function sources(): SourceFile[] {
  return globSync('src/**/*.ts', { cwd: project }).map(file => ({
    path: file.split(sep).join('/'),
    text: readFileSync(join(project, file), 'utf8'),
  }));
}

test('the sources keep to the layers, without import rings or repeated file names', async () => {
  const files = sources();
  // A check of nothing would pass, too.
  assert.ok(files.length > 300);
  assert.deepEqual(await violations(files), []);
  assert.deepEqual(rings(files), []);
  assert.deepEqual(doubleNames(files), []);
});

test('each rule finds its violation', async () => {
  const broken = {
    'src/server/a.ts':
      "import { Hub } from '../hub/hub.ts';\nimport 'node:fs';\nconst load = () => require('vscode');\n",
    'src/mcp/b.ts': "export type Uri = import('vscode').Uri;\nexport let count = 0;\nstart();\n",
    'src/hub/c.ts': "export { ProtocolError } from '@modelcontextprotocol/server';\n",
    'src/domain/d.ts': "export const ask = () => send('roots/list');\n",
    'src/extension/views/e.ts':
      "import type { Run } from '../commands/run.ts';\nexport const tell = () => window.showErrorMessage(text);\n",
    'src/extension/odd.ts': '',
    'src/extension/main.ts': "import { ask } from '../domain/d.ts';\nstart(ask);\n",
  };
  const files = Object.entries(broken).map(([path, text]) => ({ path, text }));
  assert.deepEqual(await violations(files), [
    'src/server/a.ts: imports node:fs for its side effects',
    'src/server/a.ts: imports more than types from src/hub/hub.ts',
    'src/server/a.ts: requires vscode',
    'src/mcp/b.ts: imports vscode inside a type',
    'src/mcp/b.ts: holds mutable state: export let count = 0;',
    'src/mcp/b.ts: does work on import: start();',
    'src/hub/c.ts: imports more than types from @modelcontextprotocol/server',
    'src/domain/d.ts: knows how roots travel: roots/list',
    'src/extension/views/e.ts: imports src/extension/commands/run.ts against the order of rooms',
    'src/extension/views/e.ts: shows a message past the screen: showErrorMessage',
    'src/extension/odd.ts: has no place in the order of rooms',
  ]);
  const between = { path: 'src/base/e.ts', text: "export type { E } from '../extension/main.ts';" };
  const back = { path: 'src/domain/d.ts', text: "export * from '../base/e.ts';" };
  const ring = [...files.filter(({ path }) => path !== back.path), between, back];
  assert.deepEqual(rings(ring), ['src/base/e.ts ↔ src/domain/d.ts ↔ src/extension/main.ts']);
  assert.deepEqual(doubleNames(ring), ['e.ts']);
});

test('each folder of unit tests is a folder of the sources', () => {
  const folders = (top: string) => globSync('**/*.ts', { cwd: join(project, top) }).map(dirname);
  const known = new Set(folders('src'));
  const strange = folders('test/unit').filter(folder => folder !== '.' && !known.has(folder));
  assert.deepEqual([...new Set(strange)], []);
});

const biome = join(project, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');

test('a layer imports only its modules and the layers below, types included', t => {
  const folder = tempFolder(t);
  const near = ['./near.ts', '../near.ts'];
  const node = ['node:path', 'node:crypto', 'node:fs', 'node:fs/promises'];
  const sdk = (side: string) => [
    `@modelcontextprotocol/${side}`,
    `@modelcontextprotocol/${side}/stdio`,
  ];
  const of = (...names: string[]) => names.map(name => `../../${name}/roots.ts`);
  const [ofHub, ofEditor] = [
    [...node, ...sdk('server'), 'jsonc-parser'],
    [...node, 'jsonc-parser'],
  ];
  const element = '@vscode-elements/elements/dist/vscode-button/index.js';
  const allowed = {
    base: [...of('base'), ...near],
    domain: ['node:path', 'node:crypto', ...of('base', 'domain'), ...near],
    mcp: [...node, ...sdk('client'), ...of('base', 'domain', 'mcp'), ...near],
    server: [...node, 'zod', 'diff', ...sdk('server'), ...of('base', 'domain', 'server'), ...near],
    hub: [...ofHub, ...of('base', 'domain', 'mcp', 'server', 'hub'), ...near],
    connect: [...node, ...of('base', 'connect'), ...near],
    extension: [
      ...ofEditor,
      ...of('base', 'domain', 'mcp', 'connect', 'extension', 'pages'),
      ...near,
    ],
    pages: [element, ...of('base', 'domain', 'pages'), ...near],
    build: [...node, '@vscode/vsce', ...of('domain', 'build'), ...near],
  };
  const layers = Object.keys(allowed);
  const modules = new Set(
    Object.values(allowed)
      .flat()
      .filter(name => !name.startsWith('.'))
      .concat('vscode', 'fs', '@modelcontextprotocol/sdk/types.js'),
  );
  const inside = layers.map(layer => `../../${layer}/roots.ts`);
  const names = [...modules, ...inside, '../../../test/support/temp.ts', './near.ts', '../near.ts'];
  const text = names.map(name => `import type { X } from '${name}';\n`).join('');
  writeTree(folder, {
    'biome.json': readFileSync(join(project, 'biome.json'), 'utf8'),
    ...Object.fromEntries(layers.map(layer => [`src/${layer}/part/a.ts`, text])),
    'src/extension/vscode.ts': "export * from 'vscode';\n",
  });
  const refused = refusedImports(folder);
  const found = layers.map(layer => {
    const lines = refused.get(`src/${layer}/part/a.ts`) ?? [];
    return [layer, names.filter((_, at) => !lines.includes(at + 1)).sort()];
  });
  // The editor is imported once, and passed on with types that take no text that is not fit for it.
  assert.equal(refused.has('src/extension/vscode.ts'), false);
  const expected = Object.entries(allowed).map(([layer, names]) => [layer, names.sort()]);
  assert.deepEqual(found, expected);
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

test('a test that is skipped on a system says why with `onlyOn`', () => {
  const silent =
    /\bskip(?:\w*)?\s*[:=]\s*!?(?:process\.platform|is(?:Linux|Windows|Posix)|process\.getuid\S+ \S+ 0(?! &&))/;
  const files = globSync('test/{unit,protocol,support}/**/*.ts', { cwd: project });
  assert.ok(files.length > 100);
  const silentSkips = files.filter(file => silent.test(readFileSync(join(project, file), 'utf8')));
  assert.deepEqual(silentSkips, []);
});

test('each file that stores data is listed with its owner', () => {
  const storing =
    /\b(?:ExtensionContext|Memento|SecretStorage|appendFile|createWriteStream|writeFile\w*|replacePrivate|replaceFile)\b/;
  const keeping = sources()
    .filter(({ path, text }) => /^src\/(?:extension|mcp)\//.test(path) && storing.test(text))
    .map(({ path }) => path.replace('src/extension/', ''));
  const parts = {
    inRemoveServer: [
      ...['records/serverSecrets.ts', 'records/serverMemory.ts', 'records/serverRecords.ts'],
      ...['gateway/snapshots.ts', 'servers/windowTarget.ts', 'src/mcp/sandbox/serverStorage.ts'],
    ],
    // Activity keeps its entries, and the user learns that.
    ofActivity: ['activity/activityFile.ts', 'views/activityTree.ts'],
    // Of the installation, the window, or a client; a person's files are the person's.
    ofNoServer: [
      ...['servers/serverIdentities.ts', 'gateway/windowFile.ts', 'privateFolder.ts'],
      ...['gateway/agents/offerQuestion.ts', 'commands/connectClient.ts', 'hub/launcher.ts'],
      ...['hub/hubConfigFile.ts', 'pages/toolCallPage.ts', 'src/mcp/sandbox/sandbox.ts'],
      // They try forbidden acts in a sandbox, in separate folders.
      ...['main', 'probe'].map(name => `src/mcp/sandbox/waysOut/${name}.ts`),
    ],
    // They pass the state on to the others.
    passing: [...['main.ts', 'openServers.ts', 'gateway/gateway.ts']],
  };
  assert.deepEqual(keeping.sort(), Object.values(parts).flat().sort());
});

test('lists each source of questions in the window', () => {
  const files = sources().filter(({ path }) => path.startsWith('src/extension/'));
  const declaration = /: QuestionSource [{=]|\bimplements .*\bQuestionSource\b/;
  const asking = files.flatMap(({ path, text }) => {
    const { length } = text.match(/\bscreen\.(?:show|ask)\(/g) ?? '';
    const name = path.replace('src/extension/', '');
    return length > 0 && !declaration.test(text) ? [[name, length]] : [];
  });
  // What they show needs no answer, or is asked of who just did it; the folders that `consent` asks about
  // wait in `folderQuestions`.
  const once = [
    ...['commands/definitionCommands.ts', 'commands/startServer.ts'],
    ...['definitionFiles/showSettingsProblems.ts', 'gateway/agents/offerQuestion.ts'],
    ...['commands/letRead.ts', 'pages/toolCallPage.ts'],
  ];
  assert.deepEqual(Object.fromEntries(asking), {
    ...Object.fromEntries(once.map(name => [name, 1])),
    'consent/consent.ts': 3,
  });
  const declared = files
    .flatMap(({ text }) => text.split(/^export /m))
    .filter(part => declaration.test(part))
    .map(part => /^(?:function|class|const) (\w+)/.exec(part)?.[1] ?? part);
  const main = files.find(({ path }) => path === 'src/extension/main.ts')?.text ?? '';
  const [, list = ''] = /new OpenQuestions\(([\s\S]*?)\]\)/.exec(main) ?? [];
  assert.ok(declared.length >= 4, declared.join());
  const unlisted = declared.filter(name => !list.includes(name));
  assert.deepEqual(unlisted, []);
});
