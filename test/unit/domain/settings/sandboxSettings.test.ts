import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { SandboxTerms } from '../../../../src/domain/sandbox/sandboxTerms.ts';
import { inEnglish } from '../../../../src/domain/sentence.ts';
import type { Mistake } from '../../../../src/domain/settings/mistakes.ts';
import { joinServers, readServerSettings } from '../../../../src/domain/settings/serverSettings.ts';
import { effort } from '../../../support/effort.ts';
import { onlyOn } from '../../../support/systems.ts';

const skip = onlyOn('posix', 'there is no sandbox on Windows');

const around = { folders: [{ name: 'web', path: '/proj/web' }], userHome: '/home/me' };
const command = 'files';
const none = { read: [], write: [], network: true };

/** The sandbox of a server of which the settings say this, and what is wrong. */
function read(sandbox: unknown, more: object = { command }) {
  const { servers, problems } = readServerSettings({ files: { ...more, sandbox } }, around);
  return { sandbox: servers[0]?.sandbox, problems: problems.map(withoutStart) };
}

/** The same where the user says one thing of a server, and the workspace another. */
function joined(user: unknown, workspace: unknown) {
  const [one, other] = [user, workspace].map(entry => readServerSettings({ files: entry }, around));
  const { servers, clashes } = joinServers(one!, other!);
  return {
    servers: servers.map(({ from, sandbox }) => ({ from, sandbox })),
    problems: [...one!.problems, ...other!.problems, ...clashes].map(withoutStart),
  };
}

function withoutStart({ text }: Mistake): string {
  return inEnglish(text).replace('Server "files" in mcpRoots.servers: ', '');
}

describe('the key "sandbox"', { skip }, () => {
  test('says whether there is one, and what is to be reached from it', () => {
    const paths = ['~/b', '${userHome}/a/', '${workspaceFolder}/x', '/a/../c', '~/a', '~'];
    deepEqual(
      [undefined, 'off', 'on', {}, { read: paths, write: ['~/a'], network: false }].map(said =>
        read(said),
      ),
      [
        { sandbox: undefined, problems: [] },
        { sandbox: undefined, problems: [] },
        { sandbox: none, problems: [] },
        { sandbox: none, problems: [] },
        {
          sandbox: {
            read: ['/c', '/home/me', '/home/me/b', '/proj/web/x'],
            write: ['/home/me/a'],
            network: false,
          },
          problems: [],
        },
      ],
    );
  });

  test('leaves out a path in a folder that this window has not', () => {
    const sandbox = { read: ['${workspaceFolder:app}/x', '/a'] };
    deepEqual(read(sandbox), { sandbox: { ...none, read: ['/a'] }, problems: [] });
  });

  test('costs the server what is wrong with it', () => {
    const form =
      'must be "off", "on" or { "read": ["/path"], "write": ["/path"], "network": true }.';
    const absolute = 'must be an absolute path; it may begin with "~/".';
    const folders = 'It takes ${workspaceFolder}, ${workspaceFolder:name} and ${userHome}.';
    const cases = new Map<unknown, string[]>([
      [true, [`"sandbox" ${form}`]],
      [null, [`"sandbox" ${form}`]],
      [['~/a'], [`"sandbox" ${form}`]],
      [{ reads: [] }, ['"sandbox.reads" is not a known key. Did you mean "read"?']],
      [{ read: '~/a' }, ['"sandbox.read" must be a list of texts: ["one", "two"].']],
      [{ network: 'off' }, ['"sandbox.network" must be true or false, without quotes.']],
      [
        { write: ['', 'a', '~b', './c'] },
        [0, 1, 2, 3].map(at => `"sandbox.write[${at}]" ${absolute}`),
      ],
      [{ read: ['/a\0'] }, ['"sandbox.read[0]" holds a character that cannot stand there.']],
      [{ read: ['${env:A}'] }, [`"sandbox.read[0]" cannot hold \${env:A}. ${folders}`]],
      [{ read: ['/a/${firstRoot}'] }, [`"sandbox.read[0]" cannot hold \${firstRoot}. ${folders}`]],
    ]);
    for (const [sandbox, problems] of cases) {
      deepEqual(read(sandbox), { sandbox: undefined, problems });
    }
  });

  test('is for a server that is started here', () => {
    const url = { url: 'https://example.com/mcp' };
    deepEqual(read('on', url).problems, [
      '"sandbox" cannot be kept: a server with a "url" runs elsewhere. Leave it out.',
    ]);
  });

  test('is for no program that runs containers', () => {
    for (const program of ['docker', '/usr/bin/podman']) {
      const docker = { command: program, args: ['run', 'image'] };
      deepEqual(read('on', docker), {
        sandbox: undefined,
        problems: [
          '"sandbox" cannot be kept: a program that runs containers works over a socket that no sandbox shows. Leave it out.',
        ],
      });
      deepEqual(read('off', docker).problems, []);
    }
  });
});

