import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, renameSync, symlinkSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { askUntil } from '../../support/askUntil.ts';
import { isSoak } from '../../support/effort.ts';
import { startHub } from '../../support/hub.ts';
import { untilItHasTools, untilListed } from '../../support/hubListing.ts';
import { packaged } from '../../support/hubServers.ts';
import { atEnd } from '../../support/processes.ts';
import { sandboxHere } from '../../support/sandbox/bubblewrap.ts';
import { holder } from '../../support/sandbox/holder.ts';
import { tempFolder, writeTree } from '../../support/temp.ts';
import { type Era, eras } from '../../support/wire.ts';

const { skip } = await sandboxHere();

describe('a server that a hub keeps in a sandbox', { skip, concurrency: 2 }, () => {
  for (const era of isSoak ? eras : (['legacy'] as const)) {
    it(`works in the roots of the moment, and in nothing else: ${era}`, async t => {
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

  it('sees the network where it may, and not otherwise', async t => {
    const listener = createServer().listen(0, '127.0.0.1');
    atEnd(t, () => listener.close());
    await once(listener, 'listening');
    const { hub, read, configure } = await opened(t, { era: 'modern', sandbox: { network: true } });
    const { port } = listener.address() as AddressInfo;
    const hex = `:${port.toString(16).toUpperCase().padStart(4, '0')} `;
    const seen = async () => read('/proc/net/tcp');
    assert.ok((await seen()).includes(hex));
    hub.edit(configure({ network: false }));
    const kept = await askUntil(seen, said => !said.includes(hex) && !isCutOff(said));
    assert.match(kept, /local_address/);
  });

  it('is said to be kept in it, and what it asked for in vain', async t => {
    const { hub, at, configure } = await opened(t, { era: 'modern', sandbox: { network: false } });
    const secret = at('other/secret');
    writeTree(at('server'), { 'holder.cjs': `${holder}fs.readFile('${secret}', console.error);` });
    await untilItHasTools(hub, 'a');
    const listed = await untilListed(hub, 'what it asked for', ({ servers }) =>
      Boolean(servers[0]?.sandbox?.missedPath),
    );
    assert.deepEqual(listed.servers[0]?.sandbox, { network: false, missedPath: secret });
    assert.match(
      (await hub.callOwn('list-servers')).content[0]?.text ?? '',
      new RegExp(
        `The system keeps it in its folders, without the network\\. It asked for ${secret}, which it does not see\\.`,
      ),
    );
    hub.edit(configure('off'));
    await untilListed(hub, 'no sandbox', ({ servers }) => servers[0]?.sandbox === undefined);
  });

  it('may only read a folder with more in it that others run than can be guarded', async t => {
    const { hub, at, write } = await opened(t, { era: 'modern', sandbox: { network: false } });
    const files = Array.from({ length: 300 }, (_, n) => [`p${100 + n}/.vscode/tasks.json`, '']);
    writeTree(at('api'), Object.fromEntries(files));
    await untilItHasTools(hub, 'a');
    const { content, structuredContent } = await hub.callOwn('list-servers');
    assert.ok(JSON.stringify(structuredContent).includes(`"tooLarge":["${at('api')}"]`));
    const said = `It can only read ${at('api')}: too large to find all`;
    assert.ok(content[0]?.text?.includes(said));
    const tried = [...files.map(([name]) => name), 'x/n.txt', 'new'].map(name =>
      write(`api/${name}`),
    );
    assert.deepEqual([...new Set(await Promise.all(tried))], ['EROFS']);
  });

  it('is kept in it from the moment that the configuration says so', async t => {
    const scene = { era: 'legacy', sandbox: 'off', cache: 'api/cache' } as const;
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
    // What hubs know of this machine is kept where no server sees it, not even in a root.
    assert.equal(await read('api/cache/mcp-roots/proofs.json'), 'ENOENT');
    assert.match(readFileSync(at('api/cache/mcp-roots/proofs.json'), 'utf8'), /bubblewrap/);
  });

  it('is not said to be kept in it when it could not be started', async t => {
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
    assert.doesNotMatch(text, /keeps it in its folders/);
  });

  it('may be server-filesystem', async t => {
    const base = tempFolder(t);
    writeTree(base, { 'api/a.txt': 'a', 'other/secret': 'secret' });
    const [api, secret] = [join(base, 'api'), join(base, 'other/secret')];
    const args = [packaged('@modelcontextprotocol/server-filesystem'), base];
    const hub = await startHub(t, {
      era: 'legacy',
      roots: [api],
      config: {
        mcpServers: { a: { command: process.execPath, args, sandbox: { network: false } } },
      },
    });
    const call = async (tool: string, toolArgs: Record<string, unknown>) => {
      const { isError = false, content } = await hub.call('a', tool, toolArgs);
      return [isError, content[0]?.text];
    };
    assert.deepEqual(await call('read_text_file', { path: join(api, 'a.txt') }), [false, 'a']);
    // A relative path starts where the server finds itself, not where its sandbox was started.
    assert.deepEqual(await call('read_text_file', { path: 'a.txt' }), [false, 'a']);
    assert.match(String((await call('read_text_file', { path: '../other/secret' }))[1]), /denied/i);
    assert.equal((await call('write_file', { path: join(api, 'b.txt'), content: 'b' }))[0], false);
    assert.equal(readFileSync(join(api, 'b.txt'), 'utf8'), 'b');
    assert.equal((await call('read_text_file', { path: secret }))[0], true);
  });
});

/** Whether that is the answer to a call that the server was at when its configuration changed. */
function isCutOff(said: string): boolean {
  return said.endsWith('its configuration has changed.');
}

/** A hub with one server that looks at no roots: what it can't reach, only the sandbox keeps from it. */
async function opened(
  t: TestContext,
  { era, sandbox, cache }: { era: Era; sandbox: unknown; cache?: string },
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
      a: { command: process.execPath, args: [at('server/holder.cjs')], guard: 'off', sandbox: how },
    },
  });
  const config = configure(sandbox);
  const hub = await startHub(t, {
    era,
    roots: [at('api')],
    config,
    ...(cache && { cache: at(cache) }),
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
