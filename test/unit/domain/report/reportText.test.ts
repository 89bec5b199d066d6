import { deepEqual, doesNotMatch, match, ok } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { accessTo } from '../../../../src/domain/consent/folderAccess.ts';
import { diskFolder } from '../../../../src/domain/folders/folders.ts';
import {
  diagnosticsText,
  issueText,
  type ReportedServer,
  type ReportFacts,
} from '../../../../src/domain/report/reportText.ts';
import { sentence } from '../../../../src/domain/sentence.ts';
import { noFaults } from '../../../../src/domain/servers/serverFaults.ts';
import { readServerSettings } from '../../../../src/domain/settings/serverSettings.ts';
import { allowing } from '../../../support/access.ts';

/** What a person named or wrote: in no report it may be found. */
const own = 'kanarie';
const around = { folders: [{ name: own, path: `/home/${own}` }], userHome: `/home/${own}` };

function facts(more: Partial<ReportFacts> = {}): ReportFacts {
  return {
    versions: {
      extension: '0.1.0',
      editor: '1.139.1',
      node: 'v22.1.0',
      system: '6.8.0-45-generic',
    },
    surroundings: {
      ...{ platform: 'linux', arch: 'x64', editor: 'Visual Studio Code' },
      ...{ remote: 'ssh-remote', isWeb: false },
    },
    window: { folders: 2, isTrusted: true },
    noSandbox: undefined,
    settings: [],
    mistakes: [],
    servers: [],
    ...more,
  };
}

const decisions: Readonly<Record<string, 'allowed' | 'denied'>> = { a: 'allowed', b: 'denied' };
const access = accessTo(
  ['a', 'b', 'c'].map(name =>
    diskFolder(`/home/${own}/${name}`, `${own}-${name}`, 'directory', 'linux'),
  ),
  allowing(({ name }) => decisions[name.at(-1) ?? ''] ?? 'undecided'),
);

/** A server of this entry, which nothing happened to but these. */
function server(entry: unknown, more: Partial<ReportedServer> = {}): readonly ReportedServer[] {
  return readServerSettings({ [own]: entry }, around).servers.map(definition => ({
    definition: { ...definition, from: 'user' },
    state: { kind: 'stopped' },
    status: { kind: 'plain' },
    problem: undefined,
    access,
    exposures: 0,
    faults: noFaults,
    sandbox: undefined,
    clients: 0,
    isOffered: false,
    ...more,
  }));
}

const failed = {
  kind: 'failed',
  failure: {
    kind: 'ended',
    end: { code: 1, signal: null, stderr: [`Error: ${own}`] },
    message: own,
    rubbishLines: 3,
  },
} as const;

