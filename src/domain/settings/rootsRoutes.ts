import type { Launch } from '../servers/launch.ts';
import { keysWithRoots } from '../servers/launchTexts.ts';
import type { RootsRoute } from '../servers/serverDefinition.ts';
import type { Mistakes } from './mistakes.ts';

const routes: readonly RootsRoute[] = ['roots', 'args', 'env'];

/** How roots travel to a server, and its launch, with the roots among its arguments if need be. */
export interface Routed {
  readonly rootsAs: readonly RootsRoute[];
  readonly launch: Launch;
}

/**
 * Reads the key `rootsAs`. Where it is left out, roots travel as requests, and by every way that the
 * launch names them.
 */
export function readRoutes(value: unknown, launch: Launch, mistakes: Mistakes): Routed {
  const named = namedRoutes(launch);
  const chosen = value === undefined ? undefined : chosenRoutes(value, mistakes);
  if (!chosen) {
    return { rootsAs: ['roots', ...named], launch };
  }
  const rootsAs = routes.filter(route => chosen.includes(route));
  if (launch.type === 'http') {
    if (rootsAs.some(route => route !== 'roots')) {
      mistakes.addAt('rootsAs', 'must be "roots" for a server called over HTTP.');
    }
    return { rootsAs: ['roots'], launch };
  }
  for (const route of named.filter(route => !chosen.includes(route))) {
    mistakes.addAt('rootsAs', leavesOut[route]);
  }
  if (chosen.includes('env') && !named.includes('env')) {
    mistakes.addAt('rootsAs', namesNoVariable);
  }
  const isToAppend = chosen.includes('args') && !keysWithRoots(launch).has('args');
  return {
    rootsAs,
    launch: isToAppend ? { ...launch, args: [...launch.args, '${roots}'] } : launch,
  };
}

type RouteOfLaunch = Exclude<RootsRoute, 'roots'>;

const leavesOut: Readonly<Record<RouteOfLaunch, string>> = {
  args: 'must have "args", because "args" or "cwd" name roots.',
  env: 'must have "env", because "env" names roots.',
};

const namesNoVariable =
  'says "env", but no variable in "env" names roots. Write for example "env": { "ALLOWED_DIRS": "${rootsJoined::}" }.';

function namedRoutes(launch: Launch): RouteOfLaunch[] {
  const keys = keysWithRoots(launch);
  return [
    ...(keys.has('args') || keys.has('cwd') ? ['args' as const] : []),
    ...(keys.has('env') ? ['env' as const] : []),
  ];
}

function chosenRoutes(value: unknown, mistakes: Mistakes): readonly RootsRoute[] | undefined {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  const chosen = items.filter(isRoute);
  if (items.length > 0 && chosen.length === items.length) {
    return chosen;
  }
  mistakes.addAt('rootsAs', 'must be "roots", "args" or "env", or a list of some of them.');
  return undefined;
}

function isRoute(value: unknown): value is RootsRoute {
  return routes.some(route => route === value);
}
