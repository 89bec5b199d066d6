import type { Part } from '../bench.ts';
import { measureRoundTrips } from '../roundTrip.ts';

/** How `roots/list` is answered by the client that the extension ships. */
export const rootsPart: Part = {
  name: 'roots',
  async run() {
    const { raw, ours, ratio } = await measureRoundTrips();
    const shown = ({ p50, p99 }: typeof raw) => `${p50.toFixed(0)} (${p99.toFixed(0)}) µs`;
    return [
      {
        what: 'answer roots/list',
        against: raw.name,
        ours: shown(ours),
        theirs: shown(raw),
        value: ratio,
        unit: '×',
        target: { atMost: 1.3 },
      },
    ];
  },
};
