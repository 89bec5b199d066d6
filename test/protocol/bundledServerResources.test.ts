import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Client as ClientOfSdk2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioOfSdk2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientOfSdk1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioOfSdk1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  type Message,
  RawSession,
  rootOf,
  serverMain,
  toolCall,
} from '../support/bundledServer.ts';
import { buildCase } from '../support/caseTree.ts';
import { compare, type PathCase, pathCases, type Verdict } from '../support/pathCases.ts';
import { atEnd } from '../support/processes.ts';
import { good, startSwapping } from '../support/swapper.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

const uriTemplate = 'file:///{+path}';

describe('clients of other makers', () => {
  const launch = (folder: string) => ({
    command: process.execPath,
    args: [serverMain, '--root', folder],
    stderr: 'ignore' as const,
  });

  test('SDK 1 lists, reads and completes', async t => {
    const folder = tempFolder(t);
    writeTree(folder, { 'a.txt': 'text' });
    const client = new ClientOfSdk1({ name: 'test', version: '1' });
    atEnd(t, () => client.close());
    await client.connect(new StdioOfSdk1(launch(folder)));
    const { resources } = await client.listResources();
    deepEqual(
      resources.map(({ uri }) => uri),
      [rootOf(folder).uri],
    );
    const [template] = (await client.listResourceTemplates()).resourceTemplates;
    equal(template?.uriTemplate, uriTemplate);
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: uriTemplate },
      argument: { name: 'path', value: `${folder.slice(1)}/a` },
    });
    deepEqual(completion.values, [`${folder.slice(1)}/a.txt`]);
    const { contents } = await client.readResource({ uri: `file:///${completion.values[0]}` });
    deepEqual(contents, [{ uri: `file://${folder}/a.txt`, mimeType: 'text/plain', text: 'text' }]);
  });

  for (const mode of ['legacy', { pin: '2026-07-28' }] as const) {
    const era = mode === 'legacy' ? mode : 'modern';
    test(`SDK 2 (${era}) lists, reads and completes`, async t => {
      const folder = tempFolder(t);
      writeTree(folder, { 'a.txt': 'text' });
      const client = new ClientOfSdk2(
        { name: 'test', version: '1' },
        { versionNegotiation: { mode } },
      );
      atEnd(t, () => client.close());
      await client.connect(new StdioOfSdk2(launch(folder)));
      const { resources } = await client.listResources();
      deepEqual(
        resources.map(({ uri }) => uri),
        [rootOf(folder).uri],
      );
      const [template] = (await client.listResourceTemplates()).resourceTemplates;
      equal(template?.uriTemplate, uriTemplate);
      const { completion } = await client.complete({
        ref: { type: 'ref/resource', uri: uriTemplate },
        argument: { name: 'path', value: 'a' },
      });
      deepEqual(completion.values, [`${folder.slice(1)}/a.txt`]);
      const { contents } = await client.readResource({ uri: `file:///${completion.values[0]}` });
      equal('text' in contents[0]! && contents[0].text, 'text');
    });
  }

  test('a modern client is asked for its roots when it reads, and gets it then', async t => {
    const folder = tempFolder(t);
    writeTree(folder, { 'a.txt': 'text' });
    const client = new ClientOfSdk2(
      { name: 'test', version: '1' },
      { capabilities: { roots: {} }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    client.setRequestHandler('roots/list', () => ({ roots: [rootOf(folder)] }));
    atEnd(t, () => client.close());
    const { args, ...rest } = launch(folder);
    await client.connect(new StdioOfSdk2({ ...rest, args: args.slice(0, 1) }));
    const { contents } = await client.readResource({ uri: `${rootOf(folder).uri}/a.txt` });
    equal('text' in contents[0]! && contents[0].text, 'text');
    // Nothing but a call can ask, so a list has nothing to name.
    deepEqual((await client.listResources()).resources, []);
    const ref = { type: 'ref/resource', uri: uriTemplate } as const;
    const completed = await client.complete({ ref, argument: { name: 'path', value: '' } });
    deepEqual(completed.completion.values, []);
  });
});

