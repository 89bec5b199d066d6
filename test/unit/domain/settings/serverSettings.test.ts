import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import manifest from '../../../../package.json' with { type: 'json' };
import { inEnglish } from '../../../../src/domain/sentence.ts';
import type { ServerTerms } from '../../../../src/domain/servers/serverDefinition.ts';
import { identityOf } from '../../../../src/domain/servers/serverIdentity.ts';
import { definitionKeys } from '../../../../src/domain/settings/definitionKeys.ts';
import type { Mistake } from '../../../../src/domain/settings/mistakes.ts';
import { joinServers, readServerSettings } from '../../../../src/domain/settings/serverSettings.ts';
import { fieldsOf, httpLaunch, stdioLaunch } from '../../../support/launches.ts';

const around = {
  folders: [
    { name: 'web', path: '/proj/web' },
    { name: 'app', path: '/proj/app' },
  ],
  userHome: '/home/me',
};

function read(value: unknown, window = around) {
  const { servers, problems } = readServerSettings(value, window);
  return { names: servers.map(({ label }) => label), problems: told(problems) };
}

/** The one server of this entry. */
function server(entry: unknown, window = around) {
  const { servers, problems } = readServerSettings({ files: entry }, window);
  assert.deepEqual(told(problems), []);
  return servers[0]!;
}

function told(problems: readonly Mistake[]): string[] {
  return problems.map(({ text }) => inEnglish(text));
}

describe('the servers of the settings', () => {
  it('are read in the form of the editor, with what is left out filled in', () => {
    const launch = { command: 'npx', args: ['-y', 'files'], cwd: '/proj', envFile: '.env' };
    const env = { A: 'b', PORT: 8080, OFF: null };
    const { servers, problems } = readServerSettings(
      {
        files: { type: 'stdio', ...launch, env },
        git: { command: 'git-server' },
        notes: { url: 'https://example.com/mcp' },
        far: { type: 'http', url: 'http://[::1]:8080/mcp', headers: { 'X-Team': 'web' } },
        old: { type: 'sse', url: 'https://example.com/sse' },
      },
      around,
    );
    assert.deepEqual(
      servers.map(({ id, label, launch }) => ({ id, label, launch })),
      [
        {
          id: 'setting:files',
          label: 'files',
          launch: stdioLaunch({
            ...launch,
            env: { A: 'b', PORT: '8080' },
            // What it holds is agreed to before there is a working directory.
            envFile: join('/proj/web', '.env'),
          }),
        },
        { id: 'setting:git', label: 'git', launch: stdioLaunch({ command: 'git-server' }) },
        { id: 'setting:notes', label: 'notes', launch: httpLaunch('https://example.com/mcp') },
        {
          id: 'setting:far',
          label: 'far',
          launch: httpLaunch('http://[::1]:8080/mcp', { 'X-Team': 'web' }),
        },
        {
          id: 'setting:old',
          label: 'old',
          launch: { ...httpLaunch('https://example.com/sse'), transport: 'sse' },
        },
      ],
    );
    assert.deepEqual(problems, []);
  });

  it('may be none', () => {
    assert.deepEqual(read({}), { names: [], problems: [] });
  });

  it('are told when they are no object', () => {
    const wrong = [undefined, null, 5, 'files', ['files']];
    const expected = ['The setting mcpRoots.servers must be an object of servers by name.'];
    assert.deepEqual(
      wrong.map(value => read(value)),
      wrong.map(() => ({ names: [], problems: expected })),
    );
  });

  it('have terms, each with a default', () => {
    const terms = ({ offers, protocol, autoStart, rootsAs }: ReturnType<typeof server>) => [
      offers,
      protocol,
      autoStart,
      rootsAs,
    ];
    const said = { roots: ['web', '/proj/x'], protocol: '2026-07-28', autoStart: false };
    assert.deepEqual(terms(server({ command: 'a' })), [undefined, 'auto', true, ['roots']]);
    assert.deepEqual(terms(server({ command: 'a', ...said, rootsAs: ['roots'] })), [
      ['web', '/proj/x'],
      '2026-07-28',
      false,
      ['roots'],
    ]);
    assert.deepEqual(server({ command: 'a', roots: [] }).offers, []);
  });

  it('are by default what the schemas of their keys say', () => {
    const told = Object.entries(definitionKeys.both).flatMap(([key, { form }]) =>
      'default' in form ? [[key, form.default] as const] : [],
    );
    assert.ok(told.length >= 5);
    for (const [key, value] of told) {
      assert.deepEqual(server({ command: 'a', [key]: value }), server({ command: 'a' }), key);
    }
  });

  it('keep their identity when only their terms change', () => {
    const identity = (entry: object) =>
      identityOf(fieldsOf(server({ command: 'a', ...entry }).launch));
    const plain = identity({});
    const ofTerms: Readonly<Record<keyof Omit<ServerTerms, 'sandbox'>, object>> = {
      offers: { roots: ['web'] },
      protocol: { protocol: 'legacy' },
      autoStart: { autoStart: false },
      rootsAs: { rootsAs: 'roots' },
    };
    for (const terms of [...Object.values(ofTerms), { type: 'stdio' }, { args: [], env: {} }]) {
      assert.equal(identity(terms), plain);
    }
    assert.notEqual(identity({ args: ['x'] }), plain);
    assert.notEqual(identity({ envFile: '.env' }), plain);
  });
});

