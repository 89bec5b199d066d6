import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type EditorRules,
  ruleAgainst,
  rulesIn,
} from '../../../../src/domain/servers/editorRules.ts';
import { httpLaunch, stdioLaunch } from '../../../support/launches.ts';

const none: EditorRules = { access: 'all', allowed: null, denied: null };

const launch = stdioLaunch({ command: 'npx', args: ['-y', 'server-files'] });
const env = { HOST: 'evil.example' };
const files = { name: 'files', isOwn: false, launch, env };
const site = { ...files, name: 'site', launch: httpLaunch('https://mcp.example.com/v1?x=1') };

describe('a rule of the editor', () => {
  test('on access holds for all servers, and on the registry for all but the bundled server', () => {
    const own = { ...files, isOwn: true };
    const verdicts = ['all', 'registry', 'none', undefined, 1].map(access =>
      [files, site, own].map(server => ruleAgainst([{ ...none, access }], server)),
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
      // An invalid list or entry names nothing.
      [{ allowed: 'files', denied: { 0: byName } }, undefined, undefined],
      [
        { denied: [null, 'files', { ...byName, ...byUrl }, { serverCommand: [] }] },
        undefined,
        undefined,
      ],
      [{ allowed: ['files', { ...byName, ...byUrl }] }, unlisted, unlisted],
    ];
    for (const [rules, onFiles, onSite] of rows) {
      const verdicts = [files, site].map(server => ruleAgainst([{ ...none, ...rules }], server));
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
      const rule = ruleAgainst([{ ...none, denied: [{ serverUrl }] }], server);
      equal(rule !== undefined, isMeant, `${serverUrl} ${url}`);
    }
  });

  test('on values from the environment is checked before any start', () => {
    const server = { ...site, launch: httpLaunch('https://${env:HOST}/mcp') };
    const byUrl = [{ serverUrl: 'https://evil.example/*' }];
    const others = [{ serverUrl: 'https://good.example/*' }];
    const unset = { ...server, env: {} };
    deepEqual(
      [
        ruleAgainst([{ ...none, denied: byUrl }], server),
        ...[byUrl, others].map(allowed => ruleAgainst([{ ...none, allowed }], server)),
        ruleAgainst([{ ...none, allowed: others }], unset),
      ],
      ['chat.mcp.deniedServers', undefined, 'chat.mcp.allowedServers', undefined],
    );
  });

  test('on values of variables is checked at the start', () => {
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
      const all = [{ ...none, ...rules }];
      deepEqual([ruleAgainst(all, server), ruleAgainst(all, server, started)], [before, then]);
    }
  });
});

/** The editor's settings under `chat.mcp`, which scope writes what; the narrowest holds in the editor. */
function settingsOf(
  values: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  policy: Readonly<Record<string, unknown>> = {},
): Parameters<typeof rulesIn>[0] {
  return {
    get: name => {
      const { defaultValue: _, ...own } = values[name] ?? {};
      return policy[name] ?? Object.values(own).at(-1);
    },
    inspect: name => ({ ...values[name], ...(name in policy && { defaultValue: policy[name] }) }),
  };
}

test('no scope lifts the rule of another, and each can forbid more', () => {
  const [byName, byOther] = [[{ serverName: 'files' }], [{ serverName: 'other' }]];
  const wide = { access: 'all', allowedServers: byName, deniedServers: [] };
  const strict = { access: 'none', allowedServers: byOther, deniedServers: byName };
  const scopes = [
    ...['globalLocalValue', 'globalRemoteValue', 'globalValue'],
    ...['workspaceValue', 'workspaceFolderValue'],
  ];
  for (const setting of ['access', 'allowedServers', 'deniedServers'] as const) {
    const verdict = (...written: readonly (readonly [scope: string, value: unknown])[]) =>
      ruleAgainst(rulesIn(settingsOf({ [setting]: Object.fromEntries(written) })), files);
    const [yes, no] = [wide[setting], strict[setting]];
    for (const [at, scope] of scopes.entries()) {
      const rule = `chat.mcp.${setting}`;
      deepEqual([verdict([scope, yes]), verdict([scope, no])], [undefined, rule]);
      for (const narrower of scopes.slice(at + 1)) {
        const [lifted, tightened] = [
          verdict([scope, no], [narrower, yes]),
          verdict([scope, yes], [narrower, no]),
        ];
        deepEqual([lifted, tightened], [rule, rule], `${scope} and ${narrower}`);
      }
    }
  }
  const registry = { access: { globalValue: 'registry', workspaceValue: 'all' } };
  equal(ruleAgainst(rulesIn(settingsOf(registry)), files), 'chat.mcp.access');
  equal(ruleAgainst(rulesIn(settingsOf({})), files), undefined);
});

test('only the list of an organization allows if it says so, and all lists deny', () => {
  const servers = ['a', 'b', 'c', 'd'].map(name => ({ ...files, name }));
  const [a, b, c] = ['a', 'b', 'c'].map(serverName => [{ serverName }]);
  const values = {
    allowedServers: { globalValue: b, workspaceValue: c },
    deniedServers: { globalValue: b },
  };
  const allowed = (policy: Readonly<Record<string, unknown>>) => {
    const rules = rulesIn(settingsOf(values, policy));
    return servers.filter(server => !ruleAgainst(rules, server)).map(({ name }) => name);
  };
  const allowManagedServersOnly = true;
  const all = [a, b, c].flat();
  deepEqual(allowed({ allowManagedServersOnly, allowedServers: all }), ['a', 'c']);
  deepEqual(allowed({ allowManagedServersOnly, allowedServers: all, deniedServers: a }), ['c']);
  deepEqual(allowed({ allowManagedServersOnly }), []);
  deepEqual(allowed({}), [], 'The lists of user and workspace have no server in common.');
});

test('only the organization can make its list the only one', () => {
  const [a, b] = ['files', 'other'].map(serverName => [{ serverName }]);
  for (const scope of ['globalValue', 'workspaceValue', 'workspaceFolderValue']) {
    const verdict = (user: unknown, defaultValue: unknown) => {
      const allowManagedServersOnly = { [scope]: true };
      const allowedServers = { globalValue: user, defaultValue };
      return ruleAgainst(rulesIn(settingsOf({ allowManagedServersOnly, allowedServers })), files);
    };
    const no = 'chat.mcp.allowedServers';
    const verdicts = [verdict(b, a), verdict(a, b), verdict(a, undefined), verdict(a, a)];
    deepEqual(verdicts, [no, no, no, undefined], scope);
  }
});
