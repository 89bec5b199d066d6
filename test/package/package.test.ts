import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, it } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { listFiles, PackageManager } from '@vscode/vsce';

const root = join(import.meta.dirname, '..', '..');
const kilobyte = 1024;

describe('the package', () => {
  const packed = listFiles({ cwd: root, packageManager: PackageManager.None });

  it('holds these files', async () => {
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
      'media/help/access.md',
      'media/help/bundledServer.md',
      'media/help/clients.md',
      'media/help/definitions.md',
      'media/help/hub.md',
      'media/help/hubChecks.md',
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

  it('holds the files that its texts link to', async () => {
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

  it('has an icon of 256 pixels', () => {
    const icon = readFileSync(join(root, 'media', 'icon.png'));
    assert.deepEqual([icon.readUInt32BE(16), icon.readUInt32BE(20)], [256, 256]);
  });

  it('keeps files under their limits in KB, with 542 KB for the pictures of README', () => {
    const limits = {
      'mcp-roots.vsix': 1352,
      'extension.js': 500,
      'server.js': 480,
      'connect.js': 20,
      'waysOut.js': 15,
    };
    const tooLarge = Object.entries(limits).filter(
      ([name, limit]) => statSync(join(root, 'dist', name)).size > limit * kilobyte,
    );
    assert.deepEqual(tooLarge, []);
  });

  it('starts from a file without the SDK', () => {
    assert.doesNotMatch(read('dist/extension.js'), /ZodError/);
    assert.match(read('dist/client.js'), /ZodError/);
  });

  it('has a server that loads the hub only when needed', () => {
    assert.match(read('dist/server.js'), /import\("\.\/hub\.js"\)/);
  });

  it('has a connector that needs only Node', () => {
    for (const [, module = ''] of read('dist/connect.js').matchAll(/require\("([^"]+)"\)/g)) {
      assert.match(module, /^node:/);
    }
  });

  it('has pages of at most 50 KB together when zipped', () => {
    const pages = readdirSync(join(root, 'dist', 'pages')).map(name => `dist/pages/${name}`);
    const sizes = pages.map(page => deflateRawSync(read(page)).length);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(total <= 50 * kilobyte, `the pages are too large: ${total}`);
  });

  it('has no source maps, and loads only its own files and Node modules', () => {
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

  it('names only hosts of schemas, examples and pages on how to install a program', () => {
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

  it('is written in ASCII, so that the engine keeps one byte per character', () => {
    for (const name of readdirSync(join(root, 'dist')).filter(name => name.endsWith('.js'))) {
      const [other] = /[^\0-\x7f]/.exec(read(`dist/${name}`)) ?? [];
      assert.equal(other, undefined, `${name} (in a regular expression, write it as an escape)`);
    }
  });

  it('has the license of each package in a bundle', () => {
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
});

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}
