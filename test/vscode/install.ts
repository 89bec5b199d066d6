import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Recipe, recipes, type VsCodeRelease } from './releases.ts';
import { runTool } from './runTool.ts';

/** A VS Code server out of the npm registry, ready to be started: `<node> <serverMain> …`. */
export interface NpmVsCode {
  readonly version: string;
  readonly node: string;
  readonly serverMain: string;
}

const root = join(import.meta.dirname, '..', '..');
const cache = join(root, '.vscode-test');
const quietNpm = ['--no-audit', '--no-fund', '--loglevel=error'];

/**
 * The VS Code of that release, installed into `.vscode-test/` if missing. An existing folder is
 * complete: an install works in a temporary folder and renames it at its end.
 */
export async function npmVsCode(release: VsCodeRelease): Promise<NpmVsCode> {
  const recipe = recipes[release];
  const folder = join(cache, `npm-${recipe.version}`);
  if (!existsSync(folder)) {
    console.log(`Installing VS Code ${recipe.version} from npm, once; this takes about 15 s …`);
    await install(recipe, folder);
  }
  return {
    version: recipe.version,
    node: recipe.nodeSpec ? nodeIn(folder) : currentNode(recipe),
    serverMain: join(folder, 'out', 'server-main.js'),
  };
}

async function install(recipe: Recipe, folder: string): Promise<void> {
  mkdirSync(cache, { recursive: true });
  removeLeftovers();
  const staging = mkdtempSync(join(cache, `installing-${process.pid}-`));
  try {
    await Promise.all([
      unpack(recipe, staging).then(() => addDependencies(recipe, staging)),
      recipe.nodeSpec && addNode(recipe.nodeSpec, staging),
    ]);
    moveInto(folder, staging);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

async function unpack({ spec, integrity }: Recipe, folder: string): Promise<void> {
  await runTool('npm', ['pack', spec, ...quietNpm], folder);
  const tarball = readdirSync(folder).find(name => name.endsWith('.tgz')) ?? '';
  const content = readFileSync(join(folder, tarball));
  const hash = createHash('sha512').update(content).digest('base64');
  if (integrity !== `sha512-${hash}`) {
    throw new Error(`${spec} is not what it was: expected ${integrity}, got sha512-${hash}.`);
  }
  await runTool('tar', ['-xzf', tarball, '--strip-components=3', 'package/lib/vscode'], folder);
  rmSync(join(folder, tarball));
}

async function addDependencies({ dependencies, standIns }: Recipe, folder: string): Promise<void> {
  if (dependencies) {
    const manifestFile = join(folder, 'package.json');
    const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
    Object.assign(manifest.dependencies, dependencies);
    writeFileSync(manifestFile, JSON.stringify(manifest, undefined, 2));
    rmSync(join(folder, 'npm-shrinkwrap.json'));
  }
  await runTool('npm', ['install', '--omit=dev', '--ignore-scripts', ...quietNpm], folder);
  for (const [name, file] of Object.entries(standIns)) {
    const original = join(folder, 'node_modules', name, 'index.js');
    copyFileSync(join(import.meta.dirname, 'standIns', file), original);
  }
}

async function addNode(spec: string, folder: string): Promise<void> {
  const prefix = join(folder, 'node');
  mkdirSync(prefix);
  writeFileSync(
    join(prefix, 'package.json'),
    '{ "private": true, "allowScripts": { "node": true } }',
  );
  await runTool('npm', ['install', spec, '--ignore-scripts=false', ...quietNpm], prefix);
  if (!existsSync(nodeIn(folder))) {
    throw new Error(`npm installed ${spec} without its binary: its install script did not run.`);
  }
}

/** Another process may have finished the same install meanwhile; then that one is as good. */
function moveInto(folder: string, staging: string): void {
  try {
    renameSync(staging, folder);
  } catch (error) {
    if (!existsSync(folder)) {
      throw error;
    }
  }
}

function removeLeftovers(): void {
  for (const name of readdirSync(cache)) {
    const pid = /^installing-(\d+)-/.exec(name)?.[1];
    if (pid && !isRunning(Number(pid))) {
      rmSync(join(cache, name), { recursive: true, force: true });
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function nodeIn(folder: string): string {
  const binary = process.platform === 'win32' ? 'node.exe' : 'node';
  return join(folder, 'node', 'node_modules', 'node', 'bin', binary);
}

function currentNode({ version }: Recipe): string {
  if (Number.parseInt(process.versions.node, 10) < 24) {
    throw new Error(
      `VS Code ${version} runs on Node 24, and this is ${process.version}. ` +
        'Start it through npm (`npm test`, `npm start`), which brings Node 24 along.',
    );
  }
  return process.execPath;
}
