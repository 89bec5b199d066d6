import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  installStep,
  storedPath,
  withCaches,
  withoutFetching,
} from '../../../../src/domain/servers/installStep.ts';

/** The arguments of the step, as one line. */
function step(line: string): string | undefined {
  const [command = '', ...args] = line.split(' ');
  return installStep(command, args)?.args.join(' ');
}

test('installs with a fetching program without running fetched code', () => {
  const steps: Readonly<Record<string, string>> = {
    'npx -y @acme/server@1 --dir /data': '-y --package @acme/server@1 --yes --call true',
    'npx --registry https://r -p @acme/server serve --port 1':
      '--registry https://r -p @acme/server --yes --call true',
    'npx -p @acme/server -c serve': '-p @acme/server -c serve --yes --call true',
    '/opt/node/bin/npm exec -- @acme/server --dir': 'exec --package @acme/server --yes --call true',
    'pnpm dlx @acme/server': 'dlx --package @acme/server true',
    'pnpx --package=@acme/server serve': '--package=@acme/server true',
    'uvx --python 3.12 acme@latest --dir /data': '--python 3.12 --from acme@latest python -c pass',
    'uvx --from git+https://acme/server serve': '--from git+https://acme/server python -c pass',
    'uv tool run acme': 'tool run --from acme python -c pass',
  };
  const found = Object.keys(steps).map(line => [line, step(line)]);
  assert.deepEqual(Object.fromEntries(found), steps);
});

test('has no step for a program that fetches nothing or would run fetched code', () => {
  assert.deepEqual(
    [
      ...['node server.js', 'npx', 'npx --no-install server', 'npm run serve', 'uv run server.py'],
      ...['pipx run acme', 'docker run acme/server'],
    ].map(step),
    Array(7).fill(undefined),
  );
});

test('npx prefers a program of the project to fetching one', () => {
  assert.equal(installStep('npx', ['tsx', 'a.ts'])?.ofProject, 'node_modules/.bin/tsx');
  assert.equal(installStep('npx', ['-p', 'tsx', 'tsx'])?.ofProject, undefined);
  assert.equal(installStep('uvx', ['acme'])?.ofProject, undefined);
});

test('knows which package a plain call of npx runs, and where its own arguments begin', () => {
  const runs = (line: string) => installStep('npx', line.split(' '))?.runs;
  const known = { name: '@acme/server', at: 2 };
  assert.deepEqual(runs('-y @acme/server@^1.2 --dir /data'), known);
  assert.deepEqual(runs('--yes @acme/server'), known);
  assert.deepEqual(runs('-y -- server'), { name: 'server', at: 3 });
  const others = [
    ...['-p @acme/server serve', '--registry https://r server', './server', 'acme/server'],
    ...['https://acme/server.tgz', 'server@npm:other', 'server@>=1'],
  ];
  assert.deepEqual(others.map(runs), Array(others.length).fill(undefined));
  assert.equal(installStep('pnpx', ['server'])?.runs, undefined);
});

test('finds the path of files that a server stored beside its program, except caches', () => {
  const ofUv = 'uv/archive-v0/x/lib/python3.12/site-packages/a';
  const paths = {
    '/npm/_npx/1/node_modules/@a/b/dist/memory.jsonl': '@a/b/dist/memory.jsonl',
    '/npm/_npx/1/node_modules/.pnpm/a@1/node_modules/a/data.db': 'a/data.db',
    '/npm/_npx/1/node_modules/.cache/a/db': '.cache/a/db',
    '/npm/_npx/1/data.json': 'data.json',
    [`/${ofUv}/data.db`]: 'a/data.db',
    '/uv/archive-v0/x/share/a/data.db': 'share/a/data.db',
    [`/${ofUv}/__pycache__/a.pyc`]: undefined,
    '/npm/_npx/1/package-lock.json': undefined,
    '/npm/_npx/1/node_modules/.package-lock.json': undefined,
    '/npm/_npx/1/node_modules/a/package-lock.json': 'a/package-lock.json',
    '/npm/_logs/a.log': undefined,
    '/npm/_cacache/index-v5/1/2': undefined,
    '/uv/simple-v16/pypi/a.rkyv': undefined,
  };
  for (const [path, stored] of Object.entries(paths)) {
    assert.equal(storedPath(path), stored, path);
  }
});

test('keeps fetched files in one folder, whatever the definition says', () => {
  assert.deepEqual(withCaches({ A: '1', NPM_CONFIG_CACHE: '/home/me/.npm' }, '/own', '/bin/pnpx'), {
    A: '1',
    npm_config_cache: '/own/npm',
    UV_CACHE_DIR: '/own/uv',
    UV_PYTHON_INSTALL_DIR: '/own/uv-python',
    UV_TOOL_DIR: '/own/uv-tools',
    npm_config_cache_dir: '/own/pnpm-cache',
    npm_config_store_dir: '/own/pnpm-store',
    pnpm_config_cache_dir: '/own/pnpm-cache',
    pnpm_config_store_dir: '/own/pnpm-store',
  });
});

test('fetches nothing again, and tries nothing without a network', () => {
  assert.deepEqual(
    [withoutFetching({ A: '1' }, true), withoutFetching({ NPM_CONFIG_OFFLINE: 'false' }, false)],
    [
      { A: '1', npm_config_prefer_offline: 'true' },
      { npm_config_offline: 'true', UV_OFFLINE: '1' },
    ],
  );
});
