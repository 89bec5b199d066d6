import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import type { World } from '../../../../src/domain/sandbox/bubblewrap.ts';
import { seatbeltProfile } from '../../../../src/domain/sandbox/seatbelt.ts';

const world: World = {
  shown: [
    { path: '/Users/u/proj', isWritable: true, place: '1:1' },
    { path: '/Users/u/proj/docs', isWritable: false, place: '1:2' },
    { path: '/Users/u/proj/docs/drafts', isWritable: true, place: '1:3' },
    { path: '/Users/u/notes', isWritable: false, place: '1:4' },
    { path: '/Users/u/.nvm/versions/node/v24', isWritable: false, place: '1:5' },
    { path: '/private/var/folders/a/b/T/own', isWritable: true, place: '1:6' },
  ],
  hidden: [
    { path: '/Users/u/proj/keys/secret', isFolder: true },
    { path: '/Users/u/proj/.env', isFolder: false },
  ],
  links: new Map([['/Users/u/.local/bin/node', '/Users/u/.nvm/versions/node/v24/bin/node']]),
  empty: ['/Users/u', '/private/tmp'],
  cwd: '/Users/u/proj',
  env: {},
  hasNetwork: false,
};
const online = { ...world, hasNetwork: true };

const readingOf = [
  'file-read-data',
  'file-read-metadata',
  'file-test-existence',
  'file-map-executable',
];
const writing = [
  ...['file-write-create', 'file-write-data', 'file-write-unlink', 'file-write-mode'],
  'file-write-xattr',
];

test('what is shown can be read and run, and only what is writable can be changed', () => {
  for (const path of [
    '/Users/u/proj/a',
    '/Users/u/proj/docs/drafts/a',
    '/private/var/folders/a/b/T/own/a',
  ]) {
    deepEqual(denied(path, [...readingOf, ...writing, 'process-exec-interpreter']), []);
  }
  for (const path of [
    ...['/Users/u/proj/docs', '/Users/u/proj/docs/a', '/Users/u/notes', '/Users/u/notes/a/b'],
    '/Users/u/.nvm/versions/node/v24/bin/node',
    '/usr/lib/a.dylib',
    '/bin/sh',
    '/usr/local/bin/a',
    ...['/System/Library/dyld/a', '/private/etc/hosts', '/usr/local/etc/openssl@3/cert.pem'],
  ]) {
    deepEqual(denied(path, [...readingOf, 'process-exec*', ...writing]), writing);
  }
});

test('what is not shown can neither be read, run nor changed', () => {
  for (const path of [
    '/Users/u/project',
    '/Users/u/proj2/a',
    '/Users/u/.ssh/id',
    '/Users/other/a',
    '/Users/u/notes2',
    '/private/tmp/a',
    '/private/var/folders/a/b/T/other',
    '/private/var/run/docker.sock',
    '/opt/a',
    '/private/etc/master.passwd',
    '/private/etc/sudoers',
    '/usr/local/var/db',
    '/usr/local/etc/a',
    '/Library/Keychains/a',
    '/Users/u/Library/Keychains/a',
    '/Volumes/a',
    '/System/Volumes/Data/a',
    ...['/Applications/a', '/dev/disk0', '/dev/tty', '/cores', '/Library/Preferences/a'],
  ]) {
    const all = [...readingOf, ...writing, 'process-exec*', 'network-outbound', 'file-ioctl'];
    deepEqual([path, ...denied(path, all)], [path, ...all]);
    deepEqual([path, ...denied(path, all, online)], [path, ...all]);
  }
});

test('folders above can be looked up, and not listed', () => {
  for (const path of [
    '/Users',
    '/Users/u',
    '/private/tmp',
    '/private/var',
    '/Users/u/.local/bin',
    '/tmp',
  ]) {
    deepEqual(denied(path, [...readingOf, ...writing]), [
      ...['file-read-data', 'file-map-executable', ...writing],
    ]);
  }
  deepEqual(denied('/Users/u/.local/bin/node', ['file-read-metadata', 'file-read-data']), [
    'file-read-data',
  ]);
  // Only this one: no program starts without.
  deepEqual(denied('/', ['file-read-data', 'file-write-create']), ['file-write-create']);
});

