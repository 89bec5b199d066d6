import { posix } from 'node:path';

/**
 * Whether a path lies in the folders of the system's programs, which each sandbox shows. No server may
 * write there: it could change what every user runs.
 */
export function isOfSystem(path: string): boolean {
  return [...systemFolders, ...systemFiles].some(place => isAtOrBelow(path, place));
}

/** Shown as they are: the programs of the system and their libraries. */
export const systemFolders = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/nix/store',
];

/**
 * The files and folders of `/etc` that programs need to start, to find other machines by name and to
 * trust them.
 */
export const systemFiles = [
  'alternatives',
  'ca-certificates',
  'crypto-policies',
  'gai.conf',
  'group',
  'host.conf',
  'hosts',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'localtime',
  'locale.conf',
  'magic',
  'mime.types',
  'nsswitch.conf',
  'os-release',
  'passwd',
  'pki/ca-trust/extracted',
  'pki/tls/cert.pem',
  'pki/tls/certs',
  'pki/tls/openssl.cnf',
  'protocols',
  'resolv.conf',
  'services',
  'ssl/cert.pem',
  'ssl/certs',
  'ssl/openssl.cnf',
  'timezone',
].map(name => `/etc/${name}`);

/** Whether a path is that of a folder, or lies below it; both normalised. */
export function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** The folders that hold a path, the innermost first. */
export function foldersAbove(path: string): string[] {
  const folder = posix.dirname(path);
  return folder === path ? [] : [folder, ...foldersAbove(folder)];
}
