import { deepEqual, equal } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { conformanceServers } from '../conformance/fixture.ts';
import { isSoak } from '../support/effort.ts';
import { startService } from '../support/httpService.ts';

type Scenarios = Readonly<Record<string, readonly string[]>>;

// The scenarios that must pass, whatever the list of expected failures says.
const tools = ['simple-text', 'error', 'with-progress'].map(name => `tools-call-${name}`);
const older = ['server-initialize', 'ping', 'tools-list', 'tools-call-elicitation', ...tools];
const input = ['basic-list-roots', 'multiple-input-requests', 'multi-round', 'tampered-state'];
const withFixture: Scenarios = {
  '2025-03-26': ['server-session-lifecycle'],
  '2025-06-18': older,
  '2025-11-25': [...older, 'server-session-lifecycle', 'dns-rebinding-protection'],
  '2026-07-28': [
    ...tools,
    ...input.map(name => `input-required-result-${name}`),
    'tools-list',
    'server-stateless',
    'dns-rebinding-protection',
    'http-header-validation',
    'http-custom-header-server-validation',
  ],
};

describe('the conformance suite finds that the server keeps', { concurrency: true }, () => {
  for (const [revision, scenarios] of someOf(withFixture)) {
    test(`revision ${revision}, with the tools that the suite names`, async t => {
      const { url } = await startService(t, { servers: conformanceServers });
      const { code, output } = await runSuite(url, revision);
      equal(code, 0, output);
      deepEqual(missing(scenarios, output), [], output);
    });
  }
});

/** The newest revision; where there is time, each. */
function someOf(all: Scenarios) {
  return Object.entries(all).slice(isSoak ? 0 : -1);
}

// The suite gives some answers half a second or two, which a busy machine may need for itself.
const patientTimers = `data:text/javascript,${encodeURIComponent(`
  const { setTimeout: start } = globalThis;
  const patient = (run, time, ...rest) => start(run, time >= 500 ? time + 10_000 : time, ...rest);
  globalThis.setTimeout = Object.assign(patient, start);
`)}`;

const cli = path('../../node_modules/@modelcontextprotocol/conformance/dist/index.js');
const failures = path('../conformance/expected-failures.yaml');

function path(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}

/** The scenarios that did not run, or not to a good end. */
function missing(scenarios: readonly string[], output: string): string[] {
  const lines = output.matchAll(/^✓ (\S+): [1-9]\d* passed, 0 failed/gm);
  const passed = new Set([...lines].map(([, name]) => name));
  return scenarios.filter(name => !passed.has(name));
}

async function runSuite(url: string, revision: string) {
  const which = ['--spec-version', revision, '--suite', 'all', '--expected-failures', failures];
  const args = ['server', '--url', url, ...which];
  const suite = spawn(process.execPath, ['--import', patientTimers, cli, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  suite.stdout.on('data', chunk => {
    output += chunk;
  });
  const code = await new Promise<number | null>(resolve => suite.on('close', resolve));
  return { code, output };
}
