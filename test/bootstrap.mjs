// What `npm start` and `npm test` need before anything else: the packages of package-lock.json. It
// runs on whatever Node the machine has, before Node 24 and TypeScript's types are there, so it is
// plain JavaScript and imports nothing that has to be installed.
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const isWindows = process.platform === 'win32';
const ownNode = join(root, 'node_modules', 'node', 'bin', isWindows ? 'node.exe' : 'node');

if (!isInstalled()) {
  if (isLink(join(root, 'node_modules'))) {
    fail('node_modules is a link, and `npm ci` would empty the folder it leads to: install there.');
  }
  console.log('Installing the packages of package-lock.json (npm ci) …');
  npm('ci', '--loglevel=error');
}
if (!existsSync(ownNode)) {
  // Where install scripts are switched off, the package `node` is there without its binary.
  npm('rebuild', 'node', '--ignore-scripts=false', '--foreground-scripts');
}
if (!existsSync(ownNode)) {
  fail(
    'The npm package "node" brings the Node 24 this project runs on, and its install script did not run.',
    'Allow it with `npm install-scripts approve node`, then run `npm ci` again.',
  );
}

/** Whether node_modules holds exactly what the lock names; npm notes what it installed at its end. */
function isInstalled() {
  const note = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(note)) {
    return false;
  }
  const wanted = packagesOf(join(root, 'package-lock.json'));
  const installed = packagesOf(note);
  return (
    Object.keys(installed).every(path => isSame(wanted[path], installed[path])) &&
    Object.keys(wanted).every(path => path in installed || path === '' || isLeftOut(wanted[path]))
  );
}

function isLink(path) {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function packagesOf(lockFile) {
  return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
}

function isSame(wanted, installed) {
  return wanted?.version === installed.version && wanted.integrity === installed.integrity;
}

/** Packages for other platforms are in the lock and rightly not on this machine. */
function isLeftOut({ optional, devOptional }) {
  return Boolean(optional || devOptional);
}

function npm(...args) {
  const { status, error } = spawnSync('npm', args, {
    cwd: root,
    stdio: 'inherit',
    shell: isWindows,
  });
  if (error || status !== 0) {
    fail(
      `\`npm ${args.join(' ')}\` failed${error ? `: ${error.message}` : '; its reason is above'}.`,
    );
  }
}

function fail(...lines) {
  console.error(lines.join('\n'));
  process.exit(1);
}
