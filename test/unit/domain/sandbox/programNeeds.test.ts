import { deepEqual, equal } from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { programNeeds } from '../../../../src/domain/sandbox/programNeeds.ts';
import { fakeSandboxDisk } from './fakeSandboxDisk.ts';

const system = {
  '/bin': '-> usr/bin',
  '/usr/bin/node': '',
  '/usr/bin/env': '',
  '/usr/bin/bash': '',
  '/usr/bin/python3': '-> python3.12',
  '/usr/bin/python3.12': '',
};
const home = '/home/u';

test('a program of the system needs nothing but the package of its script', async () => {
  deepEqual(
    await needs('node dist/server.js /home/u/secret.json /home/u/data', {
      '/home/u/srv/package.json': '',
      '/home/u/srv/dist/server.js': '',
      '/home/u/secret.json': '',
      '/home/u/data/a': '',
    }),
    { program: '/usr/bin/node', paths: ['/home/u/srv'], links: {} },
  );
});

test('a script brings the innermost package, and the packages that it can find', async () => {
  const files = {
    '/home/u/mono/package.json': '',
    '/home/u/mono/node_modules/a/package.json': '',
    '/home/u/mono/packages/b/package.json': '',
    '/home/u/mono/packages/b/server.js': '',
    '/home/u/mono/packages/c/server.js': '',
    '/home/u/mono/packages/c/pyproject.toml': '',
    '/home/u/node_modules/x/package.json': '',
  };
  deepEqual(await paths('node /home/u/mono/packages/b/server', files), [
    '/home/u/mono/node_modules',
    '/home/u/mono/packages/b',
  ]);
  deepEqual(await paths('node /home/u/mono/packages/b', files), [
    '/home/u/mono/node_modules',
    '/home/u/mono/packages/b',
  ]);
  deepEqual(await paths('python3 /home/u/mono/packages/c/server.js', files), [
    '/home/u/mono/node_modules',
    '/home/u/mono/packages/c',
  ]);
});

test('a script that is not there brings nothing', async () => {
  const files = { '/home/u/srv/package.json': '', '/home/u/srv/a.json': '' };
  deepEqual(await paths('node missing.js /home/u/srv/a.json', files), []);
  deepEqual(await paths('node -e run() /home/u/srv/a.json', files), []);
  deepEqual(await paths('bash -c run /home/u/srv/a.json', files), []);
});

test('a script beside much else brings only itself', async () => {
  for (const folder of [
    ...['/home/u', '/home/u/Downloads', '/home/u/.config', '/home/u/.local', '/home/other', '/tmp'],
    ...['/private/tmp', '/opt', '/mnt/c', '/media/u', '/var/tmp', '/private/var/folders/a/b/T'],
  ]) {
    const files = {
      [`${folder}/package.json`]: '',
      [`${folder}/pyvenv.cfg`]: '',
      [`${folder}/icudtl.dat`]: '',
      [`${folder}/lib/a`]: '',
      [`${folder}/node_modules/a`]: '',
      [`${folder}/server.js`]: '',
      [`${folder}/bin/server`]: '#!/usr/bin/env node',
      [`${folder}/tool`]: '',
    };
    deepEqual(await paths(`node ${folder}/server.js`, files), [`${folder}/server.js`]);
    deepEqual(await paths(`${folder}/bin/server`, files), [`${folder}/bin/server`]);
    deepEqual(await paths(`${folder}/tool`, files), [`${folder}/tool`]);
    deepEqual(await paths(`node ${folder}`, files), []);
  }
});

test('a script at the root of the disk brings only itself', async () => {
  const files = { '/package.json': '', '/server.js': '' };
  deepEqual(await paths('node /server.js', files), ['/server.js']);
  deepEqual(await paths('node /', files), []);
});

test('the home is known by its real path, too', async () => {
  const files = {
    '/home': '-> var/data',
    '/var/data/u/package.json': '',
    '/var/data/u/server.js': '',
  };
  deepEqual(await needs('node /home/u/server.js', files), {
    program: '/usr/bin/node',
    paths: ['/var/data/u/server.js'],
    links: { '/home': 'var/data' },
  });
});

