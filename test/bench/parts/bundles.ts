import { bundleSizes, loadTime } from '../activation.ts';
import type { Part } from '../bench.ts';
import type { Row } from '../row.ts';

const largest: Readonly<Record<string, number>> = { 'extension.js': 150 * 1024 };

/** These begin their work when they are loaded. */
const programs: ReadonlySet<string> = new Set(['server.js', 'connect.js', 'waysOut.js']);

/** How large the built bundles are, and how long those of the extension take to load. */
export const bundlesPart: Part = {
  name: 'bundles',
  run: async () => bundleSizes().flatMap(({ name, bytes }) => rowsOf(name, bytes)),
};

function rowsOf(name: string, bytes: number): readonly Row[] {
  const atMost = largest[name];
  const size: Row = {
    what: `size of ${name}`,
    value: bytes,
    unit: 'bytes',
    ...(atMost !== undefined && { target: { atMost } }),
  };
  return programs.has(name)
    ? [size]
    : [size, { what: `load ${name}`, value: loadTime(name), unit: 'ms' }];
}
