import { argumentNames, joinedName } from '../guard/argumentMeaning.ts';
import type { RuleSet } from '../guard/guardRules.ts';
import type { ScopeRoot } from '../paths/pathScope.ts';
import { printable } from '../printable.ts';
import { nearestTo } from '../settings/mistakes.ts';
import type { HubServer } from './hubServer.ts';

interface RuledTool {
  readonly name: string;
  readonly [key: string]: unknown;
}

/**
 * Warnings, in whole sentences, about a server's rules that have no effect. A rule with a
 * misspelled name protects nothing, and its author must know.
 *
 * @param tools all tools of the server; `undefined` when the hub does not know them.
 */
export function ruleWarnings(
  server: Pick<HubServer, 'name' | 'globsFromRoot' | 'guard'>,
  roots: readonly Pick<ScopeRoot, 'announced' | 'real'>[],
  tools: readonly RuledTool[] | undefined,
): readonly string[] {
  return tools
    ? [...strayGlobs(server, roots), ...strayTools(server, tools), ...strayNames(server, tools)]
    : strayGlobs(server, roots);
}

/**
 * Globs that begin with the path of a root: their author probably means paths of the disk. This is
 * only a warning, because a root `/src` may contain a folder `/src/src`.
 */
function strayGlobs(
  { name, globsFromRoot }: Pick<HubServer, 'name' | 'globsFromRoot'>,
  roots: readonly Pick<ScopeRoot, 'announced' | 'real'>[],
): readonly string[] {
  return globsFromRoot.flatMap(glob => {
    const root = roots.find(one => restOf(glob, one) !== undefined);
    return root ? [problemOf(name, glob, root)] : [];
  });
}

function problemOf(name: string, glob: string, root: Parameters<typeof restOf>[1]): string {
  const [written, meant] = [glob, root.announced + glob].map(shown);
  const instead = shown(restOf(glob, root) || '**');
  return `Server "${printable(name)}": the glob ${written} means ${meant}, because globs begin at each root. Write ${instead}.`;
}

/** The rest of a glob after the path of a root; `undefined` if it begins with something else. */
function restOf(
  glob: string,
  { announced, real }: Pick<ScopeRoot, 'announced' | 'real'>,
): string | undefined {
  const path = [announced, real].find(path => `${glob}/`.startsWith(`${path}/`));
  return path === undefined ? undefined : glob.slice(path.length);
}

function shown(glob: string): string {
  return `"${printable(glob.slice(0, 200))}"`;
}

function strayTools(
  { name, guard }: Pick<HubServer, 'name' | 'guard'>,
  tools: readonly RuledTool[],
): readonly string[] {
  const known = tools.map(tool => tool.name);
  return [...guard.tools.keys()]
    .filter(rule => !known.includes(rule))
    .map(rule => {
      const [server, tool] = [printable(name), printable(rule.slice(0, 100))];
      const problem = `Server "${server}" has no tool "${tool}". The rules for this tool have no effect.`;
      return problem + adviceFor(rule, known);
    });
}

/** Warnings about argument names that no schema has; none if the schemas name no argument. */
function strayNames(
  { name, guard }: Pick<HubServer, 'name' | 'guard'>,
  tools: readonly RuledTool[],
): readonly string[] {
  const own = tools.map(tool => ({ tool, names: argumentNames(tool['inputSchema']) }));
  const ofTools = own.flatMap(({ tool, names }) => {
    const rules = guard.tools.get(tool.name);
    return rules
      ? straysIn(rules, names, `tool "${printable(tool.name.slice(0, 100))}" has no`)
      : [];
  });
  const all = own.flatMap(({ names }) => names);
  return [...straysIn(guard, all, 'no tool has an'), ...ofTools].map(
    problem => `Server "${printable(name)}": ${problem}`,
  );
}

function straysIn(rules: RuleSet, known: readonly string[], who: string): readonly string[] {
  const joined = new Set(known.map(joinedName));
  const keys = known.length > 0 ? (['checkNames', 'leaveNames'] as const) : [];
  return keys.flatMap(key =>
    rules[key]
      .filter(name => !joined.has(joinedName(name)))
      .map(name => {
        const problem = `${who} argument "${printable(name.slice(0, 100))}", so the name in "${key}" has no effect.`;
        return problem + adviceFor(name, known);
      }),
  );
}

function adviceFor(written: string, known: readonly string[]): string {
  const near = known.filter(({ length }) => length <= longestMeant);
  const meant = nearestTo(written, near);
  return meant === undefined ? '' : ` Did you mean "${printable(meant)}"?`;
}

/** The most characters of a name that is compared, because long names take longer. */
const longestMeant = 100;
