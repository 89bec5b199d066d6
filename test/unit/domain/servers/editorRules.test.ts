import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inEnglish } from '../../../../src/domain/sentence.ts';
import {
  type EditorRules,
  ruleAgainst,
  ruleSentence,
  rulesIn,
} from '../../../../src/domain/servers/editorRules.ts';
import { httpLaunch, stdioLaunch } from '../../../support/launches.ts';

const none: EditorRules = { access: 'all', allowed: null, denied: null };

const launch = stdioLaunch({ command: 'npx', args: ['-y', 'server-files'] });
const env = { HOST: 'evil.example' };
const files = { name: 'files', isOwn: false, launch, env };
const site = { ...files, name: 'site', launch: httpLaunch('https://mcp.example.com/v1?x=1') };

describe('a rule of the editor', () => {
  test('on access holds for all servers, and on the registry for all but its own', () => {
    const own = { ...files, isOwn: true };
    const verdicts = ['all', 'registry', 'none', undefined, 1].map(access =>
      [files, site, own].map(server => ruleAgainst({ ...none, access }, server)),
    );
    const no = 'chat.mcp.access';
    const yes = undefined;
    deepEqual(verdicts, [
      [yes, yes, yes],
      [no, no, yes],
      [no, no, no],
      [yes, yes, yes],
      [yes, yes, yes],
    ]);
  });

  test('names servers by their name, command or URL, and denies before it allows', () => {
    const [byName, byCommand, byUrl] = [
      { serverName: 'files' },
      { serverCommand: ['npx', '-y', 'server-files'] },
      { serverUrl: 'https://*.example.com/*' },
    ];
    const denied = 'chat.mcp.deniedServers';
    const unlisted = 'chat.mcp.allowedServers';
    const rows: readonly [Partial<EditorRules>, string | undefined, string | undefined][] = [
      [{ denied: [byName] }, denied, undefined],
      [{ denied: [byCommand] }, denied, undefined],
      [{ denied: [byUrl] }, undefined, denied],
      [{ allowed: [] }, unlisted, unlisted],
      [{ allowed: [byName] }, undefined, unlisted],
      [{ allowed: [byCommand, byUrl] }, undefined, undefined],
      [{ allowed: [byName], denied: [byCommand] }, denied, unlisted],
      [{ allowed: [{ serverCommand: ['npx', '-y'] }] }, unlisted, unlisted],
      [{ allowed: [{ serverCommand: ['npx', '-y', 'server-files', '/'] }] }, unlisted, unlisted],
      [{ allowed: [{ serverName: 'Files' }, { serverName: 'fil*' }] }, unlisted, unlisted],
      // What is no such list, or no such entry, names nothing.
      [{ allowed: 'files', denied: { 0: byName } }, undefined, undefined],
      [
        { denied: [null, 'files', { ...byName, ...byUrl }, { serverCommand: [] }] },
        undefined,
        undefined,
      ],
      [{ allowed: ['files', { ...byName, ...byUrl }] }, unlisted, unlisted],
    ];
    for (const [rules, onFiles, onSite] of rows) {
      const verdicts = [files, site].map(server => ruleAgainst({ ...none, ...rules }, server));
      deepEqual(verdicts, [onFiles, onSite], JSON.stringify(rules));
    }
  });

  test('reads the pattern of a URL as the editor does', () => {
    const rows: readonly [string, string, boolean][] = [
      ['https://mcp.example.com/v1', 'https://mcp.example.com/v1', true],
      ['https://MCP.example.com:443/v1', 'https://u:p@mcp.example.com/V1#part', true],
      ['https://mcp.example.com/v1', 'https://mcp.example.com/v1/', false],
      ['https://mcp.example.com', 'https://mcp.example.com/', true],
      ['https://*.example.com/*', 'https://mcp.example.com/v1?x', true],
      ['https://*.example.com/*', 'https://a.b.example.com/', true],
      ['https://*.example.com', 'https://mcp.example.com/', true],
      ['https://*.example.com/*', 'https://example.com/', false],
      ['https://*.example.com/*', 'https://evil.com/.example.com/', false],
      ['https://*.example.com/*', 'https://evil.com?.example.com/', false],
      ['https://*.example.com/*', 'http://mcp.example.com/', false],
      ['http://localhost:*/*', 'http://localhost:3000/mcp', true],
      ['http://localhost:*/*', 'http://localhost/mcp', true],
      ['http://localhost:*/*', 'http://localhost.evil.com/mcp', false],
      ['http://[::1]:*/*', 'http://[::1]:8080/mcp', true],
      ['http://localhost:80/*', 'http://localhost/mcp', true],
      ['https://example.com?*', 'https://example.com/?key', true],
      ['https://example.com\\*', 'https://example.com/x', true],
      ['https://u@example.com/*', 'https://example.com/x', true],
      ['*', 'https://anything.example', false],
      ['*://example.com/*', 'https://example.com/x', true],
      ['https://example.com/a.c*', 'https://example.com/abc', false],
      ['https:///*', 'https://example.com/', false],
      ['no url', 'https://example.com/', false],
      ['https://*', 'no url', false],
    ];
    for (const [serverUrl, url, isMeant] of rows) {
      const server = { ...site, launch: httpLaunch(url) };
      const rule = ruleAgainst({ ...none, denied: [{ serverUrl }] }, server);
      equal(rule !== undefined, isMeant, `${serverUrl} ${url}`);
    }
  });

  test('on what stands in the environment is held against that before any start', () => {
    const server = { ...site, launch: httpLaunch('https://${env:HOST}/mcp') };
    const byUrl = [{ serverUrl: 'https://evil.example/*' }];
    const others = [{ serverUrl: 'https://good.example/*' }];
    const unset = { ...server, env: {} };
    deepEqual(
      [
        ruleAgainst({ ...none, denied: byUrl }, server),
        ...[byUrl, others].map(allowed => ruleAgainst({ ...none, allowed }, server)),
        ruleAgainst({ ...none, allowed: others }, unset),
      ],
      ['chat.mcp.deniedServers', undefined, 'chat.mcp.allowedServers', undefined],
    );
  });

  test('on what variables stand for is held against what is started', () => {
    const withRoots = (roots: string) => ({ ...launch, args: [...launch.args, roots] });
    const server = { ...files, launch: withRoots('${roots}') };
    const started = withRoots('/w');
    const list = (...serverCommand: string[]) => [{ serverCommand }];
    const listed = list('npx', '-y', 'server-files', '/w');
    const unlisted = 'chat.mcp.allowedServers';
    const rows: readonly [Partial<EditorRules>, string | undefined, string | undefined][] = [
      [{ allowed: listed }, undefined, undefined],
      [{ allowed: list('npx', '-y', 'server-files', '${roots}') }, undefined, undefined],
      [{ allowed: list('other') }, undefined, unlisted],
      [{ allowed: [{ serverName: 'other' }] }, unlisted, unlisted],
      [{ denied: listed }, undefined, 'chat.mcp.deniedServers'],
    ];
    for (const [rules, before, then] of rows) {
      const all = { ...none, ...rules };
      deepEqual([ruleAgainst(all, server), ruleAgainst(all, server, started)], [before, then]);
    }
  });
});