test('a link in the package leads no need out of it', async () => {
  const files = {
    '/home/u/srv/package.json': '',
    '/home/u/srv/server.js': '',
    '/home/u/srv/node_modules': '-> /home/u/.ssh',
    '/home/u/.ssh/id': '',
    '/home/u/lone/server.js': '',
    '/home/u/lone/node_modules': '-> ../store/node_modules',
    '/home/u/store/node_modules/a': '',
  };
  deepEqual(await paths('node /home/u/srv/server.js', files), ['/home/u/srv']);
  deepEqual(await paths('node /home/u/lone/server.js', files), [
    '/home/u/lone/server.js',
    '/home/u/store/node_modules',
  ]);
});

test('a script needs what its first line names, but no file that stands there', async () => {
  const files = {
    '/opt/deno/bin/deno': '',
    '/opt/deno/lib/a': '',
    '/home/u/srv/run': '#!/usr/bin/env -S deno run --allow-net /home/u/secret',
    '/home/u/srv/code': '#!/usr/bin/env -S bash /home/u/secret',
    '/home/u/srv/own': '#!/home/u/srv/run',
    '/home/u/secret': '',
  };
  const PATH = '/usr/bin:/opt/deno/bin';
  deepEqual(await paths('/home/u/srv/run', files, { PATH }), ['/home/u/srv/run', '/opt/deno']);
  deepEqual(await paths('./code', files, { PATH }), ['/home/u/srv/code']);
  deepEqual(await paths('./own', files, { PATH }), [
    ...['/home/u/srv/own', '/home/u/srv/run', '/opt/deno'],
  ]);
});

test('scripts that name each other, and links in a circle, come to an end', async () => {
  const files = {
    '/home/u/srv/a': '#!/home/u/srv/b',
    '/home/u/srv/b': '#!/home/u/srv/a',
    '/home/u/srv/c': '-> d',
    '/home/u/srv/d': '-> c',
  };
  deepEqual(await paths('./a', files), ['/home/u/srv/a', '/home/u/srv/b']);
  deepEqual(await needs('./c', files), { program: undefined, paths: [], links: {} });
  deepEqual(await paths('node c', files), []);
});

test('npx of a Node that nvm installed brings that version', async () => {
  const version = '/home/u/.nvm/versions/node/v24.1.0';
  const files = {
    '/home/u/.nvm/alias/default': '',
    [`${version}/bin/node`]: '',
    [`${version}/bin/npx`]: '-> ../lib/node_modules/npm/bin/npx-cli.js',
    [`${version}/lib/node_modules/npm/bin/npx-cli.js`]: '#!/usr/bin/env node',
    [`${version}/lib/node_modules/npm/package.json`]: '',
  };
  deepEqual(await needs('npx -y server /home/u/data', files, { PATH: `${version}/bin:/usr/bin` }), {
    program: `${version}/bin/npx`,
    paths: [version],
    links: { [`${version}/bin/npx`]: '../lib/node_modules/npm/bin/npx-cli.js' },
  });
});

test('npx of a script brings the script', async () => {
  const files = { '/usr/bin/npx': '', '/home/u/lone/server.ts': '' };
  deepEqual(await paths('npx -y tsx /home/u/lone/server.ts /home/u/secret', files), [
    '/home/u/lone/server.ts',
  ]);
});

test('a Node of fnm is found through the links of its shell', async () => {
  const files = {
    '/run/user/1000/fnm_multishells/1_2':
      '-> /home/u/.local/share/fnm/node-versions/v24/installation',
    '/home/u/.local/share/fnm/node-versions/v24/installation/bin/node': '',
    '/home/u/.local/share/fnm/node-versions/v24/installation/lib/a': '',
  };
  deepEqual(await needs('node', files, { PATH: '/run/user/1000/fnm_multishells/1_2/bin' }), {
    program: '/run/user/1000/fnm_multishells/1_2/bin/node',
    paths: ['/home/u/.local/share/fnm/node-versions/v24/installation'],
    links: {
      '/run/user/1000/fnm_multishells/1_2':
        '/home/u/.local/share/fnm/node-versions/v24/installation',
    },
  });
});