test('what is hidden in a folder is out of sight', () => {
  for (const path of [
    '/Users/u/proj/keys/secret',
    '/Users/u/proj/keys/secret/a',
    '/Users/u/proj/.env',
  ]) {
    const all = [...readingOf, ...writing, 'process-exec*'];
    deepEqual(denied(path, all), all);
  }
  deepEqual(denied('/Users/u/proj/.env2', [...readingOf, ...writing]), []);
});

test('nothing that has a rule can be moved away, nor what holds it', () => {
  for (const path of [
    ...['/Users/u/proj', '/Users/u/proj/keys', '/Users/u/proj/.env'],
    ...['/Users/u/proj/docs', '/Users/u/proj/docs/drafts', '/private/var/folders/a/b/T/own'],
  ]) {
    deepEqual(denied(path, ['file-write-unlink']), ['file-write-unlink']);
  }
  deepEqual(denied('/Users/u/proj/keys/public', ['file-write-unlink']), []);
});

test('no hard link or clone is made, by which a file would get another path', () => {
  const operations = ['file-link', 'file-clone', 'file-issue-extension', 'file-mount'];
  deepEqual(denied('/Users/u/proj/a', operations), operations);
});

test('addresses are reached only with the network, and other programs by a path never', () => {
  const operations = ['network-outbound', 'network-bind', 'network-inbound'];
  deepEqual(denied('ip', operations), operations);
  deepEqual(denied('ip', operations, online), []);
  for (const socket of [
    '/Users/u/proj/a.sock',
    '/private/var/run/docker.sock',
    '/private/tmp/agent',
  ]) {
    deepEqual(denied(socket, operations, online), operations);
  }
  const resolver = '/private/var/run/mDNSResponder';
  deepEqual(denied(resolver, ['network-outbound']), ['network-outbound']);
  deepEqual(denied(resolver, ['network-outbound'], online), []);
});

test('of services only those of names are reached, and of the network with it', () => {
  const names = [
    ...['system.opendirectoryd.libinfo', 'SystemConfiguration.configd', 'trustd.agent'],
    ...['SecurityServer', 'securityd.xpc', 'coreservices.appleevents', 'pasteboard.1'],
    'coreservices.launchservicesd',
    'lsd.mapdb',
    'cfprefsd.daemon',
    'tccd',
    'windowserver.active',
  ].map(name => `com.apple.${name}`);
  const reached = (which: World) => names.filter(name => isAllowed(which, 'mach-lookup', name));
  deepEqual(reached(world), names.slice(0, 1));
  deepEqual(reached(online), names.slice(0, 3));
});

test('the machine can be asked about itself, and not about other processes', () => {
  const names = [
    ...['hw.ncpu', 'kern.osrelease', 'machdep.cpu.brand_string', 'net.routetable.0.0.3.0'],
    ...['kern.procargs2', 'kern.proc.all', 'kern.proc.pid.1', 'kern.hostuuid', 'vfs.generic.a'],
  ];
  const read = (which: World) => names.filter(name => isAllowed(which, 'sysctl-read', name));
  deepEqual(read(world), names.slice(0, 3));
  deepEqual(read(online), names.slice(0, 4));
});

test('processes reach those of their sandbox, and nothing else of the system', () => {
  const operations = ['process-info-pidinfo', 'signal'];
  deepEqual(denied('same-sandbox', operations), []);
  deepEqual(denied('others', operations), operations);
  deepEqual(denied('others', ['process-fork']), []);
  const others = [
    'mach-priv-task-port',
    'mach-register',
    'iokit-open',
    'ipc-posix-shm-read-data',
    'appleevent-send',
    'user-preference-read',
    'sysctl-write',
    'system-socket',
    'pseudo-tty',
    'job-creation',
    'lsopen',
    ...['nvram-set', 'system-fsctl', 'distributed-notification-post', 'hid-control', 'default'],
  ];
  deepEqual(denied('others', others, online), others);
  deepEqual(
    ['/mp-a', '/a'].filter(name => isAllowed(world, 'ipc-posix-sem', name)),
    ['/mp-a'],
  );
});

