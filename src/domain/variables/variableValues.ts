import { delimiter } from 'node:path';
import type { Variable } from './variableNames.ts';

/** What variables stand for at one start of a server. */
export interface VariableValues {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** By the id of the input. */
  readonly inputs: ReadonlyMap<string, string>;
  /** The paths of the visible roots. */
  readonly roots: readonly string[];
}

/** What stands between roots in one text; `undefined` for a variable that joins none. */
export function separatorOf(variable: Variable): string | undefined {
  return variable.kind === 'rootsJoined' ? (variable.separator ?? delimiter) : undefined;
}

/**
 * What a variable stands for; `undefined` when there is nothing.
 *
 * @param root what `${roots}` stands for this time.
 */
export function variableValue(
  variable: Variable,
  values: VariableValues,
  root: string | undefined,
): string | undefined {
  const { env, inputs, roots } = values;
  switch (variable.kind) {
    case 'workspaceFolder':
    case 'userHome':
      // Put in when the definition was read, so that its identity covers them; what is left over
      // had nothing to stand for then.
      return undefined;
    case 'env':
      return Object.hasOwn(env, variable.name) ? env[variable.name] : undefined;
    case 'input':
      return inputs.get(variable.name);
    case 'roots':
      return root;
    case 'rootsJoined':
      return roots.length > 0 ? roots.join(separatorOf(variable)) : undefined;
    case 'firstRoot':
      return roots[0];
  }
}
