import { deepEqual, equal, match } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { RawSession, rootOf } from '../support/bundledServer.ts';
import { ask, completePath, completionOf, readResource } from '../support/resourceRequests.ts';
import { sharing } from '../support/sharing.ts';
import { skipLinks, skipPipes } from '../support/systems.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

describe('resources', { concurrency: true }, () => {
  test('that are no files are refused at once', async t => {
    const { session, folder } = await sharing(t, { 'a.txt': '' });
    const { uri } = rootOf(folder);
    const messages: (string | undefined)[] = [];
    for (const wrong of [`${uri}/none`, `${uri}/a.txt/x`, 'a.txt', '', 'http://a/b']) {
      const { error } = await readResource(session, wrong);
      equal(error?.code, -32602);
      messages.push(error?.message.replace(JSON.stringify(wrong), 'URI'));
    }
    deepEqual(messages, [
      'URI does not exist. List its folder to see what does.',
      // Windows does not tell why there is nothing.
      process.platform === 'win32'
        ? 'URI does not exist. List its folder to see what does.'
        : 'URI cannot be used. A part of it is a file, not a folder.',
      'URI cannot be used as a path. It is not a file: URI.',
      'URI cannot be used as a path. It is not a file: URI.',
      'URI cannot be used as a path. It is not a file: URI.',
    ]);
  });

  test('that are pipes are refused at once', { skip: skipPipes }, async t => {
    const { session, folder } = await sharing(t, {});
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const { error } = await readResource(session, rootOf(join(folder, 'pipe')).uri);
    deepEqual(
      [error?.code, error?.message.replace(/".*"/, 'URI')],
      [-32602, 'URI cannot be used. It is no regular file, but a pipe, a socket or a device.'],
    );
  });

  test('outside the roots are refused the same, whether they exist or not', {
    skip: skipLinks,
  }, async t => {
    const top = tempFolder(t);
    writeTree(top, { 'root/': '', 'secret/key': 'secret' });
    const { session } = await sharing(t, {}, join(top, 'root'));
    const said = new Set<string>();
    for (const [index, target] of ['secret/key', 'secret', 'secret/none', 'none'].entries()) {
      symlinkSync(join(top, target), join(top, `root/${index}`));
      for (const path of [`root/${index}`, `root/${index}/x`, target, `root/../${target}`]) {
        const uri = `${rootOf(top).uri}/${path}`;
        const { error } = await readResource(session, uri);
        deepEqual(error && { ...error, data: 'data' in error && error.data, message: '' }, {
          code: -32602,
          message: '',
          data: { uri },
        });
        said.add(error?.message.replace(JSON.stringify(uri), 'URI') ?? 'nothing');
      }
    }
    const hint = `It can reach what is in ${JSON.stringify(join(top, 'root'))}, and links there that stay in them.`;
    deepEqual([...said], [`URI is outside the folders shared with this server. ${hint}`]);
  });

  test('are refused with the reason while the roots are not known', async t => {
    const session = new RawSession(t);
    await session.initialize({});
    const { error } = await readResource(session, 'file:///etc/passwd');
    equal(error?.code, -32602);
    match(
      error?.message ?? '',
      /^It is not known which folders are shared, so nothing is served\./,
    );
    deepEqual((await ask(session, 3, 'resources/list')).result, { resources: [] });
    deepEqual((await completePath(session, '')).result?.['completion'], completionOf([]));
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
});