describe('the folders of the window in a definition', () => {
  const entry = {
    command: '${userHome}/bin/files',
    args: ['${workspaceFolder}/src', '${workspaceFolder:app}', '${env:HOME}'],
    env: { DIR: '${workspaceFolder}', KEY: '${input:key}' },
    roots: ['${workspaceFolder:app}/docs', '${userHome}/notes'],
  };

  it('are put in when it is read, and so are part of its identity', () => {
    const { launch, offers } = server(entry);
    const fields = fieldsOf(launch);
    assert.deepEqual(
      launch,
      stdioLaunch({
        command: '/home/me/bin/files',
        args: ['/proj/web/src', '/proj/app', '${env:HOME}'],
        env: { DIR: '/proj/web', KEY: '${input:key}' },
      }),
    );
    assert.deepEqual(fields['args'], ['/proj/web/src', '/proj/app', '${env:HOME}']);
    assert.deepEqual(offers, ['/proj/app/docs', '/home/me/notes']);
    const elsewhere = { ...around, folders: [{ name: 'app', path: '/else/app' }] };
    assert.notEqual(identityOf(fieldsOf(server(entry, elsewhere).launch)), identityOf(fields));
  });

  it('stay as they are written where this window has no such folder', () => {
    const { launch, offers } = server(entry, { ...around, folders: [] });
    assert.deepEqual(launch.type === 'stdio' && launch.args, entry.args);
    assert.deepEqual(offers, ['${workspaceFolder:app}/docs', '/home/me/notes']);
  });

  it('are refused when their path would read as another variable', () => {
    for (const path of ['/proj/${env:SECRET}', '/proj/a$']) {
      const window = { ...around, folders: [{ name: 'odd', path }] };
      const odd = {
        command: 'a',
        args: ['${workspaceFolder}{env:SECRET}'],
        roots: ['${workspaceFolder:odd}'],
      };
      assert.deepEqual(read({ files: odd }, window), {
        names: [],
        problems: [
          'Server "files" in mcpRoots.servers: "roots[0]" cannot hold ${workspaceFolder:odd}: the path of that folder would read as another variable.',
          'Server "files" in mcpRoots.servers: "args[0]" cannot hold ${workspaceFolder}: the path of that folder would read as another variable.',
        ],
      });
    }
  });
});

describe('how roots travel', () => {
  const travel = (entry: object) => {
    const { rootsAs, launch } = server({ command: 'a', ...entry });
    return { rootsAs, args: launch.type === 'stdio' ? launch.args : undefined };
  };

  it('follows from what the launch names, unless it is said', () => {
    const env = { DIRS: '${rootsJoined:,}' };
    assert.deepEqual(
      [
        {},
        { args: ['${roots}'] },
        { args: ['${firstRoot}'] },
        { cwd: '${firstRoot}' },
        { env },
      ].map(entry => travel(entry).rootsAs),
      [['roots'], ['roots', 'args'], ['roots', 'args'], ['roots', 'args'], ['roots', 'env']],
    );
    const all = { args: ['${roots}'], env };
    assert.deepEqual(travel(all).rootsAs, ['roots', 'args', 'env']);
    assert.deepEqual(travel({ ...all, rootsAs: ['env', 'args', 'env'] }).rootsAs, ['args', 'env']);
    assert.deepEqual(travel({ env, rootsAs: 'env' }).rootsAs, ['env']);
  });

  it('as arguments, with none that names them, is at the end of those', () => {
    assert.deepEqual(travel({ args: ['-x'], rootsAs: 'args' }), {
      rootsAs: ['args'],
      args: ['-x', '${roots}'],
    });
    const named = { args: ['--first=${firstRoot}'], rootsAs: ['args'] };
    assert.deepEqual(travel(named).args, ['--first=${firstRoot}']);
    const { launch } = server({ command: 'a', rootsAs: 'args' });
    assert.deepEqual(fieldsOf(launch)['args'], ['${roots}']);
  });

  it('can be as requests only over HTTP', () => {
    const url = 'https://example.com/mcp';
    assert.deepEqual(server({ url }).rootsAs, ['roots']);
    assert.deepEqual(read({ files: { url, rootsAs: ['roots', 'args'] } }).problems, [
      'Server "files" in mcpRoots.servers: "rootsAs" must be "roots" for a server called over HTTP.',
    ]);
  });
});

