import { posix } from 'node:path';

/** A source file: its path from the top of the project, with slashes, and its text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

interface Layer {
  /** The other layers it may import. */
  readonly layers: readonly string[];
  /** The modules it may import. One that ends in `:` stands for all that begin with it. */
  readonly modules: readonly string[];
  /** The modules of which it may import types, and nothing else. */
  readonly typesOf?: readonly string[];
}

const layers: Readonly<Record<string, Layer>> = {
  base: { layers: [], modules: [] },
  // Hashing is pure: it takes text and gives text.
  domain: { layers: ['base'], modules: ['node:path', 'node:url', 'node:crypto'] },
  mcp: { layers: ['base', 'domain'], modules: ['node:', '@modelcontextprotocol/client'] },
  server: {
    layers: ['base', 'domain', 'hub'],
    modules: ['node:', '@modelcontextprotocol/server', 'zod'],
  },
  // The part of the server that is loaded for `--config`.
  hub: {
    layers: ['base', 'domain', 'mcp', 'server'],
    // The file of a hub is JSON as editors write it, with comments.
    modules: ['node:', 'jsonc-parser'],
    typesOf: ['@modelcontextprotocol/server'],
  },
  extension: { layers: ['base', 'domain', 'mcp'], modules: ['vscode', 'node:', 'jsonc-parser'] },
};

/**
 * The layers that are bundles of their own, with the module that loads each. Others take only types
 * from them, and load that module when they need it.
 */
const lazyLayers: Readonly<Record<string, string>> = {
  mcp: 'src/mcp/main.ts',
  hub: 'src/server/hub/main.ts',
};
/** The two files that know how roots travel. */
const wireFiles = ['src/mcp/rootsAnswerer.ts', 'src/server/sessionRoots.ts'];
/** Names the trigger of an exposure; the layer has no wire to send it over. */
const labelFile = 'src/domain/exposure.ts';

interface Import {
  readonly from: string;
  readonly isType: boolean;
  readonly isDynamic: boolean;
  readonly isForEffect: boolean;
}

/** What is wrong with the layers, as sentences that begin with the file. Empty: nothing. */
export function violations(files: readonly SourceFile[]): string[] {
  return files.flatMap(file =>
    [...importViolations(file), ...wireViolations(file), ...moduleViolations(file)].map(
      violation => `${file.path}: ${violation}`,
    ),
  );
}

function importViolations({ path, text }: SourceFile): string[] {
  const layer = layerOf(path);
  const rules = layers[layer];
  if (!rules) {
    return ['is in no layer'];
  }
  return importsOf(withoutTemplates(withoutComments(text))).flatMap(found => {
    const target = found.from.startsWith('.') ? posix.join(path, '..', found.from) : undefined;
    if (found.isForEffect) {
      return [`imports ${found.from} for its side effects`];
    }
    return target === undefined
      ? packageViolations(rules, found)
      : fileViolations(layer, target, found);
  });
}

function packageViolations({ modules, typesOf = [] }: Layer, { from, isType }: Import): string[] {
  if (allows(modules, from) || (isType && allows(typesOf, from))) {
    return [];
  }
  return [allows(typesOf, from) ? `imports more than types from ${from}` : `imports ${from}`];
}

function fileViolations(layer: string, target: string, { isType, isDynamic }: Import): string[] {
  const other = layerOf(target);
  if (other === layer) {
    return [];
  }
  if (!layers[layer]?.layers.includes(other)) {
    return [`imports ${target}`];
  }
  const main = lazyLayers[other];
  const isAllowed = main === undefined || isType || (isDynamic && target === main);
  return isAllowed ? [] : [`imports more than types from ${target}`];
}

function wireViolations({ path, text }: SourceFile): string[] {
  const code = withoutComments(text);
  const speaksAny = code.match(/roots\/list_changed|\bsendRootsListChanged\b|\blistRoots\b/)?.[0];
  // A layer without a wire may say what the request is called, for a person to read.
  const isLabel = path === labelFile || layerOf(path) === 'extension';
  const speaks = speaksAny ?? (isLabel ? undefined : code.match(/roots\/list\b/)?.[0]);
  return speaks && !wireFiles.includes(path) ? [`knows how roots travel: ${speaks}`] : [];
}

