import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  installStep,
  withCaches,
  withoutFetching,
} from '../../../../src/domain/sandbox/installStep.ts';

/** The arguments of the step, as one line. */
function step(line: string): string | undefined {
  const [command = '', ...args] = line.split(' ');
  return installStep(command, args)?.args.join(' ');
}

test('a program that fetches is made to run nothing of what it fetches', () => {
  assert.deepEqual(
    [
      'npx -y @acme/server@1 --dir /data',
      'npx --registry https://r -p @acme/server serve --port 1',
      'npx -p @acme/server -c serve',
      '/opt/node/bin/npm exec -- @acme/server --dir',
      'pnpm dlx @acme/server',
      'pnpx --package=@acme/server serve',
      'uvx --python 3.12 acme@latest --dir /data',
      'uvx --from git+https://acme/server serve',
      'uv tool run acme',
    ].map(step),
    [
      '-y --package @acme/server@1 --yes --call true',
      '--registry https://r -p @acme/server --yes --call true',
      '-p @acme/server -c serve --yes --call true',
      'exec --package @acme/server --yes --call true',
      'dlx --package @acme/server true',
      '--package=@acme/server true',
      '--python 3.12 --from acme@latest python -c pass',
      '--from git+https://acme/server python -c pass',
      'tool run --from acme python -c pass',
    ],
  );
});

test('what fetches nothing, or would run what it fetched, has no such step', () => {
  assert.deepEqual(
    [
      'node server.js',
      'npx',
      'npx --no-install server',
      'npm run serve',
      'uv run server.py',
      'pipx run acme',
      'docker run acme/server',
    ].map(step),
    Array(7).fill(undefined),
  );
});

test('npx runs a program of the project before it fetches one', () => {
  assert.equal(installStep('npx', ['tsx', 'a.ts'])?.ofProject, 'node_modules/.bin/tsx');
  assert.equal(installStep('npx', ['-p', 'tsx', 'tsx'])?.ofProject, undefined);
  assert.equal(installStep('uvx', ['acme'])?.ofProject, undefined);
});

test('all that is fetched lies in one folder, whatever the definition says', () => {
  assert.deepEqual(withCaches({ A: '1', NPM_CONFIG_CACHE: '/home/me/.npm' }, '/own'), {
    A: '1',
    npm_config_cache: '/own/npm',
    UV_CACHE_DIR: '/own/uv',
    UV_PYTHON_INSTALL_DIR: '/own/uv-python',
    UV_TOOL_DIR: '/own/uv-tools',
    XDG_CACHE_HOME: '/own/cache',
    XDG_DATA_HOME: '/own/data',
    XDG_STATE_HOME: '/own/state',
  });
});

test('nothing is fetched again, and without a network nothing is tried to', () => {
  assert.deepEqual(
    [withoutFetching({ A: '1' }, true), withoutFetching({ NPM_CONFIG_OFFLINE: 'false' }, false)],
    [
      { A: '1', npm_config_prefer_offline: 'true' },
      { npm_config_offline: 'true', UV_OFFLINE: '1' },
    ],
  );
});