describe('the sandbox of a server that user and workspace define', { skip }, () => {
  const looser = '"sandbox" of the workspace is looser than in your user settings. Those hold.';
  const sandbox = { read: ['/a', '/w/keep'], write: ['/w', '/v'], network: true };
  const user = { command, sandbox };
  const tightened = (said: unknown, problems: string[] = []) => {
    const result = joined(user, { command: 'other', sandbox: said });
    deepEqual([result.servers.length, result.servers[0]?.from], [1, 'workspace']);
    deepEqual(result.problems, problems);
    return result.servers[0]?.sandbox;
  };

  test('is that of the user, where the workspace says nothing of it', () => {
    const own = { ...sandbox, write: ['/v', '/w'] };
    deepEqual(tightened(undefined), own);
    deepEqual(tightened('on'), own);
    deepEqual(tightened({}), own);
  });

  test('has unix sockets where both say so', () => {
    const open = (words: object, unixSockets: boolean) =>
      joined({ command, sandbox: { unixSockets } }, { command: 'other', sandbox: words }).servers[0]
        ?.sandbox?.unixSockets;
    deepEqual(
      [open({}, true), open({ unixSockets: false }, true), open({ unixSockets: true }, false)],
      [true, undefined, undefined],
    );
  });

  test('is tightened by the workspace', () => {
    deepEqual(tightened({ network: false })?.network, false);
    deepEqual(tightened({ read: [], write: [] }), none);
    deepEqual(tightened({ write: ['/v'] }), { ...none, read: ['/a', '/w/keep'], write: ['/v'] });
    // What may be changed may be read.
    deepEqual(tightened({ read: ['/v'], write: [] }), { ...none, read: ['/v'] });
    // A path that the workspace names for reading only.
    deepEqual(tightened({ read: ['/v', '/w'] }), { ...none, read: ['/v', '/w'] });
  });

  test('keeps what is for reading only within a writable folder', () => {
    deepEqual(tightened({ read: [], write: ['/w'] }), {
      ...none,
      read: ['/w/keep'],
      write: ['/w'],
    });
  });

  test('is not switched off by the workspace, nor widened, and that is told', () => {
    const own = { ...sandbox, write: ['/v', '/w'] };
    deepEqual(tightened('off', [looser]), own);
    deepEqual(tightened({ read: ['/', '/a'], write: [] }, [looser]), { ...none, read: ['/a'] });
    deepEqual(tightened({ read: [], write: ['/a'] }, [looser]), { ...none, read: ['/a'] });
    // It may be a link that leads out of it.
    deepEqual(tightened({ read: ['/a/b'], write: [] }, [looser]), none);
    const closed = { command, sandbox: { network: false } };
    const opened = joined(closed, { command, sandbox: { network: true } });
    deepEqual(opened.servers[0]?.sandbox, { ...none, network: false });
    deepEqual(opened.problems, [looser]);
  });

  test('holds where a mistake leaves the server of the user out', () => {
    const wrong = { command, typo: 1, sandbox: { network: false } };
    deepEqual(joined(wrong, { command }).servers, [
      { from: 'workspace', sandbox: { ...none, network: false } },
    ]);
    const closed = { read: [], write: [], network: false };
    for (const sandbox of [true, { read: '/', write: 5, network: 1 }]) {
      deepEqual(joined({ command, sandbox }, { command }).servers[0]?.sandbox, closed);
    }
  });

  test('is not left behind for a server that is called over HTTP', () => {
    const { servers, problems } = joined(user, { url: 'http://localhost:1/mcp' });
    deepEqual(
      servers.map(({ from }) => from),
      ['user'],
    );
    deepEqual(problems, [
      '"url" cannot be said by the workspace: your user settings have a "sandbox".',
    ]);
  });

  test('is what the workspace says, where the user has none', () => {
    for (const mine of [{ command }, { command, sandbox: 'off' }, undefined]) {
      const other = { command, sandbox: { read: ['/b'] } };
      const [result] = joined(mine, other).servers;
      deepEqual(result, { from: 'workspace', sandbox: { ...none, read: ['/b'] } });
      equal(joined(mine, { command, sandbox: 'off' }).servers[0]?.sandbox, undefined);
    }
  });

  test('is never looser than that of the user, whatever the workspace says', () => {
    let count = 0;
    fc.assert(
      fc.property(entry(), entry(), (mine, theirs) => {
        const { sandboxes } = readServerSettings({ files: mine }, around);
        const alone = readServerSettings({ files: { command, sandbox: mine['sandbox'] } }, around);
        const terms = alone.servers[0]?.sandbox;
        if (!sandboxes.has('setting:files') || mine['sandbox'] === 'off') {
          return;
        }
        for (const { sandbox } of joined(mine, theirs).servers) {
          ok(sandbox);
          // Of a sandbox with a mistake nothing is known but that it is one.
          ok(!terms || !sandbox.network || terms.network);
          for (const path of terms ? probes : []) {
            ok(accessTo(path, sandbox) <= accessTo(path, terms!), path);
          }
          count += 1;
        }
      }),
      { numRuns: 300 * effort },
    );
    ok(count > 50 * effort, `${count} were compared`);
  });
});

