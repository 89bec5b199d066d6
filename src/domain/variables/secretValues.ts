import { isSecretName } from '../servers/serverIdentity.ts';

/** A shorter value stands in too many texts by chance: hiding it there would tell it. */
const shortest = 6;

/** The values that must be seen nowhere: those whose names say so and that are long enough to hide. */
export function secretValues(values: Readonly<Record<string, string>>): string[] {
  return hideable(
    Object.entries(values).flatMap(([name, value]) =>
      isSecretName(name) ? [value, withoutScheme(value)] : [],
    ),
  );
}

/** Those of the values that are long enough to hide, each once. */
export function hideable(values: readonly string[]): string[] {
  return [...new Set(values)].filter(({ length }) => length >= shortest);
}

/** `Bearer abc` is said as `abc`, too. */
function withoutScheme(value: string): string {
  return value.replace(/^\w+ +/, '');
}
