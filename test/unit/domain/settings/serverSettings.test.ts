import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import manifest from '../../../../package.json' with { type: 'json' };
import type { Launch } from '../../../../src/domain/servers/launch.ts';
import { defaultTerms } from '../../../../src/domain/servers/serverDefinition.ts';
import { definitionKeys } from '../../../../src/domain/settings/definitionKeys.ts';
import { joinServers, readServerSettings } from '../../../../src/domain/settings/serverSettings.ts';
import { httpLaunch, stdioLaunch } from '../../../support/launches.ts';
import { mistakeBy } from '../../../support/texts.ts';

const around = {
  folders: [
    { name: 'web', path: '/proj/web' },
    { name: 'app', path: '/proj/app' },
  ],
  userHome: '/home/me',
};

/** The one server of this entry. */
function server(entry: unknown, window = around) {
  const { servers, problems } = readServerSettings({ files: entry }, window);
  assert.deepEqual(problems, []);
  return servers[0]!;
}

/** The names of the servers, and the place of each mistake with the text that says what to write. */
function read(value: unknown, window = around) {
  const { servers, problems } = readServerSettings(value, window);
  return { names: servers.map(({ label }) => label), problems: problems.map(mistakeBy) };
}

describe('the servers of the settings', () => {
  it('are read in the form of the editor, with defaults filled in', () => {
    const launch = { command: 'npx', args: ['-y', 'files'], cwd: '/proj', envFile: '.env' };
    const written = { ...launch, env: { A: 'b', PORT: 8080, DEBUG: true, OFF: null } };
    const env = { A: 'b', PORT: '8080', DEBUG: 'true' };
    // The user agrees to the file's contents before a working directory exists.
    const envFile = join('/proj/web', '.env');
    const headers = { 'X-Team': 'web' };
    const [url, local] = ['https://example.com/mcp', 'http://[::1]:8080/mcp'];
    const launches: readonly (readonly [entry: object, launch: Launch])[] = [
      [{ type: 'stdio', ...written }, stdioLaunch({ ...launch, env, envFile })],
      [{ command: 'git-server' }, stdioLaunch({ command: 'git-server' })],
      [{ url }, httpLaunch(url)],
      [{ type: 'http', url: local, headers }, httpLaunch(local, headers)],
      [
        { type: 'sse', url },
        { ...httpLaunch(url), transport: 'sse' },
      ],
    ];
    for (const [entry, launch] of launches) {
      const { id, label, launch: read } = server(entry);
      assert.deepEqual([id, label, read], ['setting:files', 'files', launch]);
    }
    assert.deepEqual(read({}), { names: [], problems: [] });
  });

  it('are reported when they are not an object', () => {
    for (const value of [undefined, null, 5, 'files', ['files']]) {
      assert.deepEqual(read(value), { names: [], problems: ['readServerSettings()'] });
    }
  });

  it('have terms, each with a default', () => {
    const { launch: _, id: __, label: ___, ...terms } = server({ command: 'a' });
    assert.deepEqual(terms, defaultTerms);
    const said = { protocol: '2026-07-28', autoStart: false, keepAlive: true, rootsAs: ['roots'] };
    const offers = ['web', '/proj/x'];
    const own = server({ command: 'a', ...said, roots: offers });
    const { launch } = server({ command: 'a' });
    assert.deepEqual(own, { ...own, ...said, offers, launch });
    assert.deepEqual(server({ command: 'a', roots: [] }).offers, []);
  });

  it('have the defaults that the schemas of their keys name', () => {
    const told = Object.entries(definitionKeys.both).flatMap(([key, { form }]) =>
      'default' in form ? [[key, form.default] as const] : [],
    );
    assert.ok(told.length >= 5);
    for (const [key, value] of told) {
      assert.deepEqual(server({ command: 'a', [key]: value }), server({ command: 'a' }), key);
    }
  });
});