const places = ['/', '/home/me', '/a', '/a/b', '/a/b/c', '/a-b', '/w'];
const probes = [...places, ...places.map(path => `${path}/x`.replace('//', '/'))];

/** Definitions of a server with these keys, in any order, right ones and wrong ones. */
function entry() {
  const spelling = fc.constantFrom(
    ...places,
    '~',
    '~/',
    '/a/../w',
    '/a/b/',
    '${userHome}',
    'a',
    '/é',
  );
  const list = fc.oneof(
    { weight: 8, arbitrary: fc.array(spelling, { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) },
  );
  const words = fc.record(
    { read: list, write: list, network: fc.oneof(fc.boolean(), fc.constant('no')) },
    { requiredKeys: [] },
  );
  const values = fc.record({
    sandbox: fc.oneof(
      { weight: 6, arbitrary: words },
      { weight: 3, arbitrary: fc.constantFrom('on', 'off', 'On', true, null) },
    ),
    command: fc.constant(command),
    url: fc.constant('https://example.com/mcp'),
    args: fc.constant(['x']),
    roots: fc.constant(['/']),
    autoStart: fc.boolean(),
    sandboxEnabled: fc.boolean(),
  });
  const usual = ['sandbox', 'command', 'args', 'roots', 'autoStart'] as const;
  const odd = fc.constantFrom([], [], [], ['url'] as const, ['sandboxEnabled'] as const);
  return fc
    .tuple(values, fc.shuffledSubarray([...usual], { minLength: 3 }), odd, fc.boolean())
    .map(([all, some, others, isFirst]): Record<string, unknown> => {
      const keys = isFirst ? [...others, ...some] : [...some, ...others];
      return Object.fromEntries(keys.map(key => [key, all[key]]));
    });
}

/** 0: not there; 1: can be read; 2: can be changed. The innermost path that holds it decides. */
function accessTo(path: string, { read, write }: SandboxTerms): number {
  const holders = [...read, ...write].filter(
    holder => holder === '/' || path === holder || path.startsWith(`${holder}/`),
  );
  const [innermost] = holders.sort((a, b) => b.length - a.length);
  return innermost === undefined ? 0 : write.includes(innermost) ? 2 : 1;
}
