import { AuditLog } from '../../src/hub/audit/auditLog.ts';

// A process that shares an audit log with others: it opens the log, says so, and writes its lines
// when it is told to.
const [path = '', server = '', count = '0', capacity = '0', kept = '0'] = process.argv.slice(2);
const opened = AuditLog.open(path, { capacity: Number(capacity), kept: Number(kept) });
if (!opened.ok) {
  throw new Error(opened.reason);
}
process.stdin.once('data', () => {
  for (let index = 0; index < Number(count); index += 1) {
    opened.log.write({ event: 'child', server, child: String(index), state: 'running' });
  }
  process.stdin.destroy();
});
process.stdout.write('open\n');
