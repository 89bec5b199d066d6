import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { atEnd } from './processes.ts';
import { tempFolder, writeTree } from './temp.ts';

/** The one package that it has, a server in plain Node. */
export const registeredServer = 'private-server';

/** Why a test that needs a registry must be skipped, or `false`. */
export function skipWithoutOpenssl(): string | false {
  return spawnSync('openssl', ['version']).status !== 0 && 'There is no openssl for certificates.';
}

/**
 * A registry of packages with a certificate of an unknown authority. It ends with the test, and
 * needs `openssl` and `tar`.
 *
 * @param postinstall a command line that its package runs at the installation. @param code the code
 * that its server runs at each start.
 */
export async function privateRegistry(t: TestContext, postinstall = '', code = '') {
  const folder = tempFolder(t);
  const { key, certificate, authority } = makeCertificates(folder);
  const manifest = manifestWith(postinstall);
  const tarball = makePackage(folder, manifest, code);
  const asked: string[] = [];
  let isPublished = true;
  const server = createServer({ key, cert: certificate }, ({ url = '' }, response) => {
    asked.push(url);
    if (!isPublished) {
      response.writeHead(404).end('{}');
    } else if (url === `/${registeredServer}`) {
      response.end(JSON.stringify(packument(manifest, `https://${host}/server.tgz`, tarball)));
    } else if (url === '/server.tgz') {
      response.end(tarball);
    } else {
      response.writeHead(404).end('{}');
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const host = `localhost:${(server.address() as AddressInfo).port}`;
  atEnd(t, () => {
    server.closeAllConnections();
    server.close();
  });
  const url = `https://${host}/`;
  const env = {
    NODE_EXTRA_CA_CERTS: authority,
    npm_config_cafile: authority,
    npm_config_registry: url,
  };
  return {
    url,
    /** The host and port of that. */
    host,
    /** The file with the certificate of the authority. */
    authority,
    /** The variables that make npm take packages from it, whatever the machine's settings. */
    env,
    /** The paths that were asked for. */
    asked,
    /** Whether it has its package. It does at first. */
    setPublished: (published: boolean) => {
      isPublished = published;
    },
  };
}

function makeCertificates(folder: string) {
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(
    ...['req', '-x509', ...newKey, '-keyout', 'authority.key', '-out', 'authority.pem'],
    ...['-subj', '/CN=Authority of a company', '-days', '2'],
  );
  openssl('req', ...newKey, '-keyout', 'key.pem', '-out', 'request.pem', '-subj', '/CN=localhost');
  writeTree(folder, { extensions: 'subjectAltName=DNS:localhost\n' });
  openssl(
    ...['x509', '-req', '-in', 'request.pem', '-CA', 'authority.pem', '-CAkey', 'authority.key'],
    ...['-CAcreateserial', '-extfile', 'extensions', '-days', '2', '-out', 'certificate.pem'],
  );
  const read = (name: string) => readFileSync(join(folder, name));
  return {
    key: read('key.pem'),
    certificate: read('certificate.pem'),
    authority: join(folder, 'authority.pem'),
  };
}

type Manifest = ReturnType<typeof manifestWith>;

function manifestWith(postinstall: string) {
  const manifest = { name: registeredServer, version: '1.0.0', bin: 'server.js' };
  const scripts = { hasInstallScript: true, scripts: { postinstall } };
  return { ...manifest, ...(postinstall && scripts) };
}

function makePackage(folder: string, manifest: Manifest, code: string): Buffer {
  const program = `#!/usr/bin/env node
${code}
const capabilities = {};
const serverInfo = { name: '${registeredServer}', version: '1.0.0' };
require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line);
  const { protocolVersion } = params ?? {};
  const answer = method === 'initialize'
    ? { result: { protocolVersion, capabilities, serverInfo } }
    : { error: { code: -32601, message: 'Method not found' } };
  if (id !== undefined) {
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  }
});
`;
  writeTree(join(folder, 'package'), {
    'package.json': JSON.stringify(manifest),
    'server.js': program,
  });
  execFileSync('tar', ['-czf', 'server.tgz', 'package'], { cwd: folder });
  return readFileSync(join(folder, 'server.tgz'));
}

function packument(manifest: Manifest, tarball: string, content: Buffer): object {
  const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`;
  const { name, version } = manifest;
  return {
    name,
    'dist-tags': { latest: version },
    versions: { [version]: { ...manifest, dist: { tarball, integrity } } },
  };
}
