import type { ServerRules } from '../guard/guardRules.ts';
import { printable } from '../printable.ts';
import { nearestTo } from '../settings/keys.ts';

/**
 * Of the rules for single tools those that hold for nothing, because their server has no such tool:
 * a rule with a misspelt name protects nobody, and must not look as if it did.
 *
 * @param tools the names of all tools that the server has.
 * @returns finished sentences.
 */
export function strayToolRules(
  { name, guard }: { readonly name: string; readonly guard: Pick<ServerRules, 'tools'> },
  tools: readonly string[],
): readonly string[] {
  const known = new Set(tools);
  const named = tools.filter(({ length }) => length <= longestMeant);
  return [...guard.tools.keys()]
    .filter(rule => !known.has(rule))
    .map(rule => {
      const meant = nearestTo(rule, named);
      const advice = meant === undefined ? '' : ` Did you mean "${printable(meant)}"?`;
      const [server, tool] = [printable(name), printable(rule.slice(0, 100))];
      return `Server "${server}" has no tool "${tool}", so its rules hold for nothing.${advice}`;
    });
}

/** In characters: the comparison of names grows with their length. */
const longestMeant = 100;