describe('resources', { concurrency: true }, () => {
  test('are the roots, under their names, and they change with them', async t => {
    const folder = tempFolder(t);
    writeTree(folder, { 'one/': '', 'two/': '' });
    const [one, two] = [join(folder, 'one'), join(folder, 'two')];
    const session = new RawSession(t);
    await session.initialize();
    await share(session, [{ uri: `${rootOf(one).uri}/`, name: 'First' }, rootOf(two)]);
    await session.next(isNotice);
    const description = 'What this shared folder holds.';
    const mimeType = 'text/plain';
    const second = { uri: rootOf(two).uri, name: 'two', description, mimeType };
    deepEqual((await ask(session, 10, 'resources/list')).result, {
      resources: [{ uri: rootOf(one).uri, name: 'First', description, mimeType }, second],
    });
    session.send({ method: 'notifications/roots/list_changed' });
    await share(session, [rootOf(two)]);
    await session.next(isNotice);
    deepEqual((await ask(session, 11, 'resources/list')).result?.['resources'], [second]);
    // An equal list changes nothing, so that nobody is told.
    session.send({ method: 'notifications/roots/list_changed' });
    await share(session, [rootOf(two)]);
    session.send(toolCall(12, 'get-roots'));
    equal((await session.next(message => message.id === 12 || isNotice(message))).id, 12);
    session.send({ method: 'notifications/roots/list_changed' });
    await share(session, []);
    await session.next(isNotice);
    deepEqual((await ask(session, 13, 'resources/list')).result, { resources: [] });
  });

  test('are listed in pages', async t => {
    const folder = tempFolder(t);
    const roots = Array.from({ length: 1100 }, (_, index) => join(folder, `${index}`));
    for (const root of roots) {
      mkdirSync(root);
    }
    const session = new RawSession(t);
    await session.initialize();
    await share(
      session,
      roots.map(root => rootOf(root)),
    );
    const pages: number[] = [];
    const uris: string[] = [];
    let cursor: unknown;
    do {
      const page = await ask(session, 10 + pages.length, 'resources/list', { cursor });
      pages.push(resourcesIn(page).length);
      uris.push(...resourcesIn(page).map(({ uri }) => uri));
      cursor = page.result?.['nextCursor'];
    } while (cursor !== undefined);
    deepEqual(pages, [500, 500, 100]);
    deepEqual(
      uris,
      roots.map(root => rootOf(root).uri),
    );
    for (const wrong of ['-1', '1.5', 'x', '', '99999999999']) {
      const { error } = await ask(session, 20, 'resources/list', { cursor: wrong });
      equal(error?.code, -32602, wrong);
    }
  });

  test('of a root and of a folder is what it holds, as text', async t => {
    const { session, folder } = await sharing(t, { 'b.txt': '', 'a/c.txt': '' });
    symlinkSync('a', join(folder, 'link'));
    const { uri } = rootOf(folder);
    const text = `${folder}: 3 entries\na/\nb.txt\nlink (link)`;
    deepEqual((await read(session, uri)).result?.['contents'], [
      { uri, mimeType: 'text/plain', text },
    ]);
    // The content bears the URI that was asked for, as clients compare them.
    deepEqual((await read(session, `${uri}/`)).result?.['contents'], [
      { uri: `${uri}/`, mimeType: 'text/plain', text },
    ]);
    deepEqual((await read(session, `${uri}/link`)).result?.['contents'], [
      { uri: `${uri}/link`, mimeType: 'text/plain', text: `${folder}/a: 1 entries\nc.txt` },
    ]);
  });

  test('of a file is its text, or its bytes', async t => {
    const { session, folder } = await sharing(t, { 'ä b.md': '# Ä', 'empty.txt': '' });
    const bytes = Buffer.from('89504e470d0a1a0a00', 'hex');
    writeFileSync(join(folder, 'dot.png'), bytes);
    const uri = (name: string) => rootOf(join(folder, name)).uri;
    const contents = async (name: string) => (await read(session, uri(name))).result?.['contents'];
    deepEqual(await contents('ä b.md'), [
      { uri: uri('ä b.md'), mimeType: 'text/markdown', text: '# Ä' },
    ]);
    deepEqual(await contents('empty.txt'), [
      { uri: uri('empty.txt'), mimeType: 'text/plain', text: '' },
    ]);
    deepEqual(await contents('dot.png'), [
      { uri: uri('dot.png'), mimeType: 'image/png', blob: bytes.toString('base64') },
    ]);
  });

  test('are whole, and never longer than a line may be', async t => {
    const { session, folder } = await sharing(t, { 'bells.txt': '\u0007'.repeat(3_000_000) });
    const words = 'word '.repeat(700_000);
    writeTree(folder, { 'words.txt': words, 'long.txt': 'x'.repeat(3_932_161), huge: '' });
    truncateSync(join(folder, 'huge'), 2 ** 40);
    const contents = async (name: string) => {
      const { result } = await read(session, `${rootOf(folder).uri}/${name}`);
      ok(JSON.stringify(result).length < 8_000_000);
      const all = (result?.['contents'] ?? []) as {
        readonly text?: string;
        readonly blob?: string;
      }[];
      return all[0];
    };
    equal((await contents('words.txt'))?.text === words, true);
    // Each of these characters takes six in JSON, so they come as bytes.
    const bells = await contents('bells.txt');
    equal(Buffer.from(bells?.blob ?? '', 'base64').toString() === '\u0007'.repeat(3_000_000), true);
    for (const [name, size] of [
      ['long.txt', 3_932_161],
      ['huge', 2 ** 40],
    ] as const) {
      const { error } = await read(session, `${rootOf(folder).uri}/${name}`);
      equal(error?.code, -32602);
      match(error?.message ?? '', new RegExp(`It has ${size} bytes, and 3932160 is the most`));
    }
  });

  test('that are no files are refused at once', async t => {
    const { session, folder } = await sharing(t, { 'a.txt': '' });
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const { uri } = rootOf(folder);
    const messages: (string | undefined)[] = [];
    for (const wrong of [
      `${uri}/pipe`,
      `${uri}/none`,
      `${uri}/a.txt/x`,
      'a.txt',
      '',
      'http://a/b',
    ]) {
      const { error } = await read(session, wrong);
      equal(error?.code, -32602);
      messages.push(error?.message.replace(JSON.stringify(wrong), 'URI'));
    }
    deepEqual(messages, [
      'URI cannot be used. It is no regular file, but a pipe, a socket or a device.',
      'URI does not exist. List its folder to see what does.',
      'URI cannot be used. A part of it is a file, not a folder.',
      'URI cannot be used as a path. It is not a file: URI.',
      'URI cannot be used as a path. It is not a file: URI.',
      'URI cannot be used as a path. It is not a file: URI.',
    ]);
  });

  test('outside the roots are refused the same, whether they exist or not', async t => {
    const top = tempFolder(t);
    writeTree(top, { 'root/': '', 'secret/key': 'secret' });
    const { session } = await sharing(t, {}, join(top, 'root'));
    const said = new Set<string>();
    for (const [index, target] of ['secret/key', 'secret', 'secret/none', 'none'].entries()) {
      symlinkSync(join(top, target), join(top, `root/${index}`));
      for (const path of [`root/${index}`, `root/${index}/x`, target, `root/../${target}`]) {
        const uri = `file://${top}/${path}`;
        const { error } = await read(session, uri);
        deepEqual(error && { ...error, data: 'data' in error && error.data, message: '' }, {
          code: -32602,
          message: '',
          data: { uri },
        });
        said.add(error?.message.replace(JSON.stringify(uri), 'URI') ?? 'nothing');
      }
    }
    const hint = `It can reach what is in "${join(top, 'root')}", and links there that stay in them.`;
    deepEqual([...said], [`URI is outside the folders shared with this server. ${hint}`]);
  });

  test('are refused with the reason while the roots are not known', async t => {
    const session = new RawSession(t);
    await session.initialize({});
    const { error } = await read(session, 'file:///etc/passwd');
    equal(error?.code, -32602);
    match(
      error?.message ?? '',
      /^It is not known which folders are shared, so nothing is served\./,
    );
    deepEqual((await ask(session, 3, 'resources/list')).result, { resources: [] });
    deepEqual((await complete(session, '')).result?.['completion'], completionOf([]));
  });

  test('are not given once their root was revoked', async t => {
    const { session, folder } = await sharing(t, { 'a.txt': 'a' });
    session.send({ method: 'notifications/roots/list_changed' });
    const asked = await session.rootsRequest();
    const uri = `${rootOf(folder).uri}/a.txt`;
    session.send({ id: 30, method: 'resources/read', params: { uri } });
    session.send({ id: asked.id, result: { roots: [] } });
    match((await session.answerTo(30)).error?.message ?? '', /is outside the folders shared/);
  });

  test('take their turn: a flood of them is answered, or told that the server is busy', async t => {
    const { session, folder } = await sharing(t, { 'a.txt': 'a' });
    const params = { uri: `${rootOf(folder).uri}/a.txt` };
    const ids = Array.from({ length: 3000 }, (_, index) => 100 + index);
    session.send(...ids.map(id => ({ id, method: 'resources/read', params })));
    const kinds = new Set<string>();
    for (const id of ids) {
      const { result, error } = await session.answerTo(id);
      kinds.add(result ? 'read' : `${error?.code} ${error?.message.split(':')[0]}`);
    }
    kinds.delete('-32603 The server is busy');
    deepEqual([...kinds], ['read']);
  });
});