describe('the folders of the window in a definition', () => {
  const entry = {
    command: '${userHome}/bin/files',
    args: ['${workspaceFolder}/src', '${workspaceFolder:app}', '${env:HOME}'],
    env: { DIR: '${workspaceFolder}', KEY: '${input:key}' },
    roots: ['${workspaceFolder:app}/docs', '${userHome}/notes'],
  };

  it('are filled in when it is read', () => {
    const { launch, offers } = server(entry);
    assert.deepEqual(
      launch,
      stdioLaunch({
        command: '/home/me/bin/files',
        args: ['/proj/web/src', '/proj/app', '${env:HOME}'],
        env: { DIR: '/proj/web', KEY: '${input:key}' },
      }),
    );
    assert.deepEqual(offers, ['/proj/app/docs', '/home/me/notes']);
  });

  it('stay as written if this window does not have the folder', () => {
    const { launch, offers } = server(entry, { ...around, folders: [] });
    assert.deepEqual(launch.type === 'stdio' && launch.args, entry.args);
    assert.deepEqual(offers, ['${workspaceFolder:app}/docs', '/home/me/notes']);
  });

  it('stay as written for two folders of one name, except the first folder', () => {
    const named = { name: 'web', path: '/client/web' };
    const window = { ...around, folders: [{ name: 'web', path: '/server/web' }, named] };
    const args = ['${workspaceFolder}', '${workspaceFolder:web}'];
    const { launch } = server({ command: 'a', args }, window);
    assert.deepEqual(launch.type === 'stdio' && launch.args, ['/server/web', args[1]]);
  });

  it('are refused when their path would read as another variable', () => {
    for (const path of ['/proj/${env:SECRET}', '/proj/a$']) {
      const window = { ...around, folders: [{ name: 'odd', path }] };
      const args = ['${workspaceFolder}{env:SECRET}'];
      const odd = { command: 'a', args, roots: ['${workspaceFolder:odd}'] };
      assert.deepEqual(read({ files: odd }, window).problems, [
        'roots[0] checkPaths(${workspaceFolder:odd})',
        'args[0] checkPaths(${workspaceFolder})',
      ]);
    }
  });
});

describe('how roots travel', () => {
  const travel = (entry: object) => {
    const { rootsAs, launch } = server({ command: 'a', ...entry });
    return { rootsAs, args: launch.type === 'stdio' ? launch.args : undefined };
  };

  it('follows from the launch, unless the definition says it', () => {
    const env = { DIRS: '${rootsJoined:,}' };
    const args = [{ args: ['${roots}'] }, { args: ['${firstRoot}'] }, { cwd: '${firstRoot}' }];
    assert.deepEqual(
      [{}, ...args, { env }].map(entry => travel(entry).rootsAs),
      [['roots'], ...args.map(() => ['roots', 'args']), ['roots', 'env']],
    );
    const all = { ...args[0], env };
    assert.deepEqual(travel(all).rootsAs, ['roots', 'args', 'env']);
    assert.deepEqual(travel({ ...all, rootsAs: ['env', 'args', 'env'] }).rootsAs, ['args', 'env']);
    assert.deepEqual(travel({ env, rootsAs: 'env' }).rootsAs, ['env']);
  });

  it('as arguments is at the end, if no argument names roots', () => {
    assert.deepEqual(travel({ args: ['-x'], rootsAs: 'args' }), {
      rootsAs: ['args'],
      args: ['-x', '${roots}'],
    });
    const named = { args: ['--first=${firstRoot}'], rootsAs: ['args'] };
    assert.deepEqual(travel(named).args, ['--first=${firstRoot}']);
  });

  it('can only be requests over HTTP', () => {
    const url = 'https://example.com/mcp';
    assert.deepEqual(server({ url }).rootsAs, ['roots']);
    const { problems } = read({ files: { url, rootsAs: ['roots', 'args'] } });
    assert.deepEqual(problems, ['rootsAs withRoutes()']);
  });
});

describe('the schema of the settings editor', () => {
  it('offers only snippets that are valid when inserted', () => {
    // A text after ^ is inserted as it stands; in both forms \$ is a dollar, and ${1:x} a place to type.
    const typed = (text: string) =>
      text.replace(/(?<!\\)\$\{\d+:([^}]*)\}/g, '$1').replace(/\\\$/g, '$');
    const inserted = (value: unknown) =>
      JSON.parse(JSON.stringify(value), (_, part) =>
        typeof part !== 'string'
          ? part
          : part.startsWith('^')
            ? JSON.parse(typed(part.slice(1)))
            : typed(part),
      );
    const { 'mcpRoots.servers': servers } = manifest.contributes.configuration.properties;
    const { defaultSnippets } = servers.additionalProperties;
    const bodies = defaultSnippets.map(({ body }: { body: unknown }) => inserted(body));
    assert.equal(bodies.length, 4);
    assert.deepEqual(read({ ...bodies }).problems, []);
    assert.ok(JSON.stringify(bodies).includes('"--root=${roots}"'));
    assert.ok(JSON.stringify(bodies).includes('"Bearer ${input:token}"'));
  });
});

