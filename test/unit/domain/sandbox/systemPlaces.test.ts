import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { isAtOrBelow, isOfSystem } from '../../../../src/domain/sandbox/systemPlaces.ts';

test('programs of the system and what they need to start are its own', () => {
  const own = [
    ...['/usr', '/usr/bin/node', '/usr/local/bin/node', '/bin', '/lib64/ld.so', '/nix/store/a'],
    ...['/etc/hosts', '/etc/ssl/certs', '/etc/ssl/certs/ca.crt', '/etc/alternatives/python'],
  ];
  deepEqual(own.filter(isOfSystem), own);
});

test('settings, homes and other data are not', () => {
  const others = [
    ...['/', '/etc', '/etc/shadow', '/etc/ssl/private/key', '/etc/hosts.allow', '/usrlocal/a'],
    ...['/home/u', '/root', '/var/lib', '/run', '/opt/a', '/tmp', '/nix/var', '/sys', '/mnt'],
    ...['/libx', '/etc/alternatives-old'],
  ];
  deepEqual(others.filter(isOfSystem), []);
});

test('a folder holds itself and what is below it, and not its neighbour', () => {
  deepEqual(
    ['/a', '/a/', '/a/b', '/ab', '/', '/b/a'].map(path => isAtOrBelow(path, '/a')),
    [true, true, true, false, false, false],
  );
  deepEqual(
    ['/', '/a'].map(path => isAtOrBelow(path, '/')),
    [true, true],
  );
});
