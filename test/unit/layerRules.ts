import { posix } from 'node:path';
import { build, type Plugin, transform } from 'esbuild';

// Rules on sources that Biome's rule on imports can't express. esbuild reads them, no parser here.

/** A source file: its path from the top of the project, with slashes, and its text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Layers with a separate bundle, and the layers that load it: these import only its types, and load
 * its main module.
 */
const loadedBy: Readonly<Record<string, readonly string[]>> = {
  mcp: ['extension'],
  hub: ['server'],
  pages: ['extension'],
};
/** The files that know how roots travel: one on each side, and the connector's for its client. */
const wireFiles = [
  'src/mcp/link/rootsAnswerer.ts',
  'src/server/sessionRoots.ts',
  'src/connect/connector.ts',
];
/** Shows all messages and dialogs, so that never more than one asks. */
const screenFile = 'src/extension/screen.ts';
/** Names the trigger of an exposure; the layer has no wire to send it over. */
const labelFile = 'src/domain/exposure.ts';

/** The rooms of the editor's layer, with the files at its top: each imports only earlier ones. */
const rooms = [
  ...['vscode', 'ids', 'text', 'screen', 'quickInput', 'reportFailure', 'privateFolder', 'logs'],
  ...['foldersOnDisk', 'settings', 'hub', 'records', 'folders', 'servers'],
  ...['shownNames', 'folderText', 'activity', 'gateway', 'rows', 'consent', 'adding', 'views'],
  ...['pages', 'definitionFiles', 'commands', 'openServers', 'main'],
];

const compilerOptions = { verbatimModuleSyntax: true };

/** The violations in the sources, as sentences that begin with the file. Empty: none. */
export async function violations(files: readonly SourceFile[]): Promise<string[]> {
  const { imports, work } = await bundled(files);
  const found = await Promise.all(
    files.map(async ({ path, text }) => {
      const isProgram = posix.basename(path) === 'main.ts' || layerOf(path) === 'build';
      const code = await withoutTypes(text);
      return [
        ...formViolations(path, text),
        ...roomViolations(path, text),
        ...(imports.get(path) ?? []).flatMap(found => valueViolations(path, found)),
        ...wireViolations(path, code),
        ...screenViolations(path, code),
        // A main module builds its bundle, and the editor ends one by calling the module again. A file
        // of `src/build` is a script.
        ...(isProgram
          ? []
          : [...stateViolations(text, code), ...workViolations(work.get(path) ?? '')]),
      ].map(violation => `${path}: ${violation}`);
    }),
  );
  return found.flat();
}

/** The rings of files that import each other, types included, each from its first file in the alphabet. */
export function rings(files: readonly SourceFile[]): string[] {
  const imports = new Map(files.map(({ path, text }) => [path, targets(path, text)]));
  const reached = new Map(files.map(({ path }) => [path, reachedFrom(path, imports)]));
  const ringOf = (path: string) =>
    [...(reached.get(path) ?? [])].filter(other => reached.get(other)?.has(path)).sort();
  const all = files.map(({ path }) => ringOf(path).join(' ↔ ')).filter(ring => ring !== '');
  return [...new Set(all)].sort();
}

/** The file names that stand in two folders; each bundle has a `main.ts`. */
export function doubleNames(files: readonly SourceFile[]): string[] {
  const names = files.map(({ path }) => posix.basename(path)).filter(name => name !== 'main.ts');
  return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))].sort();
}

interface ValueImport {
  readonly path: string;
  readonly kind: string;
}

/** Per file, its imports at run time, and the code that esbuild keeps if none of it is used. */
async function bundled(files: readonly SourceFile[]) {
  const { metafile, outputFiles } = await build({
    stdin: { contents: files.map(({ path }) => `import '${path}';`).join('\n') },
    plugins: [alone(new Map(files.map(({ path, text }) => [path, text])))],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    outfile: 'out.js',
    // A text of several lines is not to look like code.
    supported: { 'template-literal': false },
    logLevel: 'silent',
    tsconfigRaw: { compilerOptions },
  });
  const parts = (outputFiles[0]?.text ?? '').split(/^\/\/ alone:(.*)\n/m).slice(1);
  const imports = Object.entries(metafile.inputs).map(
    ([path, input]) => [path.replace('alone:', ''), input.imports as ValueImport[]] as const,
  );
  return {
    imports: new Map(imports),
    work: new Map(parts.flatMap((part, at) => (at % 2 ? [] : [[part, parts[at + 1] ?? '']]))),
  };
}

/** Gives each file to esbuild without its imports. */
function alone(texts: ReadonlyMap<string, string>): Plugin {
  return {
    name: 'alone',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /.*/ }, ({ path, importer }) =>
        importer === '<stdin>'
          ? { path, namespace: 'alone' }
          : { path, external: true, sideEffects: false },
      );
      onLoad({ filter: /.*/, namespace: 'alone' }, ({ path }) => ({
        contents: texts.get(path) ?? '',
        loader: 'ts',
      }));
    },
  };
}

/** The code, its longer texts on one line each, without comments on separate lines. */
async function withoutTypes(text: string): Promise<string> {
  const { code } = await transform(text, {
    loader: 'ts',
    supported: { 'template-literal': false },
    tsconfigRaw: { compilerOptions },
  });
  return code.replace(/^\s*\/\/.*$/gm, '');
}

