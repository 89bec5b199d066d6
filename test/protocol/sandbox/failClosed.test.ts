import assert from 'node:assert/strict';
import { cpSync, existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { type SeccompArch, seccompProgram } from '../../../src/domain/sandbox/seccomp.ts';
import { serverMain } from '../../support/bundledServer.ts';
import { isSoak } from '../../support/effort.ts';
import { type HubOptions, startHub } from '../../support/hub.ts';
import { untilItHasTools, untilListed } from '../../support/hubListing.ts';
import { packaged } from '../../support/hubServers.ts';
import { sandboxHere, withNamespacesLeft, without } from '../../support/sandbox/bubblewrap.ts';
import { mountedRoot, sandboxedServer } from '../../support/sandbox/sandboxedServer.ts';
import { tempFolder } from '../../support/temp.ts';
import { said } from '../../support/texts.ts';

const { tool, skip } = await sandboxHere();
const filesystem = packaged('@modelcontextprotocol/server-filesystem');

/** The surroundings or parts of a hub, and its expected message. */
type Place = (t: TestContext) => Pick<HubOptions, 'starter' | 'main'>;

const cases: Readonly<Record<string, readonly [Place, RegExp]>> = {
  'bubblewrap is missing': [
    () => ({ starter: without('/usr/bin/bwrap') }),
    /sandboxTool\.noLandlock\(sandboxTool\.notInstalled\(\), missing\)/,
  ],
  'the system refuses namespaces, as a container does': [
    t => ({ starter: underFilter(t) }),
    /sandboxTool\.noNamespaces\(.*namespace/,
  ],
  'a sandbox around it allows no other': [
    () => ({
      starter: ['bwrap', '--dev-bind', '/', '/', '--unshare-user', '--disable-userns'],
    }),
    /sandboxTool\.noneLeft\(/,
  ],
  'one namespace is left, and a sandbox takes two': [
    () => ({ starter: withNamespacesLeft(1) }),
    /sandboxTool\.noneLeft\(/,
  ],
  'the system takes all rights from bubblewrap, as Ubuntu 24.04 does': [
    t => ({ starter: withBubblewrap(t, withoutRights) }),
    /sandboxTool\.lacksProfile\(bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted\)/,
  ],
  'bubblewrap does not answer but to say its version': [
    t => ({ starter: withBubblewrap(t, '[ $1 = --version ] && echo 1.0 && exit; exec sleep 10') }),
    /sandboxTool\.unknownReason\(no answer within 10000 ms/,
  ],
  'a trial finds a way out': [
    t => ({ main: withAttacker(t, `process.stdout.write('{"direct": "answered"}')`) }),
    /sandbox\.leaky\(direct, .*[\d.]+\)/,
  ],
  'a trial says nothing': [t => ({ main: withAttacker(t, '') }), /sandbox\.untried\(\)/],
};

/** Of what bubblewrap does, and of trials, the rest takes the same way to the user. */
const some = [
  'bubblewrap is missing',
  'the system refuses namespaces, as a container does',
  'one namespace is left, and a sandbox takes two',
  'a trial finds a way out',
  'a trial says nothing',
];

describe('a server that needs a sandbox never starts without Landlock', {
  skip,
  concurrency: 2,
}, () => {
  for (const [what, [place, reason]] of Object.entries(cases)) {
    if (!isSoak && !some.includes(what)) {
      continue;
    }
    it(`when ${what}, and says why`, async t => {
      const root = tempFolder(t);
      const server = (sandbox: 'off' | 'on') => ({
        command: '/bin/sh',
        args: [
          '-c',
          'echo >"$1"; shift; exec "$@"',
          'sh',
          `${root}/${sandbox}`,
          process.execPath,
          filesystem,
          root,
        ],
        sandbox,
      });
      const config = { mcpServers: { kept: server('on'), free: server('off') } };
      const { starter = [], ...parts } = place(t);
      const alone = [...without('/usr/bin/perl'), ...starter];
      const how = { roots: [root], config, starter: alone, ...parts };
      const hub = await startHub(t, { era: 'modern', ...how });
      // A server without a sandbox starts in the same place.
      await untilItHasTools(hub, 'free');
      for (const time of ['first', 'second']) {
        const start = performance.now();
        const { isError, content } = await hub.call('kept', 'list_allowed_directories');
        t.diagnostic(
          `the ${time} call is refused after ${Math.round(performance.now() - start)} ms`,
        );
        assert.equal(isError, true);
        assert.match(whyIn(content[0]?.text), reason);
      }
      const { servers } = await untilListed(hub, 'it has failed', listed =>
        listed.servers.some(({ name, problem }) => name === 'kept' && problem !== undefined),
      );
      const kept = servers.find(({ name }) => name === 'kept');
      assert.equal(kept?.state, 'failed');
      assert.match(whyIn(kept?.problem), reason);
      assert.deepEqual([existsSync(`${root}/on`), existsSync(`${root}/off`)], [false, true]);
    });
  }

  it('when its bubblewrap is gone', async t => {
    const root = tempFolder(t);
    const server = sandboxedServer(t, {
      tool: {
        ...tool,
        start: (...how) => ({ ...tool.start(...how), command: join(root, 'bwrap') }),
      },
      command: '/bin/sh',
      args: ['-c', `echo >${root}/on; cat`],
      roots: [mountedRoot(root)],
    });
    const state = await server.start('by-itself');
    assert.equal(state.kind, 'failed');
    assert.equal(existsSync(`${root}/on`), false);
  });
});

/** Why a server could not be started, by the keys of its texts. */
function whyIn(text = ''): string {
  return said(text.replace(/^.*?could not be started: /s, ''));
}

/** Starts a program with a shell script as bubblewrap. */
function withBubblewrap(t: TestContext, script: string): string[] {
  const folder = tempFolder(t);
  cpSync('/usr/bin/bwrap', join(folder, 'real'));
  const file = join(folder, 'bwrap');
  writeFileSync(file, `#!/bin/sh\nreal=${folder}/real\n${script}\n`, { mode: 0o755 });
  return inPlaceOfBubblewrap(file);
}

const withoutRights = `[ $1 = --version ] && exec $real "$@"
echo 'bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted' >&2; exit 1`;

function inPlaceOfBubblewrap(file: string): string[] {
  const namespace = process.getuid?.() === 0 ? '-m' : '-Urm';
  const script = 'mount --bind "$0" /usr/bin/bwrap && exec "$@"';
  return ['unshare', namespace, '/bin/sh', '-c', script, file];
}

/** Starts a program that can make no namespace. */
function underFilter(t: TestContext): string[] {
  const file = join(tempFolder(t), 'filter');
  writeFileSync(file, seccompProgram(process.arch as SeccompArch));
  const script = 'exec bwrap --dev-bind / / --seccomp 3 "$@" 3<"$0"';
  return ['/bin/sh', '-c', script, file];
}

/** The hub as it is shipped, with another program that tries the ways out. */
function withAttacker(t: TestContext, program: string): string {
  const dist = join(tempFolder(t), 'dist');
  cpSync(dirname(serverMain), dist, { recursive: true });
  writeFileSync(join(dist, 'waysOut.js'), program);
  return join(dist, 'server.js');
}
