/** What `work` costs the processor, in milliseconds: what else the machine does is not in it. */
export function cpuTimeOf(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
