import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { type FleetFigures, fleetServers, OurFleet, PlainFleet } from './fleet.ts';
import { clientOf, ours } from './product.ts';

// A process like an extension host: it has a number of servers, and measures itself meanwhile. Its
// arguments are whose client it uses, and how many servers; it answers with a line of JSON.

const [way, count] = process.argv.slice(2);
const client = clientOf(ours);
const fleet = way === 'ours' ? new OurFleet(client) : new PlainFleet();
const env = client.serverEnvironment(process.env, {}, process.platform);
const servers = fleetServers(Number(count), env);
const start = await measure(() => fleet.start(servers));
const change = await measure(() => fleet.openFolder());
await fleet.stop();

const figures: FleetFigures = {
  start: start.time,
  blockAtStart: start.block,
  change: change.time,
  blockAtChange: change.block,
};
process.stdout.write(`${JSON.stringify(figures)}\n`);

/** How long the work takes, and how long it keeps the event loop at most, in milliseconds. */
async function measure(work: () => Promise<void>): Promise<{ time: number; block: number }> {
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  histogram.enable();
  // What comes before its first look it would not notice.
  await pause(200);
  histogram.reset();
  await pause(20);
  const begun = performance.now();
  await work();
  const time = performance.now() - begun;
  await pause(20);
  histogram.disable();
  return { time, block: histogram.max / 1e6 };
}
