import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, it } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { listFiles, PackageManager } from '@vscode/vsce';

const root = join(import.meta.dirname, '..', '..');
const kilobyte = 1024;

describe('the package', () => {
  const packed = listFiles({ cwd: root, packageManager: PackageManager.None });

  it('holds a bundle for each program and the pages, the manifest, the pictures it shows, its manuals and its papers, and nothing else', async () => {
    assert.deepEqual([...(await packed)].sort(), [
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist/LICENSES.txt',
      'dist/client.js',
      'dist/connect.js',
      'dist/extension.js',
      'dist/hub.js',
      'dist/hubConfig.schema.json',
      'dist/mcpJson.schema.json',
      'dist/pages/access.css',
      'dist/pages/access.js',
      'dist/pages/toolCall.css',
      'dist/pages/toolCall.js',
      'dist/server.js',
      'dist/waysOut.js',
      'media/consent.png',
      'media/help/bundledServer.md',
      'media/help/clients.md',
      'media/help/hub.md',
      'media/help/index.md',
      'media/help/running.md',
      'media/help/sandbox.md',
      'media/help/security.md',
      'media/help/yourServers.md',
      'media/icon.png',
      'media/roots.svg',
      'media/sandbox.png',
      'media/sidebar.png',
      'media/walkthrough/exposed.svg',
      'media/walkthrough/folders.svg',
      'media/walkthrough/revoke.svg',
      'media/walkthrough/server.svg',
      'package.json',
      'package.nls.json',
    ]);
  });

  it('holds what its texts link to', async () => {
    const files = await packed;
    const dangling = files
      .filter(file => file.endsWith('.md'))
      .flatMap(file =>
        [...read(file).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = '']) =>
          posix.join(posix.dirname(file), link),
        ),
      )
      .filter(file => !files.includes(file));
    assert.deepEqual(dangling, []);
  });

  it('has an icon that is sharp on sharp screens', () => {
    const icon = readFileSync(join(root, 'media', 'icon.png'));
    assert.deepEqual([icon.readUInt32BE(16), icon.readUInt32BE(20)], [256, 256]);
  });

  it('weighs at most 1,352 KB, 542 of them the pictures of README', () => {
    assert.ok(sizeOf('dist/mcp-roots.vsix') <= 1352 * kilobyte, 'mcp-roots.vsix is too large');
  });

  it('starts from a file of at most 500 KB, which leaves the SDK to the others', () => {
    assert.ok(sizeOf('dist/extension.js') <= 500 * kilobyte, 'extension.js is too large');
    assert.doesNotMatch(read('dist/extension.js'), /ZodError/);
    assert.match(read('dist/client.js'), /ZodError/);
  });

  it('brings a server of at most 480 KB, which leaves the hub to another', () => {
    assert.ok(sizeOf('dist/server.js') <= 480 * kilobyte, 'the server is too large');
    assert.match(read('dist/server.js'), /import\("\.\/hub\.js"\)/);
  });

  it('brings ways out of a sandbox of at most 15 KB', () => {
    assert.ok(sizeOf('dist/waysOut.js') <= 15 * kilobyte, 'waysOut.js is too large');
  });

  it('brings a connector of at most 20 KB, which needs nothing else', () => {
    assert.ok(sizeOf('dist/connect.js') <= 20 * kilobyte, 'connect.js is too large');
    for (const [, module = ''] of read('dist/connect.js').matchAll(/require\("([^"]+)"\)/g)) {
      assert.match(module, /^node:/);
    }
  });

  it('brings pages of at most 50 KB together, zipped as they are in it', () => {
    const pages = readdirSync(join(root, 'dist', 'pages')).map(name => `dist/pages/${name}`);
    const sizes = pages.map(page => deflateRawSync(read(page)).length);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(total <= 50 * kilobyte, `the pages are too large: ${total}`);
  });

  it('has no source maps, and loads nothing that is not in it', () => {
    const built = readdirSync(join(root, 'dist')).filter(name => name.endsWith('.js'));
    const pages = readdirSync(join(root, 'dist', 'pages')).filter(name => name.endsWith('.js'));
    for (const name of [...built, ...pages.map(page => `pages/${page}`)]) {
      const text = read(`dist/${name}`);
      assert.doesNotMatch(text, /sourceMappingURL/);
      for (const [, module = ''] of text.matchAll(/(?:require|import)\("([^"]+)"\)/g)) {
        const own = /^\.\/(.+)$/.exec(module)?.[1] ?? '';
        assert.ok(built.includes(own) || /^(?:node:.+|vscode)$/.test(module), `${name}: ${module}`);
      }
    }
  });

  it('names no host but those of schemas, examples, and pages on how to install a program', () => {
    const programs = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' });
    const hosts = programs
      .filter(name => name.endsWith('.js') && !name.startsWith('npm'))
      .flatMap(name => [...read(`dist/${name}`).matchAll(/\bhttps?:\/\/((?:[\w-]+\.)+[a-z]+)/g)])
      .map(([, host = '']) => host);
    assert.deepEqual([...new Set(hosts)].sort(), [
      ...['bun.sh', 'docs.astral.sh', 'docs.deno.com', 'docs.docker.com', 'example.com'],
      ...['github.com', 'json-schema.org', 'nodejs.org', 'pipx.pypa.io', 'podman.io'],
      ...['vscode-elements.github.io', 'www.python.org'],
    ]);
  });

  it('is written in ASCII, of which the engine holds one byte a character', () => {
    for (const name of readdirSync(join(root, 'dist')).filter(name => name.endsWith('.js'))) {
      const [other] = /[^\0-\x7f]/.exec(read(`dist/${name}`)) ?? [];
      assert.equal(other, undefined, `${name} (in a regular expression, write it as an escape)`);
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
      '@lit/reactive-element',
      '@modelcontextprotocol/client',
      '@modelcontextprotocol/core',
      '@modelcontextprotocol/server',
      '@vscode-elements/elements',
      'content-type',
      'diff',
      'eventsource',
      'eventsource-parser',
      'jsonc-parser',
      'lit-element',
      'lit-html',
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

function sizeOf(...files: readonly string[]): number {
  return files.reduce((sum, file) => sum + statSync(join(root, file)).size, 0);
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}