test('where an organization wants it, its list alone allows, and all lists deny', () => {
  const [a, b, c] = ['a', 'b', 'c'].map(serverName => [{ serverName }]);
  const values = {
    access: { defaultValue: 'all', globalValue: 'none' },
    allowedServers: { defaultValue: a, globalValue: b },
    deniedServers: { defaultValue: b, globalValue: c, workspaceValue: 'c' },
    allowManagedServersOnly: { defaultValue: false, globalValue: false },
  };
  const settings = (isOnly: unknown, all = values) => ({
    get: (name: keyof typeof values) =>
      name === 'allowManagedServersOnly' ? isOnly : all[name].globalValue,
    inspect: (name: keyof typeof values) => all[name],
  });
  deepEqual(rulesIn(settings(false)), { access: 'none', allowed: b, denied: c });
  deepEqual(rulesIn(settings(true)), {
    access: 'none',
    allowed: a,
    denied: [b, c].flat(),
  });
  const unset = { ...values, allowedServers: { defaultValue: null, globalValue: b } };
  deepEqual(rulesIn(settings(true, unset as never)).allowed, []);
});

test('whose rule it is, is said', () => {
  equal(
    inEnglish(ruleSentence('chat.mcp.access', 'files')),
    'The setting chat.mcp.access of the editor, which an organization can set, forbids "files".',
  );
});