test('a shim brings its manager, and the files by which it chooses', async () => {
  const files = {
    '/home/u/.pyenv/shims/python': '#!/usr/bin/env bash',
    '/home/u/.pyenv/versions/3.12/bin/python3.12': '',
    '/opt/tools/bin/pyenv': '-> ../libexec/pyenv',
    '/opt/tools/libexec/pyenv': '#!/usr/bin/env bash',
    '/home/u/.asdf/shims/node': '#!/usr/bin/env bash',
    '/home/u/bin/asdf': '',
    '/home/u/.asdfrc': '',
    '/home/u/.tool-versions': '',
    '/home/u/.local/share/mise/shims/node': '-> /home/u/.local/bin/mise',
    '/home/u/.local/bin/mise': '',
    '/home/u/.config/mise/config.toml': '',
    '/home/u/.config/gh/hosts.yml': '',
    '/home/u/.volta/bin/node': '-> volta-shim',
    '/home/u/.volta/bin/volta-shim': '',
    '/home/u/.volta/tools/image/node/24/bin/node': '',
  };
  const PATH = '/home/u/bin:/opt/tools/bin:/home/u/.local/bin:/usr/bin';
  deepEqual(await paths('/home/u/.pyenv/shims/python -m server', files, { PATH }), [
    ...['/home/u/.pyenv', '/opt/tools/libexec/pyenv'],
  ]);
  deepEqual(await paths('/home/u/.asdf/shims/node', files, { PATH }), [
    ...['/home/u/.asdf', '/home/u/.asdfrc', '/home/u/.tool-versions', '/home/u/bin/asdf'],
  ]);
  deepEqual(await paths('/home/u/.local/share/mise/shims/node', files, { PATH }), [
    ...['/home/u/.config/mise', '/home/u/.local/bin/mise', '/home/u/.local/share/mise'],
    '/home/u/.tool-versions',
  ]);
  deepEqual(await paths('/home/u/.volta/bin/node', files, { PATH }), ['/home/u/.volta']);
});

test('a program that a manager installed is needed without the manager', async () => {
  const files = {
    '/home/u/.asdf/installs/nodejs/24/bin/node': '',
    '/home/u/.asdf/installs/nodejs/24/lib/a': '',
    '/home/u/.pyenv/versions/3.12/bin/python': '-> python3.12',
    '/home/u/.pyenv/versions/3.12/bin/python3.12': '',
    '/home/u/.pyenv/versions/3.12/lib/a': '',
    '/home/u/.bun/bin/bun': '',
    '/home/u/.bun/install/cache/a': '',
  };
  deepEqual(await paths('/home/u/.asdf/installs/nodejs/24/bin/node', files), [
    '/home/u/.asdf/installs/nodejs/24',
  ]);
  deepEqual(await paths('/home/u/.pyenv/versions/3.12/bin/python', files), [
    '/home/u/.pyenv/versions/3.12',
  ]);
  deepEqual(await paths('/home/u/.bun/bin/bun', files), ['/home/u/.bun/bin/bun']);
});

test('of Homebrew, programs are needed and not what databases keep', async () => {
  for (const prefix of ['/opt/homebrew', '/home/linuxbrew/.linuxbrew']) {
    const files = {
      [`${prefix}/bin/node`]: '-> ../Cellar/node/24/bin/node',
      [`${prefix}/bin/server`]: '#!/usr/bin/env node',
      [`${prefix}/Cellar/node/24/bin/node`]: '',
      [`${prefix}/Cellar/node/24/lib/a`]: '',
      [`${prefix}/opt/node`]: '-> ../Cellar/node/24',
      [`${prefix}/lib/a`]: '',
      [`${prefix}/etc/openssl@3/cert.pem`]: '',
      [`${prefix}/etc/my.cnf`]: '',
      [`${prefix}/var/postgres/secret`]: '',
    };
    const parts = ['Cellar', 'bin', 'etc/openssl@3', 'lib', 'opt'].map(part => `${prefix}/${part}`);
    deepEqual(await paths(`${prefix}/bin/node`, files), parts);
    deepEqual(await paths(`${prefix}/bin/server`, files), parts);
  }
});

