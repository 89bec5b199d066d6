import { printable } from '../../../domain/printable.ts';
import type { ConfigFile } from '../config/configFile.ts';

/** Why there is no server of this name to be called, and which there are, in finished sentences. */
export function unknownServer(
  name: string,
  there: Iterable<string>,
  config: Pick<ConfigFile, 'whyLeftOut'>,
): string {
  const shown = `"${printable(name.slice(0, 100))}"`;
  const problem = config.whyLeftOut(name);
  const what =
    problem === undefined ? `There is no server ${shown}.` : `${shown} is left out: ${problem}`;
  return `${what} There are: ${[...there].map(printable).join(', ') || 'none'}.`;
}
