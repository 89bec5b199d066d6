import { deepEqual, equal } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { programNeeds } from '../../../../src/domain/sandbox/programNeeds.ts';
import { fakeSandboxDisk } from './fakeSandboxDisk.ts';

const home = '/home/u';
const ofSystem = `
  /usr/bin: bash env node npm npx python3.12 uv
  /usr/bin/python3 -> python3.12
  /bin -> usr/bin`;

interface Start {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Folders that are shown anyway. */
  readonly shared?: readonly string[];
}

interface Case extends Start {
  /** A folder with the names in it, a link, or a script, a line each. `~` is the home. */
  readonly files: string;
  /** Command lines, with the paths that each needs. */
  readonly needs: Readonly<Record<string, string>>;
  /** The links on the way to the last one; left out: any. */
  readonly links?: Readonly<Record<string, string>>;
}

const brew = '/opt/brew/Cellar /opt/brew/bin /opt/brew/etc/openssl@3 /opt/brew/lib /opt/brew/opt';

const cases: Readonly<Record<string, Case>> = {
  'a program of the system needs nothing but the package of its script': {
    files: `
      ~/srv: package.json dist/server.js
      ~: secret.json data/a`,
    needs: { 'node dist/server.js ~/secret.json ~/data': '~/srv' },
  },
  'a script brings the innermost package, and the packages that it can find': {
    files: `
      ~/mono: package.json node_modules/a/package.json
      ~/mono/packages/b: package.json server.js
      ~/mono/packages/c: pyproject.toml server.js
      ~/node_modules/x: package.json`,
    needs: {
      'node ~/mono/packages/b/server': '~/mono/node_modules ~/mono/packages/b',
      'node ~/mono/packages/b': '~/mono/node_modules ~/mono/packages/b',
      'python3 ~/mono/packages/c/server.js': '~/mono/node_modules ~/mono/packages/c',
    },
  },
  'a script that is not there brings nothing': {
    files: '~/srv: package.json a.json',
    needs: {
      'node missing.js ~/srv/a.json': '',
      'node -e run() ~/srv/a.json': '',
      'bash -c run ~/srv/a.json': '',
    },
  },
  'a script at the root of the disk brings only itself': {
    files: '/: package.json server.js',
    needs: { 'node /server.js': '/server.js', 'node /': '' },
  },
  'a link in the package leads no need out of it': {
    files: `
      ~/srv: package.json server.js
      ~/srv/node_modules -> ~/.ssh
      ~/.ssh: id
      ~/lone: server.js
      ~/lone/node_modules -> ../store/node_modules
      ~/store/node_modules: a`,
    needs: {
      'node ~/srv/server.js': '~/srv',
      'node ~/lone/server.js': '~/lone/server.js ~/store/node_modules',
    },
  },
  'a script needs what its first line names, but no file that stands there': {
    files: `
      /opt/deno: bin/deno lib/a
      ~/srv/run #!/usr/bin/env -S deno run --allow-net ~/secret
      ~/srv/code #!/usr/bin/env -S bash ~/secret
      ~/srv/own #!~/srv/run
      ~: secret`,
    env: { PATH: '/usr/bin:/opt/deno/bin' },
    needs: {
      '~/srv/run': '~/srv/run /opt/deno',
      './code': '~/srv/code',
      './own': '~/srv/own ~/srv/run /opt/deno',
    },
  },
  'scripts that name each other, and links in a circle, come to an end': {
    files: `
      ~/srv/a #!~/srv/b
      ~/srv/b #!~/srv/a
      ~/srv/c -> d
      ~/srv/d -> c`,
    needs: { './a': '~/srv/a ~/srv/b', './c': '', 'node c': '' },
  },
  'npx of a script brings the script': {
    files: '~/lone: server.ts',
    needs: { 'npx -y tsx ~/lone/server.ts ~/secret': '~/lone/server.ts' },
  },
  'a shim brings its manager, and the files by which it chooses': {
    files: `
      ~/.pyenv/shims/python #!/usr/bin/env bash
      ~/.pyenv/versions/3.12/bin: python3.12
      /opt/tools/bin/pyenv -> ../libexec/pyenv
      /opt/tools/libexec/pyenv #!/usr/bin/env bash
      ~/.asdf/shims/node #!/usr/bin/env bash
      ~: bin/asdf .asdfrc .tool-versions .local/bin/mise
      ~/.local/share/mise/shims/node -> ~/.local/bin/mise
      ~/.config: mise/config.toml gh/hosts.yml
      ~/.volta/bin/node -> volta-shim
      ~/.volta: bin/volta-shim tools/image/node/24/bin/node`,
    env: { PATH: '~/bin:/opt/tools/bin:~/.local/bin:/usr/bin' },
    needs: {
      '~/.pyenv/shims/python -m server': '~/.pyenv /opt/tools/libexec/pyenv',
      '~/.asdf/shims/node': '~/.asdf ~/.asdfrc ~/.tool-versions ~/bin/asdf',
      '~/.local/share/mise/shims/node':
        '~/.config/mise ~/.local/bin/mise ~/.local/share/mise ~/.tool-versions',
      '~/.volta/bin/node': '~/.volta',
    },
  },
  'a program that a manager installed is needed without the manager': {
    files: `
      ~/.asdf/installs/nodejs/24: bin/node lib/a
      ~/.pyenv/versions/3.12/bin/python -> python3.12
      ~/.pyenv/versions/3.12: bin/python3.12 lib/a
      ~/.bun: bin/bun install/cache/a`,
    needs: {
      '~/.asdf/installs/nodejs/24/bin/node': '~/.asdf/installs/nodejs/24',
      '~/.pyenv/versions/3.12/bin/python': '~/.pyenv/versions/3.12',
      '~/.bun/bin/bun': '~/.bun/bin/bun',
    },
  },
  'an environment of Python brings itself and the Python it was made of': {
    // The `server` is what pip writes where the path of the interpreter is too long for a first line.
    files: `
      ~/srv: .venv/pyvenv.cfg other.py pyproject.toml
      ~/srv/.venv/bin/python -> ~/.local/share/uv/python/3.12/bin/python3.12
      ~/srv/.venv/bin/server #!/bin/sh
      ~/.local/share/uv/python/3.12: bin/python3.12 lib/a`,
    needs: {
      '.venv/bin/python -m server': '~/.local/share/uv/python/3.12 ~/srv/.venv',
      '.venv/bin/server': '~/.local/share/uv/python/3.12 ~/srv/.venv',
      'uv run python other.py ~/secret': '~/.local/share/uv/python/3.12 ~/srv',
    },
  },
  "the system's Python finds packages in the home": {
    files: '~/.local/lib/python3.12/site-packages/server: __main__.py',
    needs: { 'python3 -m server': '~/.local/lib', 'node -e a': '' },
  },
  'a module that lies where Python is started brings its package': {
    files: '~/srv: server/__main__.py pyproject.toml json/data',
    needs: { 'python3 -m server': '~/srv', 'python3 -m json': '' },
  },
  'a project is the folder that is named': {
    files: '~/srv: package.json',
    needs: { 'npm start': '~/srv' },
  },
  'a project is not what the folder lies in': {
    files: '~/srv: package.json docs/a',
    cwd: '~/srv/docs',
    needs: { 'npm start': '' },
  },
  'the home is no project': { files: '~: package.json', cwd: '~', needs: { 'npm start': '' } },
  'a link in .bin brings the packages beside it': {
    files: `
      ~/srv/node_modules/.bin/server -> ../server/cli.js
      ~/srv/node_modules/server/cli.js #!/usr/bin/env node
      ~/srv/node_modules/server: package.json node_modules/a/package.json
      ~/srv: package.json .env`,
    needs: {
      './node_modules/.bin/server': '~/srv/node_modules',
      'node node_modules/server/node_modules/a': '~/srv/node_modules',
    },
  },
  "a script of pnpm's brings the store of packages, and Node": {
    files: `
      ~/global/node_modules/server -> ../.pnpm/server@1/node_modules/server
      ~/global/.pnpm/server@1/node_modules/server/cli.js #!/usr/bin/env node
      ~/global/.pnpm/a@1/node_modules/a: package.json
      ~/srv/node_modules/.bin/server #!/bin/sh
      /opt/node: bin/node lib/a`,
    env: { PATH: '/opt/node/bin:/usr/bin' },
    needs: {
      'node ~/global/node_modules/server/cli.js': '~/global/.pnpm /opt/node',
      'node_modules/.bin/server': '~/srv/node_modules /opt/node',
    },
  },
  'an editor that runs as Node brings its folder and the script': {
    files: `
      /opt/editor: editor icudtl.dat
      ~/.vscode/extensions/a: package.json dist/server.js`,
    env: { ELECTRON_RUN_AS_NODE: '1' },
    needs: {
      '/opt/editor/editor ~/.vscode/extensions/a/dist/server.js ~/srv':
        '~/.vscode/extensions/a /opt/editor',
    },
  },
  'an editor brings only its folder': {
    files: '/opt/editor: editor icudtl.dat\n~/a: package.json server.js',
    needs: { '/opt/editor/editor ~/a/server.js': '/opt/editor' },
  },
  'of Homebrew, the programs are needed and not what databases keep': {
    files: `
      /opt/brew/bin/node -> ../Cellar/node/24/bin/node
      /opt/brew/bin/server #!/usr/bin/env node
      /opt/brew/Cellar/node/24: bin/node lib/a
      /opt/brew/opt/node -> ../Cellar/node/24
      /opt/brew: lib/a etc/openssl@3/cert.pem etc/my.cnf var/postgres/secret`,
    needs: {
      '/opt/brew/bin/node': brew,
      '/opt/brew/bin/server': brew,
    },
  },
  'npx of a Node that nvm installed brings that version': {
    files: `
      ~/.nvm/alias: default
      ~/.nvm/v24/bin: node
      ~/.nvm/v24/bin/npx -> ../lib/node_modules/npm/bin/npx-cli.js
      ~/.nvm/v24/lib/node_modules/npm/bin/npx-cli.js #!/usr/bin/env node
      ~/.nvm/v24/lib/node_modules/npm: package.json`,
    env: { PATH: '~/.nvm/v24/bin' },
    needs: { 'npx -y server ~/data': '~/.nvm/v24' },
    links: { '~/.nvm/v24/bin/npx': '../lib/node_modules/npm/bin/npx-cli.js' },
  },
  'a Node of fnm is found through the links of its shell': {
    files: `
      /run/user/1000/fnm/1_2 -> ~/.fnm/v24
      ~/.fnm/v24: bin/node lib/a`,
    env: { PATH: '/run/user/1000/fnm/1_2/bin' },
    needs: { node: '~/.fnm/v24' },
    links: { '/run/user/1000/fnm/1_2': '~/.fnm/v24' },
  },
  'of Nix only links are needed: its store is of the system': {
    files: `
      ~/.nix-profile -> .local/nix/profile
      ~/.local/nix/profile -> profile-1-link
      ~/.local/nix/profile-1-link -> /nix/store/a-user
      /nix/store/a-user/bin/node -> /nix/store/b-node/bin/node
      /nix/store/b-node/bin: node`,
    env: { PATH: '~/.nix-profile/bin' },
    needs: { node: '' },
    links: {
      '~/.nix-profile': '.local/nix/profile',
      '~/.local/nix/profile': 'profile-1-link',
      '~/.local/nix/profile-1-link': '/nix/store/a-user',
      '/nix/store/a-user/bin/node': '/nix/store/b-node/bin/node',
    },
  },
  "a tool's own script needs the environment that it was installed to": {
    files: `
      ~/.local/bin/server -> ~/pipx/server/bin/server
      ~/pipx/server/bin/server #!~/pipx/server/bin/python
      ~/pipx/server/bin/python -> /usr/bin/python3
      ~/pipx/server: pyvenv.cfg`,
    needs: { '~/.local/bin/server': '~/pipx/server' },
    links: {
      '~/.local/bin/server': '~/pipx/server/bin/server',
      '~/pipx/server/bin/python': '/usr/bin/python3',
      '/usr/bin/python3': 'python3.12',
    },
  },
  'the home is known by its real path, too': {
    files: `
      /home -> var/data
      /var/data/u: package.json server.js`,
    needs: { 'node ~/server.js': '/var/data/u/server.js' },
    links: { '/home': 'var/data' },
  },
  'certificates that the environment names are needed if they are there': {
    files: `
      ~: ca.pem lib/a.py secret
      /etc/ssl/certs: ca-certificates.crt`,
    env: {
      NODE_EXTRA_CA_CERTS: '~/ca.pem',
      SSL_CERT_FILE: '/etc/ssl/certs/ca-certificates.crt',
      SSL_CERT_DIR: 'lib:~/lib:~:/missing',
      REQUESTS_CA_BUNDLE: '~/missing.pem',
      PYTHONPATH: '~/secret',
    },
    needs: { node: '~/ca.pem ~/lib' },
  },
};

