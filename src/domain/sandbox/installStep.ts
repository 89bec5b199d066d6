import { fetchingCall } from '../servers/fetchingPrograms.ts';
import type { ServerDefinition } from '../servers/serverDefinition.ts';

/** The arguments with which a program fetches a server and runs nothing of it. */
export interface InstallStep {
  /** For the same program. */
  readonly args: readonly string[];
  /** A file of the project that is run instead, where it exists: nothing is fetched then. */
  readonly ofProject: string | undefined;
}

/** `undefined`: it fetches nothing, or can't be made to run nothing. */
export function installStep(command: string, args: readonly string[]): InstallStep | undefined {
  const { program = '', options = [], rest: [what] = [] } = fetchingCall(command, args) ?? {};
  const installer = installers.find(({ name }) => name.test(program));
  const has = (option: RegExp) => options.some(one => option.test(one));
  if (!installer || has(/^(?:-n|--no|--no-install)$/) || (program === 'uv' && !has(/^tool$/))) {
    return undefined;
  }
  const isNamed = has(installer.naming);
  if (what === undefined && !isNamed) {
    return undefined;
  }
  const named = isNamed || what === undefined ? [] : [installer.option, what];
  return {
    args: [...options, ...named, ...installer.nothing],
    ofProject: installer.isProjectFirst && !isNamed ? `node_modules/.bin/${what}` : undefined,
  };
}

/** Whether a server fetches what it runs at its first start only, into a folder of its own. */
export function isInstalled({ launch, sandbox }: ServerDefinition): boolean {
  return (
    sandbox !== undefined &&
    launch.type === 'stdio' &&
    installStep(launch.command, launch.args) !== undefined
  );
}

interface Installer {
  readonly name: RegExp;
  /** Options that name what is fetched, and the one of them that is added. */
  readonly naming: RegExp;
  readonly option: string;
  /** A command that does nothing. */
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

/** The environment with the variables that have such programs keep all they fetch in a folder. */
export function withCaches(
  env: Readonly<Record<string, string>>,
  folder: string,
): Record<string, string> {
  const own = Object.entries(caches).map(([name, place]) => [name, `${folder}/${place}`] as const);
  return { ...without(env, Object.keys(caches)), ...Object.fromEntries(own) };
}

const caches = {
  npm_config_cache: 'npm',
  UV_CACHE_DIR: 'uv',
  UV_PYTHON_INSTALL_DIR: 'uv-python',
  UV_TOOL_DIR: 'uv-tools',
  XDG_CACHE_HOME: 'cache',
  XDG_DATA_HOME: 'data',
  XDG_STATE_HOME: 'state',
};

/** The environment with the variables that have such programs make do with what they fetched. */
export function withoutFetching(
  env: Readonly<Record<string, string>>,
  hasNetwork: boolean,
): Record<string, string> {
  return hasNetwork
    ? { ...env, npm_config_prefer_offline: 'true' }
    : { ...without(env, ['npm_config_offline']), npm_config_offline: 'true', UV_OFFLINE: '1' };
}

/** Programs such as npm read their variables in either case. */
function without(
  env: Readonly<Record<string, string>>,
  names: readonly string[],
): Record<string, string> {
  const lower = names.map(name => name.toLowerCase());
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !lower.includes(name.toLowerCase())),
  );
}
