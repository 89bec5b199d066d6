import { deepEqual, doesNotMatch, ok } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { accessTo } from '../../../../src/domain/consent/folderAccess.ts';
import { diskFolder } from '../../../../src/domain/folders/folders.ts';
import { type ReportedServer, reportText } from '../../../../src/domain/report/reportText.ts';
import { sentence } from '../../../../src/domain/sentence.ts';
import { readServerSettings } from '../../../../src/domain/settings/serverSettings.ts';
import { allowing } from '../../../support/access.ts';
import { effort } from '../../../support/effort.ts';

/** Texts that the user named or wrote: no report may contain them. */
const own = 'kanarie';
const around = { folders: [{ name: own, path: `/home/${own}` }], userHome: `/home/${own}` };

const window = {
  extensionVersion: '0.1.0',
  editor: 'Visual Studio Code',
  editorVersion: '1.139.1',
  nodeVersion: '22.1.0',
  platform: 'linux x64',
  remote: 'ssh-remote',
  isWeb: false,
  isTrusted: true,
  folders: 2,
};

const decisions: Readonly<Record<string, 'allowed' | 'denied'>> = { a: 'allowed', b: 'denied' };
const access = accessTo(
  ['a', 'b', 'c'].map(name =>
    diskFolder(`/home/${own}/${name}`, `${own}-${name}`, 'directory', 'linux'),
  ),
  allowing(({ name }) => decisions[name.at(-1) ?? ''] ?? 'undecided'),
);

/** The servers of this entry, with only these events. */
function server(entry: unknown, more: Partial<ReportedServer> = {}): readonly ReportedServer[] {
  return readServerSettings({ [own]: entry }, around).servers.map(definition => ({
    definition: { ...definition, from: 'user' },
    state: { kind: 'stopped' },
    problem: undefined,
    access,
    ...more,
  }));
}

const failed: Partial<ReportedServer> = {
  state: { kind: 'failed', failure: { kind: 'ended', end: { code: 1 } } },
  problem: sentence('"{0}" ended: {1}', own, sentence('it said {0}', own)),
};

describe('a report', () => {
  test('names the surroundings, and the status of each server', () => {
    const servers = [
      ...server({ command: 'npx' }, { state: { kind: 'running', era: 'legacy' } }),
      ...server({ command: '/opt/mine', sandbox: 'on' }, failed),
      ...server({ url: 'https://example.com' }),
    ];
    deepEqual(reportText(window, servers).split('\n'), [
      '- MCP Roots 0.1.0',
      '- Visual Studio Code 1.139.1, desktop, remote: ssh-remote',
      '- linux x64, Node 22.1.0',
      '- folders: 2, trusted',
      '- stdio server, user; running, legacy; sees 1 of 3 folders; folders without an answer: 1',
      '- stdio server, user; sandbox; failed: ended, exit code 1; problem: "…" ended: it said …; sees 1 of 3 folders; folders without an answer: 1',
      '- http server, user; stopped; sees 1 of 3 folders; folders without an answer: 1',
      '',
    ]);
  });

  test('names a known kind of remote, and never its machine', () => {
    const remotes = ['wsl', 'codespaces', '127.0.0.1:42145', `${own}-box`, undefined];
    const texts = remotes.map(remote => reportText({ ...window, remote }, []));
    deepEqual(
      texts.map(text => /remote: (.*)/.exec(text)?.[1]),
      ['wsl', 'codespaces', 'yes', 'yes', 'no'],
    );
  });

  test('contains no text that the user named or wrote', () => {
    let servers = 0;
    const any = fc.string({ maxLength: 8 }).map(text => `${text}${own}${text}`);
    const entry = fc.record(
      {
        command: any,
        args: fc.array(any, { maxLength: 3 }),
        env: fc.dictionary(any, any, { maxKeys: 2 }),
        envFile: any,
        cwd: any,
        sandbox: fc.oneof(any, fc.record({ read: fc.array(any.map(path => `/${path}`)) })),
        url: any.map(path => `https://${own}.example.com/${encodeURIComponent(path)}`),
        headers: fc.constant({ [own]: own }),
      },
      { requiredKeys: [] },
    );
    const property = fc.property(fc.oneof(entry, fc.record({ command: any })), any, (one, text) => {
      const reported = server(one, { ...failed, problem: sentence('{0}', text) });
      servers += reported.length;
      doesNotMatch(reportText(window, reported), new RegExp(own));
    });
    fc.assert(property, { numRuns: 50 * effort });
    ok(servers > 10 * effort, `${servers} servers`);
  });
});