test('a path ends no string, whatever it is called', () => {
  const path = '/Users/u/a"b\\c\nd)(allow default)"\\';
  const profile = seatbeltProfile({
    ...world,
    shown: [{ path, isWritable: true, place: '1:1' }],
    hidden: [{ path: `${path}/"`, isFolder: false }],
    links: new Map([[`${path}2`, path]]),
    empty: [`${path}3`],
  });
  const rules = parsed(profile);
  deepEqual(rules.slice(0, 2), [
    ['version', '1'],
    ['deny', 'default'],
  ]);
  ok(
    rules
      .slice(2)
      .every(([action, first]) => /allow|deny/.test(`${action}`) && first !== 'default'),
  );
  const strings = rules.flat(3).filter(part => typeof part === 'string' && part.includes('\n'));
  deepEqual(
    new Set(strings.map(part => part?.slice(0, path.length + 1))),
    new Set([...[path, `${path}/`, `${path}2`, `${path}3`]]),
  );
});

test('a world without folders has rules that parse', () => {
  const profile = seatbeltProfile({
    ...world,
    shown: [],
    hidden: [],
    links: new Map(),
    empty: [],
  });
  ok(
    parsed(profile)
      .slice(2)
      .every(rule => rule.length > 2 || rule[1] === 'process-fork' || rule[1] === 'mach-host*'),
  );
  equal(profile.endsWith(')\n'), true);
});

type Expression = string | readonly Expression[];

/** The operations that are denied on a path, an address (`ip`), or a process. */
function denied(subject: string, operations: readonly string[], which: World = world): string[] {
  return operations.filter(operation => !isAllowed(which, operation, subject));
}

/**
 * A model of the sandbox, in both ways in which rules for an operation and for its kind may relate: the
 * last one counts, or those for the operation itself come first. They have to agree.
 */
function isAllowed(which: World, operation: string, subject: string): boolean {
  const fitting = parsed(seatbeltProfile(which))
    .slice(1)
    .flatMap(([action, ...rest]) => {
      const operations = rest.filter(part => typeof part === 'string');
      const filters = rest.filter(part => typeof part !== 'string');
      const fits = filters.length === 0 || filters.some(filter => matches(filter, subject));
      return fits ? operations.map(name => ({ action, name })) : [];
    });
  const kinds = [operation, ...kindsOf(operation), 'default'];
  const byOrder = fitting.findLast(({ name }) => kinds.includes(name))?.action;
  const byKind = kinds.flatMap(kind => fitting.findLast(({ name }) => name === kind) ?? [])[0]
    ?.action;
  equal(byKind, byOrder, `${operation} ${subject}`);
  return byOrder === 'allow';
}

/** `file-read-data`: also `file-read-data*`, `file-read*` and `file*`. */
function kindsOf(operation: string): string[] {
  const name = operation.replace(/\*$/, '');
  const shorter = name.includes('-') ? kindsOf(name.slice(0, name.lastIndexOf('-'))) : [];
  return [`${name}*`, ...shorter];
}

function matches(filter: readonly Expression[], subject: string): boolean {
  const [kind, text, ...more] = filter;
  switch (kind) {
    case 'literal':
    case 'global-name':
    case 'sysctl-name':
    case 'target':
      return subject === text;
    case 'sysctl-name-prefix':
    case 'ipc-posix-name-prefix':
      return subject.startsWith(`${text}`);
    case 'subpath':
      return subject === text || subject.startsWith(`${text}/`);
    case 'local':
    case 'remote':
      return subject === 'ip' && text === 'ip' && more[0] === '*:*';
    default:
      throw new Error(`No such filter: ${kind}`);
  }
}

/** The expressions of a text, as Scheme reads them. */
function parsed(text: string): readonly (readonly Expression[])[] {
  const stack: Expression[][] = [[]];
  for (const [token] of text.matchAll(/[()]|"(?:[^"\\]|\\[\s\S])*"|[^\s()"]+/g)) {
    if (token === '(') {
      stack.push([]);
    } else if (token === ')') {
      const closed = stack.pop() ?? [];
      stack.at(-1)?.push(closed);
    } else {
      stack.at(-1)?.push(token.startsWith('"') ? unquoted(token) : token);
    }
  }
  equal(stack.length, 1);
  return (stack[0] ?? []) as readonly (readonly Expression[])[];
}

function unquoted(token: string): string {
  return token.slice(1, -1).replace(/\\([\s\S])/g, (_, next) => (next === 'n' ? '\n' : next));
}