describe('a start needs:', () => {
  for (const [what, { files, needs: expected, links, ...start }] of Object.entries(cases)) {
    it(what, async () => {
      const lines = Object.keys(expected);
      const found = await Promise.all(lines.map(line => needs(line, files, start)));
      const paths = found.map((one, index) => [lines[index], one.paths]);
      deepEqual(Object.fromEntries(paths), expected);
      deepEqual(links ?? found.at(-1)?.links, found.at(-1)?.links);
    });
  }

  it('only the script if it lies among other files', async () => {
    for (const folder of [
      ...['/home/u', '/home/u/Downloads', '/home/u/.config', '/home/u/.local', '/home/other'],
      ...['/tmp', '/opt', '/mnt/c', '/media/u', '/var/tmp'],
    ]) {
      const files = `
        ${folder}: package.json pyvenv.cfg icudtl.dat lib/a node_modules/a server.js tool
        ${folder}/bin/server #!/usr/bin/env node`;
      const needs = (line: string) => paths(line, files).then(found => found.replace('~', home));
      equal(await needs(`node ${folder}/server.js`), `${folder}/server.js`);
      equal(await needs(`${folder}/bin/server`), `${folder}/bin/server`);
      equal(await needs(`${folder}/tool`), `${folder}/tool`);
      equal(await needs(`node ${folder}`), '');
    }
  });
});

