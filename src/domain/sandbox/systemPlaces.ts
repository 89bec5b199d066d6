import { posix } from 'node:path';

/**
 * Whether a path lies in the folders with the system's programs, which every sandbox shows. No
 * server may write there: it could change what every user runs.
 */
export function isOfSystem(path: string): boolean {
  return isInOne(path, [...systemFolders, ...systemFiles]);
}

/** The system's programs and their libraries, which every sandbox shows unchanged. */
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

/** What programs need in `/etc` to start, and to find other machines by name and trust them. */
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

/** Whether a path is a folder or lies below it; both normalized. */
export function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** Whether a path is one of these folders or lies below one; all normalized. */
export function isInOne(path: string, folders: readonly string[]): boolean {
  return folders.some(folder => isAtOrBelow(path, folder));
}

/** The folders around a path, the innermost first. */
export function foldersAbove(path: string): string[] {
  const folder = posix.dirname(path);
  return folder === path ? [] : [folder, ...foldersAbove(folder)];
}

/** The paths that are not below another one, sorted. */
export function outermost(paths: readonly string[]): string[] {
  return paths
    .filter(path => !paths.some(other => other !== path && isAtOrBelow(path, other)))
    .sort();
}
