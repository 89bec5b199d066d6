import assert from 'node:assert/strict';
import { realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { placeOf } from '../../../../src/base/fileIdentity.ts';
import { inEnglish, isHumanError } from '../../../../src/domain/sentence.ts';
import { sandboxedStart } from '../../../../src/mcp/sandbox/sandboxedStart.ts';
import { seatbeltTool } from '../../../../src/mcp/sandbox/sandboxTool.ts';
import { mountedRoot } from '../../../support/sandbox/sandboxedServer.ts';
import { onlyOn } from '../../../support/systems.ts';
import { makeAnew, tempFolder, writeTree } from '../../../support/temp.ts';

const skip = onlyOn('posix', 'the paths of Windows are none of macOS');
const terms = { read: [], write: [], network: false };

test('on macOS a server is started by sandbox-exec, with a profile and temporary files of its own', {
  skip,
}, async t => {
  const base = tempFolder(t);
  writeTree(base, { 'api/server.js': '', 'docs/': '' });
  const [api, docs] = [join(base, 'api'), join(base, 'docs')];
  const start = { command: '/bin/sh', args: ['server.js'], cwd: api, env: { A: 'b' } };
  const roots = [mountedRoot(api), mountedRoot(docs, { isReadOnly: true })];
  const { command, args, cwd, env, inputs, sandbox } = await sandboxedStart(
    start,
    { terms, roots },
    seatbeltTool,
  );
  const temp = env['TMPDIR'] ?? '';
  t.after(() => rmSync(temp, { recursive: true }));
  const [flag, profile = '', ...program] = args;
  assert.deepEqual(
    { command, flag, program, cwd, inputs, A: env['A'], isPreview: sandbox?.isPreview },
    {
      command: '/usr/bin/sandbox-exec',
      flag: '-p',
      program: ['/bin/sh', 'server.js'],
      cwd: api,
      inputs: [],
      A: 'b',
      isPreview: true,
    },
  );
  for (const [action, path] of [
    ['allow', api],
    ['deny', docs],
    ['allow', realpathSync(temp)],
  ]) {
    assert.ok(profile.includes(`\n(${action} file-write* (subpath "${path}"))\n`), profile);
  }
  assert.doesNotMatch(profile, /network-outbound/);
});

test('a folder in the place of the one that was allowed is not shown, though it has its inode', {
  skip,
}, async t => {
  const folder = tempFolder(t);
  const root = mountedRoot(folder, { place: placeOf(statSync(folder, { bigint: true })) });
  const start = { command: '/bin/sh', args: [], cwd: root.path, env: {} };
  const whyNot = makeAnew(folder);
  for (const one of [{ ...root, place: '1:2' }, ...(whyNot ? [] : [root])]) {
    for (const tool of [seatbeltTool, { ...seatbeltTool, isMounting: true }]) {
      await assert.rejects(sandboxedStart(start, { terms, roots: [one] }, tool), error => {
        const said = isHumanError(error) ? inEnglish(error.sentence) : '';
        return /^Its folder .* is not the one that was allowed\.$/.test(said);
      });
    }
  }
});
