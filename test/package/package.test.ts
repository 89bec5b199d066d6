import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { listFiles, PackageManager } from '@vscode/vsce';

const root = join(import.meta.dirname, '..', '..');
const kilobyte = 1024;

describe('the package', () => {
  it('holds the eight bundles, the manifest, the pictures it shows, its manuals, the types of its API and its papers, and nothing else', async () => {
    assert.deepEqual((await listFiles({ cwd: root, packageManager: PackageManager.None })).sort(), [
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist/LICENSES.txt',
      'dist/client.js',
      'dist/connect.js',
      'dist/extension.js',
      'dist/gateway.js',
      'dist/hub.js',
      'dist/onDemand.js',
      'dist/server.js',
      'dist/waysOut.js',
      'media/api/mcp-roots.d.ts',
      'media/help/api.md',
      'media/help/bundledServer.md',
      'media/help/clients.md',
      'media/help/hub.md',
      'media/help/index.md',
      'media/help/security.md',
      'media/help/yourServers.md',
      'media/hubConfig.schema.json',
      'media/icon.png',
      'media/roots.svg',
      'media/walkthrough/exposed.svg',
      'media/walkthrough/folders.svg',
      'media/walkthrough/revoke.svg',
      'media/walkthrough/server.svg',
      'package.json',
      'package.nls.json',
    ]);
  });

  it('weighs at most 550 KB', () => {
    assert.ok(sizeOf('dist/mcp-roots.vsix') <= 550 * kilobyte, 'mcp-roots.vsix is too large');
  });

  it('starts from a file of at most 150 KB, which leaves the SDK to the others', () => {
    assert.ok(sizeOf('dist/extension.js') <= 150 * kilobyte, 'extension.js is too large');
    assert.doesNotMatch(read('dist/extension.js'), /io\.modelcontextprotocol\//);
    assert.match(read('dist/client.js'), /io\.modelcontextprotocol\//);
  });

  it('brings a server of at most 500 KB, which leaves the hub to another', () => {
    assert.ok(sizeOf('dist/server.js') <= 500 * kilobyte, 'server.js is too large');
    assert.match(read('dist/server.js'), /import\("\.\/hub\.js"\)/);
  });

  it('brings a hub of at most 175 KB, which leaves the SDK and zod to the others', () => {
    assert.ok(sizeOf('dist/hub.js') <= 175 * kilobyte, 'hub.js is too large');
    for (const known of [/io\.modelcontextprotocol\/clientInfo/, /ZodError/]) {
      assert.doesNotMatch(read('dist/hub.js'), known);
      assert.match(read('dist/server.js'), known);
    }
    assert.match(read('dist/hub.js'), /import\("\.\/client\.js"\)/);
  });

  it('brings ways out of a sandbox of at most 15 KB', () => {
    assert.ok(sizeOf('dist/waysOut.js') <= 15 * kilobyte, 'waysOut.js is too large');
  });

  it('brings a connector of at most 15 KB, which needs nothing else', () => {
    assert.ok(sizeOf('dist/connect.js') <= 15 * kilobyte, 'connect.js is too large');
    for (const [, module = ''] of read('dist/connect.js').matchAll(/require\("([^"]+)"\)/g)) {
      assert.match(module, /^node:/);
    }
  });

  it('has no source maps', () => {
    for (const bundle of [
      'extension',
      'client',
      'onDemand',
      'server',
      'hub',
      'connect',
      'waysOut',
    ]) {
      assert.doesNotMatch(read(`dist/${bundle}.js`), /sourceMappingURL/);
    }
  });

  it('brings the licence of each package that is in a bundle, or in the SDK, which is one itself', () => {
    const sections = read('dist/LICENSES.txt')
      .split(/^-{80}$/m)
      .slice(1);
    const named = sections.flatMap(section =>
      [...section.matchAll(/^((?:@[\w-]+\/)?[\w-]+)@\d[\w.-]*$/gm)].map(([, name]) => name),
    );
    assert.deepEqual(named.sort(), [
      '@modelcontextprotocol/client',
      '@modelcontextprotocol/core',
      '@modelcontextprotocol/server',
      'content-type',
      'diff',
      'eventsource',
      'eventsource-parser',
      'jsonc-parser',
      'pkce-challenge',
      'zod',
    ]);
    for (const section of sections) {
      assert.match(section, /Copyright [\s\S]*(?:AS IS|"as is")/);
    }
  });

  it('brings a server that runs alone', () => {
    const server = join(root, 'dist', 'server.js');
    const { version } = JSON.parse(read('package.json'));
    const said = execFileSync(process.execPath, [server, '--version'], { encoding: 'utf8' });
    assert.ok(said.includes(version), said);
  });
});

function sizeOf(file: string): number {
  return statSync(join(root, file)).size;
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}