describe('a program in a visible folder needs nothing more:', () => {
  const shared = ['~/srv'];
  const secrets = `
    ~: .ssh/id .ssh/node_modules/a other/package.json other/a other/bin/tool
  `;

  for (const [what, line, files] of [
    ['a link for a script', 'node server', '~/srv/server.js -> ~/.ssh/id'],
    ['a link to a package', 'node server', '~/srv/server -> ../other'],
    ['a link in a folder above', 'node a/server', '~/srv/a -> ../other'],
    ['a link over a link', 'node server', '~/srv/server -> b\n~/srv/b -> ../other/a'],
    ['a module of Python', 'python3 -m mcp', '~/srv/mcp.py -> ~/.ssh/id'],
    ['a program', './server', '~/srv/server -> ../other/a'],
    ['a first line with a path', './server', '~/srv/server #!~/.ssh/id'],
    ['a first line that hides it', './server', '~/srv/server #!/usr/../home/u/.ssh/id'],
    ['a first line with a relative path', './server', '~/srv/server #!../.ssh/id'],
    ['an environment of Python', 'uv run server', '~/srv/.venv/bin/python -> ../../../.ssh/id'],
    [
      'packages of Node',
      'node server.js',
      '~/srv: server.js\n~/srv/node_modules -> ../.ssh/node_modules',
    ],
    ['a name that is no interpreter’s', './server', '~/srv/server #!/usr/bin/env tool'],
  ] as const) {
    it(what, async () => {
      const env = { PATH: '/usr/bin:~/other/bin' };
      equal(await paths(line, secrets + files, { shared, env }), '');
    });
  }

  it('a package without its marker file', async () => {
    const files = '~/mono: package.json a/server.js';
    equal(await paths('node server.js', files, { cwd: '~/mono/a', shared: ['~/mono/a'] }), '');
  });

  it('except its interpreter and the packages above', async () => {
    const files = `
      /opt/node: bin/node lib/a
      ~/mono: node_modules/a
      ~/mono/a/server #!/usr/bin/env node`;
    const start = { cwd: '~/mono/a', shared: ['~/mono/a'], env: { PATH: '/opt/node/bin' } };
    equal(await paths('./server', files, start), '~/mono/node_modules /opt/node');
  });

  it('except system programs and visible folders', async () => {
    const files = `
      ~/srv/.venv/bin/python -> /usr/bin/python3
      ~/srv: .venv/pyvenv.cfg
      ~/srv/server -> ../shown/server
      ~/shown/server #!~/srv/.venv/bin/python`;
    const found = await needs('./server', files, { shared: [...shared, '~/shown'] });
    deepEqual([found.program, found.paths], ['~/srv/server', '']);
    equal(found.links['~/srv/.venv/bin/python'], '/usr/bin/python3');
  });
});