/** Imports that Biome doesn't see, or that have a better form. */
function formViolations(path: string, text: string): string[] {
  // The main module of a page takes in its style, and the library's elements, which register themselves.
  const isPage = /^src\/pages\/\w+\/main\.ts$/.test(path);
  const effects = isPage ? [] : [...text.matchAll(/^import '([^']+)'/gm)];
  const types = [...text.matchAll(/^[^/*]*\bimport\('([^']+)'\)\./gm)];
  return [
    ...effects.map(([, from]) => `imports ${from} for its side effects`),
    ...types.map(([, from]) => `imports ${from} inside a type`),
  ];
}

function roomViolations(path: string, text: string): string[] {
  const own = placeOf(path);
  const above = targets(path, text).filter(target => placeOf(target) > own);
  return own < 0
    ? ['has no place in the order of rooms']
    : above.map(target => `imports ${target} against the order of rooms`);
}

/** Negative: a room of the editor's layer that has no place. */
function placeOf(path: string): number {
  const [, room = ''] = /^src\/extension\/(\w+)/.exec(path) ?? [];
  return layerOf(path) === 'extension' ? rooms.indexOf(room) : 0;
}

function valueViolations(path: string, { path: from, kind }: ValueImport): string[] {
  const target = posix.join(path, '..', from);
  const layer = layerOf(target);
  const isForeign = from.startsWith('.') && loadedBy[layer]?.includes(layerOf(path));
  const isLoading = kind === 'dynamic-import' && target === `src/${layer}/main.ts`;
  if (kind === 'require-call') {
    return [`requires ${from}`];
  }
  if (layerOf(path) === 'hub' && from.startsWith('@modelcontextprotocol/server')) {
    return [`imports more than types from ${from}`];
  }
  return isForeign && !isLoading ? [`imports more than types from ${target}`] : [];
}

function wireViolations(path: string, code: string): string[] {
  const speaksAny = code.match(/roots\/list_changed|\bsendRootsListChanged\b|\blistRoots\b/)?.[0];
  // A layer without a wire may say what the request is called, for a person to read.
  const isLabel = path === labelFile || layerOf(path) === 'extension';
  const speaks = speaksAny ?? (isLabel ? undefined : code.match(/roots\/list\b/)?.[0]);
  return speaks && !wireFiles.includes(path) ? [`knows how roots travel: ${speaks}`] : [];
}

function screenViolations(path: string, code: string): string[] {
  const [call] = code.match(/\bshow(?:Information|Warning|Error)Message\b/) ?? [];
  return call && path !== screenFile ? [`shows a message past the screen: ${call}`] : [];
}

function stateViolations(text: string, code: string): string[] {
  const variables = code.match(/^(?:export )?(?:let|var) .*/gm) ?? [];
  const containers =
    code.match(/^(?:export )?const \w+ = (?:.*new (?:Weak)?(?:Map|Set)\(\)|\[\]|\{\});/gm) ?? [];
  const statics = text.match(/^ +.*\bstatic (?!readonly\b)#?\w+ *[:=;].*/gm) ?? [];
  return [...variables, ...containers, ...statics].map(
    line => `holds mutable state: ${line.trim()}`,
  );
}

const literals =
  /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|(?<=[=(,:[|] ?)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\//g;

/** The statements left of a file that do more than import, re-export, or compose values. */
function workViolations(left: string): string[] {
  const code = left.replace(literals, '0').replace(/^\s*\/\/.*$/gm, '');
  const statements = code.split(/\n(?=[^\s)}\]])/).filter(statement => statement.trim() !== '');
  const names = statements.flatMap(statement => /^var (\w+)/.exec(statement)?.[1] ?? []);
  return statements
    .filter(statement => !/^(?:import |__(?:re)?export\()/i.test(statement))
    .filter(statement => doesWork(statement, names))
    .map(statement => `does work on import: ${statement.split('\n')[0]}`);
}

/** Schemas are values put together by zod. */
function doesWork(statement: string, names: readonly string[]): boolean {
  const calls = statement.matchAll(/(?<![\w$.)\]])((?:new )?([A-Za-z_$][\w$]*)[\w$.]*)\(/g);
  const isPure = (callee: string, root: string) =>
    ['new Set', 'new Map', 'new RegExp', 'Object.freeze'].includes(callee) ||
    (callee !== root && (/^z\d*$/.test(root) || names.includes(root)));
  const hasCall = [...calls].some(([, callee = '', root = '']) => !isPure(callee, root));
  return !statement.startsWith('var ') || hasCall || /\bawait\b/.test(statement);
}

function targets(path: string, text: string): string[] {
  const from = /^(?:import|export|\}) ?.*\bfrom '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm;
  return [...text.matchAll(from)].map(found => posix.join(path, '..', found[1] ?? found[2] ?? ''));
}

function reachedFrom(path: string, imports: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>();
  const open = [...(imports.get(path) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!reached.has(next)) {
      reached.add(next);
      open.push(...(imports.get(next) ?? []));
    }
  }
  return reached;
}

function layerOf(path: string): string {
  return path.split('/')[1] ?? '';
}