test('of Nix only links are needed: its store is of the system', async () => {
  const files = {
    '/home/u/.nix-profile': '-> .local/state/nix/profiles/profile',
    '/home/u/.local/state/nix/profiles/profile': '-> profile-1-link',
    '/home/u/.local/state/nix/profiles/profile-1-link': '-> /nix/store/a-user-environment',
    '/nix/store/a-user-environment/bin/node': '-> /nix/store/b-node/bin/node',
    '/nix/store/b-node/bin/node': '',
  };
  const found = await needs('node', files, { PATH: '/home/u/.nix-profile/bin' });
  deepEqual(found.paths, []);
  deepEqual(Object.keys(found.links), [
    ...['/home/u/.nix-profile', '/home/u/.local/state/nix/profiles/profile'],
    '/home/u/.local/state/nix/profiles/profile-1-link',
    '/nix/store/a-user-environment/bin/node',
  ]);
});

test('an environment of Python brings itself and the Python it was made of', async () => {
  const files = {
    '/home/u/srv/.venv/pyvenv.cfg': '',
    '/home/u/srv/.venv/bin/python': '-> /home/u/.local/share/uv/python/cpython-3.12/bin/python3.12',
    // What pip writes where the path of the interpreter is too long for a first line.
    '/home/u/srv/.venv/bin/server': '#!/bin/sh',
    '/home/u/.local/share/uv/python/cpython-3.12/bin/python3.12': '',
    '/home/u/.local/share/uv/python/cpython-3.12/lib/a': '',
    '/home/u/srv/other.py': '',
    '/home/u/srv/pyproject.toml': '',
    '/usr/bin/uv': '',
  };
  const both = ['/home/u/.local/share/uv/python/cpython-3.12', '/home/u/srv/.venv'];
  deepEqual(await paths('.venv/bin/python -m server', files), both);
  deepEqual(await paths('.venv/bin/server', files), both);
  const project = ['/home/u/.local/share/uv/python/cpython-3.12', '/home/u/srv'];
  deepEqual(await paths('uv run python other.py /home/u/secret', files), project);
  deepEqual(await paths('uv --directory /home/u/srv run server', files, {}, '/'), project);
});

test("a tool's own script needs the environment that it was installed to", async () => {
  const tool = '/home/u/.local/share/pipx/venvs/server';
  const files = {
    '/home/u/.local/bin/server': `-> ${tool}/bin/server`,
    [`${tool}/bin/server`]: `#!${tool}/bin/python`,
    [`${tool}/bin/python`]: '-> /usr/bin/python3',
    [`${tool}/pyvenv.cfg`]: '',
  };
  const found = await needs('/home/u/.local/bin/server', files);
  deepEqual(found.paths, [tool]);
  equal(found.links['/home/u/.local/bin/server'], `${tool}/bin/server`);
});

test("the system's Python finds packages in the home", async () => {
  const files = { '/home/u/.local/lib/python3.12/site-packages/server/__main__.py': '' };
  deepEqual(await paths('python3 -m server', files), ['/home/u/.local/lib']);
  deepEqual(await paths('node -e a', files), []);
});

test('a module that lies where Python is started brings its package', async () => {
  const files = {
    '/home/u/srv/server/__main__.py': '',
    '/home/u/srv/pyproject.toml': '',
    '/home/u/srv/json/data': '',
  };
  deepEqual(await paths('python3 -m server', files), ['/home/u/srv']);
  deepEqual(await paths('python3 -m json', files), []);
});

test('a project is the folder that is named, not what it lies in', async () => {
  const files = { '/usr/bin/npm': '', '/home/u/srv/package.json': '', '/home/u/srv/docs/a': '' };
  deepEqual(await paths('npm start', files), ['/home/u/srv']);
  deepEqual(await paths('npm start', files, {}, '/home/u/srv/docs'), []);
  deepEqual(await paths('npm start', { ...files, '/home/u/package.json': '' }, {}, '/home/u'), []);
});

