import { fetchingCall, programName } from '../fetchingPrograms.ts';
import type { ServerDefinition } from './serverDefinition.ts';

/** The arguments that make a program fetch a server without running it. */
export interface InstallStep {
  /** The arguments, for the same program. */
  readonly args: readonly string[];
  /** A file in the project. If the file exists, it runs instead, and nothing is fetched. */
  readonly ofProject: string | undefined;
  /** The package that `npx` runs, and how many arguments come before the package's own. */
  readonly runs?: { readonly name: string; readonly at: number };
}

/** How to fetch a server without running it; `undefined` if nobody knows how for this command. */
export function installStep(command: string, args: readonly string[]): InstallStep | undefined {
  const { program = '', options = [], rest = [] } = fetchingCall(command, args) ?? {};
  const [what] = rest;
  const installer = installers.find(({ name }) => name.test(program));
  const has = (option: RegExp) => options.some(one => option.test(one));
  if (!installer || has(/^(?:-n|--no|--no-install)$/) || (program === 'uv' && !has(/^tool$/))) {
    return undefined;
  }
  const isNamed = has(installer.naming);
  if (what === undefined && !isNamed) {
    return undefined;
  }
  const [, name] = /^((?:@[\w.-]+\/)?\w[\w.-]*)(?:@[\w.^~-]*)?$/.exec(what ?? '') ?? [];
  const isPlain = program === 'npx' && options.every(one => /^(?:-y|--yes)$/.test(one));
  const named = isNamed || what === undefined ? [] : [installer.option, what];
  return {
    args: [...options, ...named, ...installer.nothing],
    ofProject: installer.isProjectFirst && !isNamed ? `node_modules/.bin/${what}` : undefined,
    ...(isPlain && name !== undefined && { runs: { name, at: args.length - rest.length + 1 } }),
  };
}

/** Whether a server has its own folder into which its first start fetches its program. */
export function isInstalled({ launch, sandbox }: ServerDefinition): boolean {
  return (
    sandbox !== undefined &&
    launch.type === 'stdio' &&
    installStep(launch.command, launch.args) !== undefined
  );
}

interface Installer {
  readonly name: RegExp;
  /** Options that name the package to fetch. `option` is added if none of them is given. */
  readonly naming: RegExp;
  readonly option: string;
  /** A command that does nothing, to run in place of the server. */
  readonly nothing: readonly string[];
  readonly isProjectFirst?: true;
}

const ofNode = { naming: /^(?:-p|--package)(?:=|$)/, option: '--package' };

const installers: readonly Installer[] = [
  { name: /^(?:npx|npm)$/, ...ofNode, nothing: ['--yes', '--call', 'true'], isProjectFirst: true },
  { name: /^(?:pnpx|pnpm)$/, ...ofNode, nothing: ['true'] },
  {
    name: /^uvx?$/,
    naming: /^--from(?:=|$)/,
    option: '--from',
    nothing: ['python', '-c', 'pass'],
  },
];

/** The environment plus variables that make npm, pnpm and uv store downloads in `folder`. */
export function withCaches(
  env: Readonly<Record<string, string>>,
  folder: string,
  command: string,
): Record<string, string> {
  const all = { ...caches, ...(/^pnp[mx]$/.test(programName(command)) && ofPnpm) };
  const own = Object.entries(all).map(([name, place]) => [name, `${folder}/${place}`] as const);
  return { ...without(env, Object.keys(caches)), ...Object.fromEntries(own) };
}

const caches = {
  npm_config_cache: 'npm',
  UV_CACHE_DIR: 'uv',
  UV_PYTHON_INSTALL_DIR: 'uv-python',
  UV_TOOL_DIR: 'uv-tools',
};

/** The cache variables of pnpm 10 and of later versions. npm would warn about them. */
const ofPnpm = {
  npm_config_cache_dir: 'pnpm-cache',
  npm_config_store_dir: 'pnpm-store',
  pnpm_config_cache_dir: 'pnpm-cache',
  pnpm_config_store_dir: 'pnpm-store',
};

/**
 * A file's path relative to the folder that contains its package, such as `server/dist/data.json`,
 * or else to the project. `undefined` for files elsewhere, and for files that each start writes.
 */
export function storedPath(path: string): string | undefined {
  const { project = '' } = projects.exec(path)?.groups ?? {};
  const { inside = project } = packages.exec(project)?.groups ?? {};
  return inside === '' || madeAnew.test(project) ? undefined : inside;
}

/** Files that each start writes: Python's compiled files, and npm's record of a project. */
const madeAnew = /\/__pycache__\/|^(?:node_modules\/\.)?package-lock\.json$/;

/** The paths of fetched programs. Other files of a cache, such as logs, change at each start. */
const projects = /\/(?:_npx|archive-v\d+|environments-v\d+|uv-tools|dlx)\/[^/]+\/(?<project>.+)$/s;
const packages = /.*(?:^|\/)(?:node_modules|site-packages)\/(?<inside>.+)$/s;

/** The environment plus variables that make npm, pnpm and uv use what they fetched before. */
export function withoutFetching(
  env: Readonly<Record<string, string>>,
  hasNetwork: boolean,
): Record<string, string> {
  return hasNetwork
    ? { ...env, npm_config_prefer_offline: 'true' }
    : { ...without(env, ['npm_config_offline']), npm_config_offline: 'true', UV_OFFLINE: '1' };
}

/** Removes variables in any letter case, because npm and similar programs read both cases. */
function without(
  env: Readonly<Record<string, string>>,
  names: readonly string[],
): Record<string, string> {
  const lower = names.map(name => name.toLowerCase());
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !lower.includes(name.toLowerCase())),
  );
}
