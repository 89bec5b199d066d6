import { join } from 'node:path';
import { parseArgs } from 'node:util';

/** What the command line of the bench asks for. */
export interface Options {
  /** The names of the parts to run. */
  readonly only: readonly string[];
  readonly server: string;
  readonly json: string;
  readonly isQuick: boolean;
}

const dist = join(import.meta.dirname, '..', '..', 'dist');

/** @throws when there is an option or a part that the bench does not know. */
export function parseOptions(args: readonly string[], parts: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', default: parts.join(',') },
      server: { type: 'string', default: join(dist, 'server.js') },
      json: { type: 'string', default: join(dist, 'bench.json') },
      quick: { type: 'boolean', default: false },
    },
  });
  const only = values.only.split(',');
  const unknown = only.filter(name => !parts.includes(name));
  if (unknown.length > 0) {
    throw new Error(`There is no ${unknown.join(', ')} to measure, only: ${parts.join(', ')}.`);
  }
  return { only, server: values.server, json: values.json, isQuick: values.quick };
}