describe('a report', () => {
  test('says in what all of it runs, what is set, what is wrong there, and how each server stands', () => {
    const running = { kind: 'running', era: 'legacy', protocolVersion: '2025-11-25' } as const;
    const value = { a: { command: 'x', colour: 1 }, b: { command: 'y', colour: 2 } };
    const text = diagnosticsText(
      facts({
        settings: [
          { from: 'user', id: 'mcpRoots.servers', value },
          { from: 'workspace', id: 'mcpRoots.autoStart', value: false },
          { from: 'workspace', id: 'mcpRoots.extraFolders', value: ['/a', '/b'] },
        ],
        mistakes: readServerSettings(value, around).problems,
        noSandbox: 'bubblewrap is missing: {0}',
        servers: [
          ...server(
            { command: 'npx', args: ['-y', 'x'], env: { A: 'b' } },
            { state: running, exposures: 2 },
          ),
          ...server(
            { command: '/opt/mine', sandbox: 'on', autoStart: false, cwd: '/tmp' },
            {
              state: failed,
              status: { kind: 'given-up', deaths: 5 },
              problem: sentence('died … times', own),
            },
          ),
          ...server(
            { type: 'sse', url: 'https://example.com', headers: { A: 'b' } },
            { isOffered: true, clients: 2, faults: { ...noFaults, rubbishLines: 4 } },
          ),
        ],
      }),
    );
    deepEqual(text.split('\n'), [
      '### Versions and window',
      '',
      '- MCP Roots 0.1.0',
      '- Visual Studio Code 1.139.1, desktop',
      '- linux 6.8.0-45 x64, Node 22.1.0',
      '- remote: ssh-remote',
      '- folders: 2, trusted',
      '- sandbox: no (bubblewrap is missing: {0})',
      '',
      '### Settings',
      '',
      '- mcpRoots.servers (user): object of 2',
      '- mcpRoots.autoStart (workspace): boolean',
      '- mcpRoots.extraFolders (workspace): list of 2',
      '- mistake: Server "…" in mcpRoots.servers: "…" is not a known key. Known keys: ….',
      '',
      '### Servers',
      '',
      '1. stdio by npx, arguments: 2, variables: 1, user; running legacy 2025-11-25; sees 1 of 3 folders; waiting for an answer: 1; left out as denied, undecided; handed roots 2×; roots as roots; protocol auto',
      '2. stdio by another, arguments: 0, variables: 0, cwd, user; failed: ended, exit code 1, lines that are no MCP: 3; status given-up; problem: died … times; sees 1 of 3 folders; waiting for an answer: 1; left out as denied, undecided; handed roots 0×; roots as roots; protocol auto; by hand only; sandbox asked for',
      '3. http (sse), headers: 1, user; stopped; sees 1 of 3 folders; waiting for an answer: 1; left out as denied, undecided; handed roots 0×; roots as roots; protocol auto; offered; clients: 2; faults: rubbish',
      '',
    ]);
  });

  test('begins an issue with what only a person knows, and goes on with the servers that failed', () => {
    const servers = [
      ...server({ command: 'npx' }),
      ...server({ command: 'uvx' }, { state: failed }),
    ];
    const text = issueText(facts({ servers }));
    match(
      text,
      /^### What happened\n\n\n### What I expected\n\n\n### How to make it happen again\n\n1\. \n/,
    );
    match(text, /### Servers that failed\n\n1\. stdio by uvx/);
    doesNotMatch(text, /npx/);
  });

  test('holds nothing that a person named or wrote, whatever that is', () => {
    let servers = 0;
    let mistakes = 0;
    const any = fc.string({ maxLength: 8 }).map(text => `${text}${own}${text}`);
    const entry = fc.record(
      {
        command: any,
        args: fc.array(any, { maxLength: 3 }),
        env: fc.dictionary(any, any, { maxKeys: 2 }),
        envFile: any,
        cwd: any,
        roots: fc.array(any, { maxLength: 2 }),
        sandbox: fc.oneof(any, fc.record({ read: fc.array(any.map(path => `/${path}`)) })),
        url: any.map(path => `https://${own}.example.com/${encodeURIComponent(path)}`),
        headers: fc.constant({ [own]: own }),
        protocol: any,
        [own]: any,
      },
      { requiredKeys: [] },
    );
    const settings = fc.dictionary(any, fc.oneof(entry, fc.record({ command: any }), any), {
      maxKeys: 4,
    });
    const version = any.map(text => `1.2.3${text}`);
    const property = fc.property(settings, any, version, (value, name, odd) => {
      const read = readServerSettings(value, around);
      const reported = Object.values(value).flatMap(one =>
        server(one, {
          state: { ...failed, failure: { ...failed.failure, end: { code: 1, signal: name } } },
        }),
      );
      servers += reported.length;
      mistakes += read.problems.length;
      const given = facts({
        versions: { extension: odd, editor: odd, node: name, system: odd },
        surroundings: { platform: name, arch: name, editor: name, remote: name, isWeb: true },
        settings: [
          { from: 'user', id: 'mcpRoots.servers', value },
          { from: 'workspace', id: 'mcpRoots.extraFolders', value: [name] },
          { from: 'workspace', id: 'mcpRoots.inputs', value: name },
        ],
        mistakes: read.problems,
        servers: reported,
      });
      doesNotMatch(diagnosticsText(given) + issueText(given), new RegExp(own));
    });
    fc.assert(property, { numRuns: 500 });
    ok(servers > 100 && mistakes > 100, `${servers} servers, ${mistakes} mistakes`);
  });
});