describe('completion', { concurrency: true }, () => {
  test('goes from the roots into their folders, which end in a slash', async t => {
    const { session, folder } = await sharing(t, {
      'src/main.ts': '',
      'src/make/x': '',
      'src/other.ts': '',
      'readme.md': '',
    });
    const top = folder.slice(1);
    const values = async (typed: string) =>
      valuesIn(await complete(session, typed)).map(value => value.replace(top, 'TOP'));
    deepEqual(await values(''), ['TOP/', 'TOP/readme.md', 'TOP/src/']);
    deepEqual(await values(top.slice(0, 3)), ['TOP/']);
    deepEqual(await values(top), ['TOP/']);
    deepEqual(await values(`${top}/`), ['TOP/readme.md', 'TOP/src/']);
    deepEqual(await values(`/${top}/`), ['TOP/readme.md', 'TOP/src/']);
    deepEqual(await values(`${top}/src/ma`), ['TOP/src/main.ts', 'TOP/src/make/']);
    deepEqual(await values('src/ma'), ['TOP/src/main.ts', 'TOP/src/make/']);
    deepEqual(await values('src/make/'), ['TOP/src/make/x']);
    deepEqual(await values(`${top}/none`), []);
    deepEqual(await values(`${top}/readme.md/`), []);
  });

  test('gives the first hundred, and says how many there are', async t => {
    const names = Array.from({ length: 250 }, (_, index) => `file-${1000 + index}`);
    const { session, folder } = await sharing(t, Object.fromEntries(names.map(name => [name, ''])));
    const { result } = await complete(session, 'file-');
    deepEqual(result?.['completion'], {
      values: names.slice(0, 100).map(name => `${folder.slice(1)}/${name}`),
      total: 250,
      hasMore: true,
    });
  });

  test('offers nothing that leads out or can not be read, or that would name something else', async t => {
    const top = tempFolder(t);
    writeTree(top, { 'root/sub/': '', 'root/b?c': '', 'root/a#b': '', 'secret/key': '' });
    mkdirSync(join(top, 'no#where'));
    const { session, folder } = await sharing(t, { 'plain %41.txt': '' }, join(top, 'root'));
    session.send({ method: 'notifications/roots/list_changed' });
    await share(session, [rootOf(folder), rootOf(join(top, 'no#where'))]);
    symlinkSync(join(top, 'secret'), join(folder, 'out'));
    symlinkSync(join(top, 'secret/key'), join(folder, 'out-file'));
    symlinkSync('nowhere', join(folder, 'broken'));
    symlinkSync('sub', join(folder, 'to-sub'));
    symlinkSync('plain %41.txt', join(folder, 'to-plain'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    if (process.platform === 'linux') {
      writeFileSync(Buffer.from(`${folder}/\xff`, 'latin1'), '');
    }
    const values = valuesIn(await complete(session, `${folder.slice(1)}/`));
    deepEqual(
      values.map(value => value.slice(folder.length)),
      ['plain %41.txt', 'sub/', 'to-plain', 'to-sub/'],
    );
    equal(
      valuesIn(await complete(session, ''))
        .join()
        .includes('where'),
      false,
    );
    // What a client makes of such a value, by the template, is read.
    const uri = `file:///${encodeURI(values[0] ?? '')}`;
    equal((await read(session, uri)).result?.['contents'] !== undefined, true);
    for (const typed of [
      'out/',
      '../',
      '../secret/',
      `${top.slice(1)}/`,
      'sub/../../secret/k',
      '/',
    ]) {
      const completed = valuesIn(await complete(session, typed));
      deepEqual(
        completed.filter(value => !`/${value}`.startsWith(`${folder}/`)),
        [],
        typed,
      );
      equal(completed.join().includes('key'), false);
    }
  });

  test('starts at the top where everything is allowed', {
    skip: process.platform === 'win32' && 'there it is one root for each drive',
  }, async t => {
    const folder = tempFolder(t);
    writeTree(folder, { 'a.txt': '' });
    const session = new RawSession(t, ['--without-roots=allow']);
    await session.initialize({});
    const [top] = folder.slice(1).split('/');
    ok(valuesIn(await complete(session, '')).includes(`${top}/`));
    const typed = `${folder.slice(1)}/`;
    deepEqual(valuesIn(await complete(session, typed)), [`${typed}a.txt`]);
  });

  test('names a file of several roots once', async t => {
    const top = tempFolder(t);
    writeTree(top, { 'root/inner/a.txt': '' });
    const session = new RawSession(t);
    await session.initialize();
    await share(session, [rootOf(join(top, 'root')), rootOf(join(top, 'root/inner'))]);
    const inner = `${top.slice(1)}/root/inner/`;
    const { result } = await complete(session, inner);
    deepEqual(result?.['completion'], completionOf([`${inner}a.txt`]));
  });

  test('is refused for what is no part of the template', async t => {
    const { session } = await sharing(t, {});
    const argument = { name: 'path', value: '' };
    for (const params of [
      { ref: { type: 'ref/resource', uri: 'file:///{name}' }, argument },
      { ref: { type: 'ref/prompt', name: 'path' }, argument },
      { ref: { type: 'ref/resource', uri: uriTemplate }, argument: { name: 'x', value: '' } },
    ]) {
      const { error } = await ask(session, 40, 'completion/complete', params);
      deepEqual(
        [error?.code, error?.message],
        [-32602, `Only the "path" of the template ${uriTemplate} can be completed.`],
      );
    }
  });
});

test('none of 2,000 resources read is from outside while a folder is swapped with a link', async t => {
  const { root, path } = await startSwapping(t);
  const { session } = await sharing(t, {}, root);
  const uri = rootOf(path).uri;
  const seen = new Set<string>();
  // On a busy machine the attacker may not get its turn at once: it is waited for, not assumed.
  for (let id = 1000; id < 3000 || (seen.size < 2 && id < 100_000); id++) {
    session.send({ id, method: 'resources/read', params: { uri } });
    const { result } = await session.answerTo(id);
    const contents = result?.['contents'] as { readonly text: string }[] | undefined;
    seen.add(contents?.[0]?.text ?? 'refused');
  }
  deepEqual([...seen].sort(), [good, 'refused'].sort());
});

describe('every adversarial path, as a resource', {
  skip: process.platform !== 'linux' && 'the cases are moved into a tree with the rules of Linux',
}, () => {
  const cases = pathCases().filter(
    ({ id, platform, kind, input }) =>
      (platform === 'posix' || platform === 'linux') &&
      kind === undefined &&
      id !== 'S29' &&
      typeof input === 'string',
  );

  test(`${cases.length} cases are read or refused as they should be, and complete to nothing outside`, async t => {
    const session = new RawSession(t);
    await session.initialize();
    await share(session, []);
    const verdicts = new Map<string, Verdict>();
    const beyond: string[] = [];
    for (const one of cases) {
      const { roots, input } = buildCase(tempFolder(t), one);
      for (const list of one.setup?.dynamic?.startsWith('revoke') ? [roots, []] : [roots]) {
        session.send({ method: 'notifications/roots/list_changed' });
        await share(session, list);
      }
      const path = String(input);
      verdicts.set(one.id, verdictOf(await read(session, uriFor(path))));
      const folders = roots.map(({ uri }) => decodeURIComponent(uri.slice('file://'.length)));
      const values = valuesIn(await complete(session, path.replace(/^\/+/, '')));
      beyond.push(...values.filter(value => !folders.some(root => `/${value}`.startsWith(root))));
    }
    deepEqual(beyond, []);
    const refusable = cases.filter(({ expect }) => expect !== 'inside').map(asUri);
    const { actual, expected } = compare(refusable, ({ id }) => verdicts.get(id) ?? 'inside');
    deepEqual(actual, expected);
    const inside = cases.filter(({ expect }) => expect === 'inside').map(({ id }) => id);
    // The others are inside, too, but they are relative or name nothing that is there.
    const there = ['P01', 'P02', 'P64', 'S02', 'S11', 'S13', 'S14', 'S16', 'S17'];
    deepEqual(
      inside.filter(id => verdicts.get(id) === 'inside'),
      there,
    );
    deepEqual(
      inside.filter(id => verdicts.get(id) === 'outside'),
      [],
    );
  });

  /** The URI that decodes to an absolute path. What is relative, or a URI, stays as it is. */
  function uriFor(path: string): string {
    return path.startsWith('/') && !/\p{Surrogate}/u.test(path)
      ? `file://${path.split('/').map(encodeURIComponent).join('/')}`
      : path;
  }

  /** What is to be expected of a case when its path comes as a URI: no URI is relative. */
  function asUri(one: PathCase): PathCase {
    const isUri = /^(?:\/|file:)/i.test(String(one.input));
    // A NUL goes, with its name, when the dots after it are resolved, as URLs want it.
    const expect = one.id === 'P26' ? 'outside' : isUri ? one.expect : 'error';
    return { ...one, expect };
  }

  function verdictOf({ result, error }: Message): Verdict {
    if (result) {
      return 'inside';
    }
    return / is outside the folders shared with this server\. /.test(error?.message ?? '')
      ? 'outside'
      : 'error';
  }
});

function valuesIn({ result }: Message): readonly string[] {
  return ((result?.['completion'] ?? {}) as { readonly values?: readonly string[] }).values ?? [];
}

function resourcesIn({ result }: Message): readonly { readonly uri: string }[] {
  return (result?.['resources'] ?? []) as { readonly uri: string }[];
}

function completionOf(values: readonly string[]) {
  return { values, total: values.length, hasMore: false };
}

function isNotice({ method }: Message): boolean {
  return method === 'notifications/resources/list_changed';
}

async function share(session: RawSession, roots: readonly object[]): Promise<void> {
  const { id } = await session.rootsRequest();
  session.send({ id, result: { roots } });
}

/** A session that shares a folder with these files. */
async function sharing(
  t: Parameters<typeof tempFolder>[0],
  files: Readonly<Record<string, string>>,
  folder: string = tempFolder(t),
) {
  writeTree(folder, files);
  const session = new RawSession(t);
  await session.initialize();
  await share(session, [rootOf(folder)]);
  return { session, folder };
}

function ask(session: RawSession, id: number, method: string, params: object = {}) {
  session.send({ id, method, params });
  return session.answerTo(id);
}

function read(session: RawSession, uri: string): Promise<Message> {
  return ask(session, 2, 'resources/read', { uri });
}

function complete(session: RawSession, value: string): Promise<Message> {
  const ref = { type: 'ref/resource', uri: uriTemplate };
  return ask(session, 3, 'completion/complete', { ref, argument: { name: 'path', value } });
}
