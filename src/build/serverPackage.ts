import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// `npm run package:server` makes dist/mcp-roots.tgz from files in dist: the bundled server with its
// hub, and the connector. The package is for people without an editor (`mcp-roots --root .`).

/** The fields of package.json that the npm package and the registry of MCP servers repeat. */
export interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly repository?: { readonly type: string; readonly url: string };
  readonly bugs?: object;
  readonly homepage?: string;
}

const bundles = ['server.js', 'hub.js', 'connect.js', 'waysOut.js'];
const built = [...bundles, 'hubConfig.schema.json', 'LICENSES.txt'];

/** Returns the npm package's `package.json`. Only a project with an address has `mcpName`. */
export function serverManifest({ version, license, repository, bugs, homepage }: Manifest) {
  return {
    name: 'mcp-roots',
    version,
    description: 'An MCP server for files that keeps to its roots, and a hub in front of others',
    keywords: ['mcp', 'model context protocol', 'mcp-server', 'roots', 'filesystem'],
    license,
    ...(repository && { repository, bugs, homepage, mcpName: registryName(repository.url) }),
    bin: { 'mcp-roots': 'server.js', 'mcp-roots-connect': 'connect.js' },
    engines: { node: '>=20' },
    files: built,
  };
}

/** The entry for the registry of MCP servers; `undefined` if the project has no address. */
export function registryEntry({ version, repository }: Manifest): object | undefined {
  if (!repository) {
    return undefined;
  }
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: registryName(repository.url),
    title: 'MCP Roots',
    description: 'Files within the roots of its client, and a hub in front of other servers.',
    repository: { url: repository.url, source: 'github' },
    version,
    packages: [
      {
        registryType: 'npm',
        identifier: 'mcp-roots',
        version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        packageArguments: [
          {
            type: 'named',
            name: '--root',
            description: 'A folder it may reach, and the limit for the roots of a client',
            format: 'filepath',
            isRepeated: true,
          },
          {
            type: 'named',
            name: '--config',
            description: 'Be a hub for the servers named in this file',
            format: 'filepath',
          },
        ],
      },
    ],
  };
}

/** The repository's name at the registry of MCP servers, which tells upper case from lower. */
function registryName(url: string): string {
  return url.replace('https://github.com/', 'io.github.');
}

function pack(): void {
  const root = join(import.meta.dirname, '..', '..');
  const dist = join(root, 'dist');
  const folder = join(dist, 'npm');
  const manifest: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const file of built) {
    copyFileSync(join(dist, file), join(folder, file));
  }
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  copyFileSync(join(root, 'media', 'npm.md'), join(folder, 'README.md'));
  writeJson(join(folder, 'package.json'), serverManifest(manifest));
  rmSync(join(dist, 'server.json'), { force: true });
  const entry = registryEntry(manifest);
  if (entry) {
    writeJson(join(dist, 'server.json'), entry);
  } else {
    console.log('Set an address first (npm run address), for server.json and mcpName.');
  }
  const args = ['pack', folder, '--pack-destination', dist, '--json'];
  const isWindows = process.platform === 'win32';
  execFileSync('npm', args, {
    cwd: root,
    shell: isWindows,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  renameSync(join(dist, `mcp-roots-${manifest.version}.tgz`), join(dist, 'mcp-roots.tgz'));
}

function writeJson(file: string, value: object): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

if (import.meta.main) {
  pack();
}
