import { spawnSync } from 'node:child_process';
import { nodeTestEnv, nodeTestFlags, testFiles } from './testFiles.ts';

// `npm run test:windows`: the tests of what Windows does in its own way, on Windows, or where a program
// runs scripts by Windows' own node.exe, as Wine does: MCP_ROOTS_WINDOWS_NODE names that program. Under
// Wine the folder of the project is on drive Z, and should be a copy: a program that is started with
// `windowsHide` ends there at once.

const isWindows = process.platform === 'win32';
const inherited: NodeJS.ProcessEnv = isWindows ? nodeTestEnv : process.env;
const { MCP_ROOTS_WINDOWS_NODE: named, ...env } = inherited;
const node = named ?? (isWindows ? process.execPath : undefined);
const files = [
  ...testFiles('unit', [
    'unit/connect/',
    'unit/domain/paths/',
    'unit/extension/gateway/',
    'unit/hub/guard/',
    'unit/mcp/process/stdio/',
    'unit/server/commandLine.test.ts',
    'unit/server/paths/',
    'unit/server/roots/',
  ]),
  // Paths and tools, gateway and connector over pipes, ends, the hub and its guard.
  ...testFiles('protocol', [
    'bundledServerListing',
    'bundledServerRoots',
    'bundledServerTools',
    'bundledServerWriting',
    'connectLife',
    'gatewayClients',
    'gatewayConsent',
    'gatewayEnds',
    'hubConfig',
    'hubOffers',
    'hubTools',
    'hubUpstreamsLifetime',
    'hubUpstreamsRoots',
    'lifecycle',
    'serverProcess',
    'stdioTransport',
  ]),
];
if (node === undefined) {
  console.log(
    'Left out: this is not Windows, and MCP_ROOTS_WINDOWS_NODE names no program that runs its node.exe.',
  );
} else {
  const flags = nodeTestFlags.map(flag =>
    isWindows ? flag : flag.replace('file:///', 'file:///Z:/'),
  );
  // Without that variable: the bundled server refuses unknown variables with its prefix.
  const { status, error } = spawnSync(node, [...flags, ...files], { stdio: 'inherit', env });
  if (error) {
    console.error(`${node} could not be started: ${error.message}`);
  }
  process.exitCode = status ?? 1;
}
