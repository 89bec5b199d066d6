import { deepEqual, equal, ok } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { RawSession, rootOf } from '../support/bundledServer.ts';
import {
  ask,
  completePath,
  completionOf,
  readResource,
  uriTemplate,
  valuesIn,
  variableOf,
} from '../support/resourceRequests.ts';
import { share, sharing } from '../support/sharing.ts';
import { onlyOn, skipLinks } from '../support/systems.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

describe('completion', { concurrency: true }, () => {
  test('goes from the roots into their folders, which end in a slash', async t => {
    const { session, folder } = await sharing(t, {
      'src/main.ts': '',
      'src/make/x': '',
      'src/other.ts': '',
      'readme.md': '',
    });
    const top = variableOf(folder);
    const values = async (typed: string) =>
      valuesIn(await completePath(session, typed)).map(value => value.replace(top, 'TOP'));
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
    const { result } = await completePath(session, 'file-');
    deepEqual(result?.['completion'], {
      values: names.slice(0, 100).map(name => `${variableOf(folder)}/${name}`),
      total: 250,
      hasMore: true,
    });
  });

  test('offers nothing that leads out, or that would name something else', {
    skip: skipLinks,
  }, async t => {
    const top = tempFolder(t);
    writeTree(top, { 'root/sub/': '', 'root/a#b': '', 'secret/key': '' });
    mkdirSync(join(top, 'no#where'));
    const { session, folder } = await sharing(t, { 'plain %41.txt': '' }, join(top, 'root'));
    session.send({ method: 'notifications/roots/list_changed' });
    await share(session, [rootOf(folder), rootOf(join(top, 'no#where'))]);
    symlinkSync(join(top, 'secret'), join(folder, 'out'));
    symlinkSync(join(top, 'secret/key'), join(folder, 'out-file'));
    symlinkSync('nowhere', join(folder, 'broken'));
    symlinkSync('sub', join(folder, 'to-sub'));
    symlinkSync('plain %41.txt', join(folder, 'to-plain'));
    const below = `${variableOf(folder)}/`;
    const values = valuesIn(await completePath(session, below));
    deepEqual(
      values.map(value => value.replace(below, '')),
      ['plain %41.txt', 'sub/', 'to-plain', 'to-sub/'],
    );
    equal(
      valuesIn(await completePath(session, ''))
        .join()
        .includes('where'),
      false,
    );
    // What a client makes of such a value, by the template, is read.
    const uri = `file:///${encodeURI(values[0] ?? '')}`;
    equal((await readResource(session, uri)).result?.['contents'] !== undefined, true);
    for (const typed of [
      'out/',
      '../',
      '../secret/',
      `${variableOf(top)}/`,
      'sub/../../secret/k',
      '/',
    ]) {
      const completed = valuesIn(await completePath(session, typed));
      deepEqual(
        completed.filter(value => !value.startsWith(below)),
        [],
        typed,
      );
      equal(completed.join().includes('key'), false);
    }
  });

  test('offers no pipe, and no name that ends a path', {
    skip: onlyOn('posix', 'Windows has no pipes in folders, and no such names'),
  }, async t => {
    const { session, folder } = await sharing(t, { 'b?c': '', plain: '' });
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const below = `${variableOf(folder)}/`;
    deepEqual(valuesIn(await completePath(session, below)), [`${below}plain`]);
  });

  test('offers no name that is no text', {
    skip: onlyOn('linux', 'other systems have no such names'),
  }, async t => {
    const { session, folder } = await sharing(t, { plain: '' });
    writeFileSync(Buffer.from(`${folder}/\xff`, 'latin1'), '');
    const below = `${variableOf(folder)}/`;
    deepEqual(valuesIn(await completePath(session, below)), [`${below}plain`]);
  });

  test('starts at the top where everything is allowed', {
    skip: onlyOn('posix', 'there it is one root for each drive'),
  }, async t => {
    const folder = tempFolder(t);
    writeTree(folder, { 'a.txt': '' });
    const session = new RawSession(t, ['--without-roots=allow']);
    await session.initialize({});
    const [top] = variableOf(folder).split('/');
    ok(valuesIn(await completePath(session, '')).includes(`${top}/`));
    const typed = `${variableOf(folder)}/`;
    deepEqual(valuesIn(await completePath(session, typed)), [`${typed}a.txt`]);
  });

  test('names a file of several roots once', async t => {
    const top = tempFolder(t);
    writeTree(top, { 'root/inner/a.txt': '' });
    const session = new RawSession(t);
    await session.initialize();
    await share(session, [rootOf(join(top, 'root')), rootOf(join(top, 'root/inner'))]);
    const inner = `${variableOf(top)}/root/inner/`;
    const { result } = await completePath(session, inner);
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
