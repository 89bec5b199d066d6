import { cpus } from 'node:os';
import { bundleSizes, loadTime } from './activation.ts';
import { table } from './figures.ts';
import { measureRoundTrips } from './roundTrip.ts';

// `npm run bench`: measures what the project promises about speed, and says what is missed.
// Figures of one machine say little, so each stands beside the least that is possible there.

const targetRatio = 1.3;
const targetBytes = 60 * 1024;

console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}\n`);

const { raw, ours, ratio } = await measureRoundTrips();
console.log(
  table([
    ['round trip between two processes', 'p50 µs', 'p99 µs'],
    ...[raw, ours].map(({ name, p50, p99 }) => [name, p50.toFixed(1), p99.toFixed(1)]),
  ]),
);
console.log(`ratio ${ratio.toFixed(2)}, ${verdict(ratio <= targetRatio, `≤ ${targetRatio}`)}\n`);

const bundles = bundleSizes();
if (bundles.length === 0) {
  console.log('Nothing is built, so no bundle was measured: run `npm run build` first.');
} else {
  console.log(
    table([
      ['bundle', 'bytes', 'load ms'],
      ...bundles.map(({ name, bytes }) => [
        name,
        String(bytes),
        // The server begins to serve when it is loaded.
        name === 'server.js' ? '-' : loadTime(name).toFixed(1),
      ]),
    ]),
  );
  const { bytes = Number.NaN } = bundles.find(({ name }) => name === 'extension.js') ?? {};
  console.log(`extension.js ${verdict(bytes <= targetBytes, `≤ ${targetBytes} bytes`)}`);
}

function verdict(isMet: boolean, target: string): string {
  return `${isMet ? 'meets' : 'MISSES'} the target ${target}`;
}