test('a link in .bin brings the packages beside it', async () => {
  const modules = '/home/u/srv/node_modules';
  const files = {
    [`${modules}/.bin/server`]: '-> ../server/cli.js',
    [`${modules}/server/cli.js`]: '#!/usr/bin/env node',
    [`${modules}/server/package.json`]: '',
    [`${modules}/server/node_modules/a/package.json`]: '',
    '/home/u/srv/package.json': '',
    '/home/u/srv/.env': '',
  };
  deepEqual(await paths('./node_modules/.bin/server', files), [modules]);
  deepEqual(await paths('node node_modules/server/node_modules/a', files), [modules]);
});

test("a script of pnpm's brings the store of packages, and Node", async () => {
  const global = '/home/u/.local/share/pnpm/global/5';
  const files = {
    '/home/u/.local/share/pnpm/server': '#!/bin/sh',
    [`${global}/node_modules/server`]: '-> ../.pnpm/server@1/node_modules/server',
    [`${global}/.pnpm/server@1/node_modules/server/cli.js`]: '#!/usr/bin/env node',
    [`${global}/.pnpm/a@1/node_modules/a/package.json`]: '',
    '/home/u/srv/node_modules/.bin/server': '#!/bin/sh',
    '/opt/node/bin/node': '',
    '/opt/node/lib/a': '',
  };
  const PATH = '/opt/node/bin:/usr/bin';
  deepEqual(await paths(`node ${global}/node_modules/server/cli.js`, files), [`${global}/.pnpm`]);
  deepEqual(await paths('node_modules/.bin/server', files, { PATH }), [
    ...['/home/u/srv/node_modules', '/opt/node'],
  ]);
});

test('an editor that runs as Node brings its folder and the script', async () => {
  const script = '/home/u/.vscode/extensions/a/dist/server.js';
  const files = {
    '/opt/editor/editor': '',
    '/opt/editor/icudtl.dat': '',
    [script]: '',
    '/home/u/.vscode/extensions/a/package.json': '',
  };
  const extension = '/home/u/.vscode/extensions/a';
  const asNode = { ELECTRON_RUN_AS_NODE: '1' };
  deepEqual(await paths(`/opt/editor/editor ${script} /home/u/srv`, files, asNode), [
    ...[extension, '/opt/editor'],
  ]);
  deepEqual(await paths(`/opt/editor/editor ${script}`, files), ['/opt/editor']);
});

test('certificates that the environment names are needed if they are there', async () => {
  const files = {
    '/home/u/ca.pem': '',
    '/home/u/lib/a.py': '',
    '/etc/ssl/certs/ca-certificates.crt': '',
    '/home/u/secret': '',
  };
  deepEqual(
    await paths('node', files, {
      NODE_EXTRA_CA_CERTS: '/home/u/ca.pem',
      SSL_CERT_FILE: '/etc/ssl/certs/ca-certificates.crt',
      SSL_CERT_DIR: 'lib:/home/u/lib:/home/u:/missing',
      REQUESTS_CA_BUNDLE: '/home/u/missing.pem',
      PYTHONPATH: '/home/u/secret',
    }),
    ['/home/u/ca.pem', '/home/u/lib'],
  );
});