it('finds the first program of a name along the search path, or none', async () => {
  const program = async (line: string, PATH: string) =>
    (await needs(line, '~/srv/a: server\n/opt/b: server', { env: { PATH } })).program;
  equal(await program('server', '/usr/bin'), undefined);
  equal(await program('./server', '/usr/bin'), undefined);
  equal(await program('server', 'a:/opt/b'), '~/srv/a/server');
  equal(await program('server', '/opt/b:a'), '/opt/b/server');
});

async function paths(...start: Parameters<typeof needs>): Promise<string> {
  return (await needs(...start)).paths;
}

/** The needs of a command line, with `~` for the home. */
async function needs(line: string, files: string, start: Start = {}) {
  const { cwd = '~/srv', env = {}, shared = [] } = expanded(start);
  const [command = '', ...args] = expanded(line).split(' ');
  const program = { command, args, cwd: expanded(cwd), env: { PATH: '/usr/bin', ...env } };
  const disk = fakeSandboxDisk(filesIn(expanded(`${ofSystem}\n${files}`)));
  const found = await programNeeds({ ...program, ownEnv: env }, home, disk, shared);
  const { links } = found;
  const told = { ...found, paths: found.paths.join(' '), links: Object.fromEntries(links) };
  return JSON.parse(JSON.stringify(told).replaceAll(home, '~')) as typeof told;
}

function expanded<T>(value: T): T {
  return JSON.parse(JSON.stringify(value).replaceAll('~', home));
}

function filesIn(text: string): Record<string, string> {
  const entries = text
    .trim()
    .split('\n')
    .map(line => {
      const [, path, content] = /^\s*(\S+) ((?:->|#!).*)$/.exec(line) ?? [];
      const [folder = '', ...names] = line.trim().split(/:? /);
      return path === undefined
        ? names.map(name => [`${folder === '/' ? '' : folder}/${name}`, ''])
        : [[path, content]];
    });
  return Object.fromEntries(entries.flat());
}
