import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { isAtOrBelow, isOfSystem } from '../../../../src/domain/sandbox/systemPlaces.ts';

test('counts system programs and their needs as part of the system', () => {
  const own = [
    ...['/usr', '/usr/bin/node', '/usr/local/bin/node', '/bin', '/lib64/ld.so', '/nix/store/a'],
    ...['/etc/hosts', '/etc/ssl/certs', '/etc/ssl/certs/ca.crt', '/etc/alternatives/python'],
  ];
  deepEqual(own.filter(isOfSystem), own);
});

test('does not count settings, homes and other data', () => {
  const others = [
    ...['/', '/etc', '/etc/shadow', '/etc/ssl/private/key', '/etc/hosts.allow', '/usrlocal/a'],
    ...['/home/u', '/root', '/var/lib', '/run', '/opt/a', '/tmp', '/nix/var', '/sys', '/mnt'],
    ...['/libx', '/etc/alternatives-old'],
  ];
  deepEqual(others.filter(isOfSystem), []);
});

test('a folder contains itself and everything below, not its neighbor', () => {
  const paths = ['/a', '/a/', '/a/b', '/ab', '/', '/b/a'];
  const within = (folder: string) => paths.filter(path => isAtOrBelow(path, folder));
  deepEqual([within('/a'), within('/')], [paths.slice(0, 3), paths]);
});