describe('what lies in a folder that is shown anyway makes nothing else a need:', () => {
  const root = '/home/u/srv';
  const secrets = {
    '/home/u/.ssh/id': '',
    '/home/u/other/package.json': '',
    '/home/u/other/a': '',
  };
  const withRoot = (line: string, files: Readonly<Record<string, string>>, env = {}) =>
    paths(line, { ...secrets, ...files }, env, root, [root]);

  for (const [what, line, files] of [
    ['a link for a script', 'node server', { [`${root}/server.js`]: '-> /home/u/.ssh/id' }],
    ['a link to a package', 'node server', { [`${root}/server`]: '-> ../other' }],
    ['a link in a folder above', 'node a/server', { [`${root}/a`]: '-> ../other' }],
    [
      'a link over a link',
      'node server',
      { [`${root}/server`]: '-> b', [`${root}/b`]: '-> ../other/a' },
    ],
    ['a module of Python', 'python3 -m mcp', { [`${root}/mcp.py`]: '-> /home/u/.ssh/id' }],
    ['a program', './server', { [`${root}/server`]: '-> ../other/a' }],
    ['a first line with a path', './server', { [`${root}/server`]: '#!/home/u/.ssh/id' }],
    ['a first line that hides it', './server', { [`${root}/server`]: '#!/usr/../home/u/.ssh/id' }],
    ['a first line with a relative path', './server', { [`${root}/server`]: '#!../.ssh/id' }],
    [
      'an environment of Python',
      'uv run server',
      { [`${root}/.venv/bin/python`]: '-> ../../../.ssh/id' },
    ],
    [
      'packages of Node',
      'node server.js',
      {
        [`${root}/server.js`]: '',
        [`${root}/node_modules`]: '-> ../.ssh/node_modules',
        '/home/u/.ssh/node_modules/a': '',
      },
    ],
  ] as [string, string, Record<string, string>][]) {
    it(what, async () => {
      deepEqual(await withRoot(line, files), []);
    });
  }

  it('a name that is no interpreter’s', async () => {
    const files = { [`${root}/server`]: '#!/usr/bin/env tool', '/home/u/other/bin/tool': '' };
    const PATH = '/usr/bin:/home/u/other/bin';
    deepEqual(await withRoot('./server', files, { PATH }), []);
  });

  it('a package whose mark was removed', async () => {
    const files = { '/home/u/mono/package.json': '', '/home/u/mono/a/server.js': '' };
    const folder = '/home/u/mono/a';
    deepEqual(await paths('node server.js', files, {}, folder, [folder]), []);
  });

  it('but the interpreter that it names, and packages that lie above', async () => {
    const files = {
      '/opt/node/bin/node': '',
      '/opt/node/lib/a': '',
      '/home/u/mono/node_modules/a': '',
      '/home/u/mono/a/server': '#!/usr/bin/env node',
    };
    const folder = '/home/u/mono/a';
    deepEqual(await paths('./server', files, { PATH: '/opt/node/bin' }, folder, [folder]), [
      '/home/u/mono/node_modules',
      '/opt/node',
    ]);
  });

  it('but the programs of the system, and what else is shown', async () => {
    const files = {
      [`${root}/.venv/bin/python`]: '-> /usr/bin/python3',
      [`${root}/.venv/pyvenv.cfg`]: '',
      [`${root}/server`]: '-> ../shown/server',
      '/home/u/shown/server': '#!/home/u/srv/.venv/bin/python',
    };
    const found = await needs('./server', files, {}, root, [root, '/home/u/shown']);
    deepEqual([found.program, found.paths], [`${root}/server`, []]);
    equal(found.links[`${root}/.venv/bin/python`], '/usr/bin/python3');
  });
});

test('a program that is not there is not found, and the first in the search path is taken', async () => {
  equal((await needs('server', {})).program, undefined);
  equal((await needs('./server', {})).program, undefined);
  const files = { '/home/u/srv/a/server': '', '/opt/b/server': '' };
  equal((await needs('server', files, { PATH: 'a:/opt/b' })).program, '/home/u/srv/a/server');
  equal((await needs('server', files, { PATH: '/opt/b:a' })).program, '/opt/b/server');
});

async function needs(
  line: string,
  files: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
  cwd = '/home/u/srv',
  shared: readonly string[] = [],
) {
  const [command = '', ...args] = line.split(' ');
  const disk = fakeSandboxDisk({ ...system, ...files });
  const program = { command, args, cwd, env: { PATH: '/usr/bin', ...env }, ownEnv: env };
  const found = await programNeeds(program, home, disk, shared);
  return { ...found, links: Object.fromEntries(found.links) };
}

async function paths(...line: Parameters<typeof needs>): Promise<readonly string[]> {
  return (await needs(...line)).paths;
}