function moduleViolations({ path, text }: SourceFile): string[] {
  // A main module builds its bundle, and the editor ends one by calling the module again.
  if (posix.basename(path) === 'main.ts') {
    return [];
  }
  const code = withoutLiterals(withoutComments(text));
  const statements = topLevelStatements(code);
  const constants = statements.flatMap(statement => constant.exec(statement)?.[1] ?? []);
  const statics = [...code.matchAll(/^ +.*\bstatic (?!readonly\b)(?:#?\w+) *[:=;]/gm)];
  return [
    ...statements.flatMap(statement => statementViolations(statement, constants)),
    ...statics.map(([line]) => `holds mutable state: ${line.trim()}`),
  ];
}

const constant = /^(?:export )?const (\w+)\b/;
const declaration =
  /^(?:import|export (?:type )?[{*]|(?:export )?(?:(?:default|declare|abstract|async) )*(?:function|class|interface|type)\b)/;
const emptyContainer = /^(?:new (?:Weak)?(?:Map|Set)(?:<.*>)?\(\)|\[\]|\{\});?$/;

function statementViolations(statement: string, constants: readonly string[]): string[] {
  const [head = ''] = statement.split('\n');
  const value = statement.slice(statement.search(/ = /) + 3).trim();
  const isConstant = constant.test(statement);
  if (/^(?:export )?(?:let|var)\b/.test(statement) || (isConstant && emptyContainer.test(value))) {
    return [`holds mutable state: ${head}`];
  }
  const isPassive = isConstant ? !doesWork(value, constants) : declaration.test(statement);
  return isPassive ? [] : [`does work on import: ${head}`];
}

/** Whether more happens than values being put together. Schemas are values put together by zod. */
function doesWork(value: string, constants: readonly string[]): boolean {
  const passive = withoutFunctions(value);
  const isFunction = /^(?:async )?(?:\(|\w+ =>)/.test(value) && value.includes('=>');
  const calls = passive.matchAll(
    /(?<![\w$.)\]])((?:new )?([A-Za-z_$][\w$]*)[\w$.]*)(?:<[^()]*>)?\(/g,
  );
  const isPure = (callee: string, root: string) =>
    ['new Set', 'new Map', 'new RegExp', 'Object.freeze'].includes(callee) ||
    (callee !== root && ['z', ...constants].includes(root));
  const hasCall = [...calls].some(([, callee = '', root = '']) => !isPure(callee, root));
  return !isFunction && (hasCall || /\bawait\b/.test(passive));
}

const functionHead =
  /^ {2}(?:(?:(?:async|get|set) )*[\w$]+(?:<.*>)?\(.*\{|[\w$]+: (?:async )?(?:\([^()]*\)|\w+) => .*)$/;

/** The lines of an object but for its methods and functions: what is in those runs later. */
function withoutFunctions(value: string): string {
  let isInside = false;
  const isPassive = (line: string) => {
    if (isInside) {
      isInside = !/^ {2}\}/.test(line);
      return false;
    }
    isInside = functionHead.test(line) && line.endsWith('{');
    return !functionHead.test(line);
  };
  return value.split('\n').filter(isPassive).join('\n');
}

function layerOf(path: string): string {
  return path.startsWith('src/server/hub/') ? 'hub' : (path.split('/')[1] ?? '');
}

function allows(modules: readonly string[], name: string): boolean {
  return modules.some(
    allowed => name === allowed || name.startsWith(allowed.endsWith(':') ? allowed : `${allowed}/`),
  );
}

function importsOf(code: string): Import[] {
  const statement = /^(?:import|export)\s(?:(type)\b)?[^;'"]*?\bfrom\s*['"]([^'"]+)['"]/gm;
  const effect = /^import\s*['"]([^'"]+)['"]/gm;
  const call = /(typeof )?\b(?:import|require)\(\s*['"]([^'"]+)['"]/g;
  const plain = { isType: false, isDynamic: false, isForEffect: false };
  return [
    ...[...code.matchAll(statement)].map(([, type, from = '']) => ({
      ...plain,
      from,
      isType: type !== undefined,
    })),
    ...[...code.matchAll(effect)].map(([, from = '']) => ({ ...plain, from, isForEffect: true })),
    ...[...code.matchAll(call)].map(([, type, from = '']) => ({
      ...plain,
      from,
      isType: type !== undefined,
      isDynamic: true,
    })),
  ];
}

/** The formatter puts what is at the top level, and nothing else, at the beginning of a line. */
function topLevelStatements(code: string): string[] {
  return code
    .split(/\n(?=[^\s)}\]`>|&?:.;])/)
    .map(statement => statement.trim())
    .filter(statement => statement !== '');
}

// One of: a comment, a text, a regular expression (where no value stands before the slash).
const lexical =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<=[(,=:[!&|?{};\n>]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/\w*/g;

function withoutComments(text: string): string {
  return text.replace(lexical, found => (/^\/[*/]/.test(found) ? ' ' : found));
}

/** Programs that are written as text import nothing here. */
function withoutTemplates(code: string): string {
  return code.replace(lexical, found => (found.startsWith('`') ? '``' : found));
}

function withoutLiterals(code: string): string {
  return code.replace(lexical, found => (found.startsWith('/') ? '0' : "''"));
}
