import { cpSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ProcessOwner } from '../../../src/mcp/process/stdio/processOwner.ts';
import { sandboxedStart } from '../../../src/mcp/sandbox/sandboxedStart.ts';
import { findSandboxTool } from '../../../src/mcp/sandbox/sandboxTool.ts';
import { type Attacker, ownAttacker, tryWaysOut } from '../../../src/mcp/sandbox/waysOut/probe.ts';
import { landlockHere } from './bubblewrap.ts';

// A separate process, so that it can run as another user. Each malicious server tries its ways out
// of no sandbox, of one, of one with the network, of one with unix sockets, too, and of Landlock
// with the network. Prints the results.

const owner = new ProcessOwner('editor', console);
const { tool, problem } = await findSandboxTool(owner);
if (!tool) {
  throw new Error(JSON.stringify(problem));
}
const servers = join(homedir(), 'servers');
mkdirSync(servers);
for (const name of ['attacker.py', 'attacker.sh']) {
  cpSync(join(import.meta.dirname, name), join(servers, name));
}
const env = { PATH: '/usr/bin:/bin' };
const attackers: Readonly<Record<string, Attacker>> = {
  python: { command: '/usr/bin/python3', args: [join(servers, 'attacker.py')], env },
  node: ownAttacker(join(import.meta.dirname, '..', '..', '..', 'dist')),
  shell: { command: '/bin/sh', args: [join(servers, 'attacker.sh')], env },
};
const landlock = landlockHere();
const found: Record<string, unknown> = {};
for (const [name, attacker] of Object.entries(attackers)) {
  found[name] = {
    bare: await tryWaysOut(attacker, owner, async start => start),
    alone: await sandboxed(attacker, false),
    networked: await sandboxed(attacker, true),
    socketed: await sandboxed(attacker, true, true),
    ...(landlock.skip ? {} : { denied: await sandboxed(attacker, true, false, landlock.tool) }),
  };
}
owner.dispose();
process.stdout.write(JSON.stringify(found));

function sandboxed(attacker: Attacker, network: boolean, unixSockets = false, by = tool) {
  return tryWaysOut(attacker, owner, (start, roots) => {
    if (!by) {
      return Promise.reject(new Error('no sandbox'));
    }
    const terms = { read: [], write: [], network, unixSockets };
    const named = roots.map(root => ({ ...root, uri: `file://${root.path}`, name: root.path }));
    return sandboxedStart(start, { terms, roots: named }, by);
  });
}
