/** The way from a definition to a part of it: the names of keys, and places in lists from 0. */
export type KeyPath = readonly (string | number)[];

/** As a person would write it: `args[2]`, `env.NAME`. */
export function shownPath([first = '', ...rest]: KeyPath): string {
  const steps = rest.map(step => (typeof step === 'number' ? `[${step}]` : `.${step}`));
  return [first, ...steps].join('');
}