describe('the schema of the settings editor', () => {
  it('offers only snippets that are right when they are inserted', () => {
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
    const { properties } = manifest.contributes.configuration;
    const { defaultSnippets } = properties['mcpRoots.servers'].additionalProperties;
    const bodies = defaultSnippets.map(({ body }: { body: unknown }) => inserted(body));
    assert.equal(bodies.length, 4);
    assert.deepEqual(read({ ...bodies }).problems, []);
    assert.ok(JSON.stringify(bodies).includes('"--root=${roots}"'));
    assert.ok(JSON.stringify(bodies).includes('"Bearer ${input:token}"'));
  });
});

describe('the servers of user and workspace', () => {
  it('are told with their mistakes where these leave them out, each once', () => {
    const user = readServerSettings(
      { a: { command: 'a', sandbox: 'on' }, b: { comand: 1, env: 1 } },
      around,
    );
    const workspace = readServerSettings(
      { a: { url: 'http://localhost' }, c: 1, d: { command: 'd' } },
      around,
    );
    const { servers, leftOut } = joinServers(user, workspace);
    assert.deepEqual(
      servers.map(({ label }) => label),
      ['a', 'd'],
    );
    assert.deepEqual(
      leftOut.map(({ name, from, mistakes }) => [
        name,
        from,
        ...mistakes.map(({ path }) => path[0]),
      ]),
      [
        ['b', 'user', 'comand', 'env'],
        ['c', 'workspace', undefined],
        ['a', 'workspace', 'url'],
      ],
    );
  });

  it('stand each as it is written: a workspace adds nothing to a server of the user’s', () => {
    const user = readServerSettings({ files: { command: 'npx' }, git: { command: 'git' } }, around);
    const added = readServerSettings({ files: { env: { NODE_OPTIONS: '--inspect' } } }, around);
    const { servers, clashes } = joinServers(user, added);
    assert.deepEqual(clashes, []);
    assert.deepEqual(
      servers.map(({ label, from, launch }) => [label, from, launch]),
      [
        ['files', 'user', stdioLaunch({ command: 'npx' })],
        ['git', 'user', stdioLaunch({ command: 'git' })],
      ],
    );
    assert.match(told(added.problems).join(), /"files".*"command"/);
  });

  it('are of the remote machine where its settings say something of them, of which the editor makes one', () => {
    const env = { NODE_OPTIONS: '--inspect' };
    const user = readServerSettings(
      { files: { command: 'npx', env }, git: { command: 'git' }, web: { command: 'web' } },
      around,
    );
    const workspace = readServerSettings({ web: { command: 'web' } }, around);
    assert.deepEqual(
      joinServers(user, workspace, ['files', 'web']).servers.map(({ label, from, isOfMachine }) => [
        ...[label, from, isOfMachine],
      ]),
      [
        ['files', 'user', true],
        ['git', 'user', undefined],
        ['web', 'workspace', undefined],
      ],
    );
  });

  it('of one name are one, and it is that of the workspace', () => {
    const user = readServerSettings({ files: { command: 'npx', args: ['-y'] } }, around);
    const workspace = readServerSettings({ files: { command: 'node' } }, around);
    assert.deepEqual(
      joinServers(user, workspace).servers.map(({ from, launch }) => [from, launch]),
      [['workspace', stdioLaunch({ command: 'node' })]],
    );
  });

  it('start by themselves only if both settings let them', () => {
    const starts = (user: boolean, workspace: boolean) => {
      const [own, ours] = [user, workspace].map(autoStart =>
        readServerSettings({ files: { command: 'npx', autoStart } }, around),
      );
      return own && ours && joinServers(own, ours).servers.map(({ autoStart }) => autoStart);
    };
    assert.deepEqual(starts(false, true), [false]);
    assert.deepEqual(starts(true, false), [false]);
    assert.deepEqual(starts(true, true), [true]);
    // Also where a mistake leaves that of the user out.
    const user = readServerSettings({ files: { autoStart: false, typo: 1 } }, around);
    const workspace = readServerSettings({ files: { command: 'npx' } }, around);
    assert.equal(joinServers(user, workspace).servers[0]?.autoStart, false);
  });
});
