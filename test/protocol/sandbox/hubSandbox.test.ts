import assert from 'node:assert/strict';
import { readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { askUntil } from '../../support/askUntil.ts';
import { isSoak } from '../../support/effort.ts';
import { startHub } from '../../support/hub.ts';
import { untilItHasTools, untilListed } from '../../support/hubListing.ts';
import { sandboxHere, withNamespacesLeft } from '../../support/sandbox/bubblewrap.ts';
import { holder } from '../../support/sandbox/holder.ts';
import { tempFolder, writeTree } from '../../support/temp.ts';
import { type Era, eras } from '../../support/wire.ts';

const { skip } = await sandboxHere();

describe('a server that a hub confines', { skip, concurrency: 2 }, () => {
  for (const era of isSoak ? eras : (['legacy'] as const)) {
    it(`works in the present roots only: ${era}`, async t => {
      const { hub, read, write, at } = await opened(t, { era, sandbox: { network: false } });
      assert.deepEqual(
        [await read('api/a.txt'), await write('api/b.txt'), readFileSync(at('api/b.txt'), 'utf8')],
        ['a', 'undefined', 'x'],
      );
      assert.deepEqual(
        [await read('other/secret'), await write('other/new'), await read('web/w.txt')],
        ['ENOENT', 'ENOENT', 'ENOENT'],
      );
      await hub.setRoots([at('web')]);
      assert.deepEqual([await read('api/a.txt'), await read('web/w.txt')], ['ENOENT', 'w']);
      await hub.setRoots([at('api'), at('api/x')]);
      assert.deepEqual([await read('api/x/n.txt'), await read('other/secret')], ['n', 'ENOENT']);
      renameSync(at('api/x'), at('api/moved'));
      symlinkSync(at('other'), at('api/x'));
      for (const roots of [
        [at('api/x'), at('api')],
        [at('api'), at('api/x'), at('web')],
      ]) {
        await hub.setRoots(roots);
        const paths = ['api/a.txt', 'api/x/secret', 'other/secret'];
        const found = await Promise.all(paths.map(read));
        assert.deepEqual(found, ['a', 'ENOENT', 'ENOENT'], roots.join(' '));
      }
    });
  }

  it('works where nothing can make a namespace in a sandbox, as on Ubuntu from 25.04 on', async t => {
    const starter = withNamespacesLeft(2);
    const { at, read, write } = await opened(t, { era: 'modern', sandbox: 'on', starter });
    assert.deepEqual(
      [await read('api/a.txt'), await write('api/b.txt'), await read('other/secret')],
      ['a', 'undefined', 'ENOENT'],
    );
    assert.equal(readFileSync(at('api/b.txt'), 'utf8'), 'x');
  });

  it('is listed as confined, with the paths that it missed', async t => {
    const { hub, at, configure } = await opened(t, { era: 'modern', sandbox: { network: false } });
    const secret = at('other/secret');
    writeTree(at('server'), { 'holder.cjs': `${holder}fs.readFile('${secret}', console.error);` });
    await untilItHasTools(hub, 'a');
    const listed = await untilListed(hub, 'what it asked for', ({ servers }) =>
      Boolean(servers[0]?.sandbox?.missedPath),
    );
    assert.deepEqual(listed.servers[0]?.sandbox, { network: false, missedPath: secret });
    hub.edit(configure('off'));
    await untilListed(hub, 'no sandbox', ({ servers }) => servers[0]?.sandbox === undefined);
  });

  it('can only read a folder with more protected files than the hub can guard', async t => {
    const { hub, at, write } = await opened(t, { era: 'modern', sandbox: { network: false } });
    const files = Array.from({ length: 300 }, (_, n) => [`p${100 + n}/.vscode/tasks.json`, '']);
    writeTree(at('api'), Object.fromEntries(files));
    await untilItHasTools(hub, 'a');
    const { structuredContent } = await hub.callOwn('list-servers');
    assert.ok(JSON.stringify(structuredContent).includes(`"tooLarge":["${at('api')}"]`));
    const tried = [...files.map(([name]) => name), 'x/n.txt', 'new'].map(name =>
      write(`api/${name}`),
    );
    assert.deepEqual([...new Set(await Promise.all(tried))], ['EROFS']);
  });

  it('is confined from the moment that the configuration says so', async t => {
    const scene = { era: 'legacy', sandbox: 'off', data: 'api/data' } as const;
    const { hub, read, at, configure } = await opened(t, scene);
    assert.equal(await read('other/secret'), 'secret');
    hub.edit(configure('on'));
    assert.equal(
      await askUntil(
        () => read('other/secret'),
        said => said !== 'secret' && !isCutOff(said),
      ),
      'ENOENT',
    );
    assert.equal(await read('api/a.txt'), 'a');
    // Hubs keep their data on this machine where no server sees it, not even in a root.
    const [proof] = readdirSync(at('api/data/mcp-roots/proofs'));
    assert.ok(proof);
    assert.equal(await read(`api/data/mcp-roots/proofs/${proof}`), 'ENOENT');
  });

  it('is not listed as confined when it could not start', async t => {
    const base = tempFolder(t);
    writeTree(base, { 'api/a.txt': 'a' });
    const a = { command: join(base, 'missing'), sandbox: 'on' };
    const hub = await startHub(t, {
      era: 'modern',
      roots: [join(base, 'api')],
      config: { mcpServers: { a } },
    });
    await hub.callOwn('list-tools');
    await untilListed(hub, 'the failure', ({ servers }) => servers[0]?.state === 'failed');
    const text = (await hub.callOwn('list-servers')).content[0]?.text ?? '';
    assert.doesNotMatch(text, /keeps the server in its folders/);
  });
});

/** Whether that is the answer to a call that the server was at when its configuration changed. */
function isCutOff(said: string): boolean {
  return said.endsWith('its configuration has changed.');
}

/** A hub with one server that looks at no roots: what it can't reach, only the sandbox keeps from it. */
async function opened(
  t: TestContext,
  {
    era,
    sandbox,
    data,
    starter = [],
  }: { era: Era; sandbox: unknown; data?: string; starter?: readonly string[] },
) {
  const base = tempFolder(t);
  writeTree(base, {
    'server/holder.cjs': holder,
    'api/a.txt': 'a',
    'api/x/n.txt': 'n',
    'web/w.txt': 'w',
    'other/secret': 'secret',
  });
  const at = (name: string) => join(base, name);
  const configure = (how: unknown) => ({
    mcpServers: {
      a: {
        command: process.execPath,
        args: [at('server/holder.cjs')],
        guard: { check: 'off' },
        sandbox: how,
      },
    },
  });
  const config = configure(sandbox);
  const hub = await startHub(t, {
    era,
    roots: [at('api')],
    config,
    starter,
    ...(data && { data: at(data) }),
  });
  const call = async (tool: string, path: string) => {
    const { content } = await hub.call('a', tool, { path: path.startsWith('/') ? path : at(path) });
    return content[0]?.text ?? '';
  };
  return {
    hub,
    at,
    configure,
    read: (path: string) => call('read', path),
    write: (path: string) => call('write', path),
  };
}