describe('the servers of user and workspace', () => {
  const both = (user: object, workspace: object, ofMachine: readonly string[] = []) =>
    joinServers(readServerSettings(user, around), readServerSettings(workspace, around), ofMachine);

  it('give clients only the tools that both leave in', () => {
    const tools = (user: object, workspace: object) =>
      both({ a: user }, { a: workspace }).servers.map(one => one.tools);
    const mistaken = { command: 5, tools: ['get_*'] };
    const own = { command: 'a', tools: ['!x'] };
    assert.deepEqual(tools(mistaken, own), [[['get_*'], ['!x']]]);
    assert.deepEqual(tools(own, { command: 'a', tools: ['*'] }), [[['!x'], ['*']]]);
    assert.deepEqual(tools(own, { command: 'a' }), [[['!x']]]);
    assert.deepEqual(tools({ command: 'a', tools: [5] }, { command: 'a' }), [[['!*']]]);
  });

  it('are reported once each with the mistakes that leave them out', () => {
    const { servers, leftOut } = both(
      { a: { command: 'a', sandbox: 'on' }, b: { comand: 1, env: 1 } },
      { a: { url: 'http://localhost' }, c: 1, d: { command: 'd' } },
    );
    assert.deepEqual(
      servers.map(({ label }) => label),
      ['a', 'd'],
    );
    assert.deepEqual(
      leftOut.map(({ mistakes, ...one }) => [
        one.name,
        one.from,
        mistakes.map(({ path }) => path[0]),
      ]),
      [
        ['b', 'user', ['comand', 'env']],
        ['c', 'workspace', [undefined]],
        ['a', 'workspace', ['url']],
      ],
    );
  });

  it('stay as written: a workspace adds nothing to a server of the user', () => {
    const { servers, clashes, leftOut } = both(
      { files: { command: 'npx' }, git: { command: 'git' } },
      { files: { env: { NODE_OPTIONS: '--inspect' } } },
    );
    assert.deepEqual(
      servers.map(({ label, from, launch }) => [label, from, launch]),
      [
        ['files', 'user', stdioLaunch({ command: 'npx' })],
        ['git', 'user', stdioLaunch({ command: 'git' })],
      ],
    );
    const mistakes = leftOut.flatMap(server => server.mistakes.map(({ path }) => path));
    assert.deepEqual([clashes, mistakes], [[], [['command']]]);
  });

  it('belong to the remote machine if its settings name them', () => {
    const [files, git, web] = ['npx', 'git', 'web'].map(command => ({ command }));
    const { servers } = both({ files, git, web }, { web }, ['files', 'web']);
    const found = servers.map(({ label, from, isOfMachine }) => `${label} ${from} ${isOfMachine}`);
    assert.deepEqual(found, ['files user true', 'git user undefined', 'web workspace undefined']);
  });

  it('of one name are one: the workspace’s', () => {
    const files = { command: 'npx', args: ['-y'] };
    const { servers } = both({ files }, { files: { command: 'node' } });
    assert.deepEqual(
      servers.map(({ from, launch }) => [from, launch]),
      [['workspace', stdioLaunch({ command: 'node' })]],
    );
  });

  it('start automatically only if both settings allow it', () => {
    const command = 'npx';
    const starts = (user: object, workspace: object) =>
      both({ files: user }, { files: workspace }).servers.map(({ autoStart }) => autoStart);
    const [on, off] = [true, false].map(autoStart => ({ command, autoStart }));
    assert.deepEqual(
      [starts(off!, on!), starts(on!, off!), starts(on!, on!)],
      [[false], [false], [true]],
    );
    // Even if a mistake leaves out the user's server.
    assert.deepEqual(starts({ autoStart: false, typo: 1 }, { command }), [false]);
  });
});
