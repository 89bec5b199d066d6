import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { knownServerOf, knownServers } from '../../../../src/domain/adding/knownServers.ts';
import { draftOf, type ServerDraft } from '../../../../src/domain/adding/serverDraft.ts';
import { inputsOf } from '../../../../src/domain/settings/expandLaunch.ts';
import { readInputSettings } from '../../../../src/domain/settings/inputs.ts';
import { readServerSettings } from '../../../../src/domain/settings/serverSettings.ts';
import { emptySettings } from '../../../support/importing.ts';

const { around } = emptySettings;
const terms = { isWindows: false, around, known: new Map() };

function draftOfKnown(name: string): ServerDraft {
  const server = knownServers.find(known => known.name === name);
  assert.ok(server, name);
  const drafted = draftOf(name, server, terms);
  assert.ok(drafted.ok, name);
  return drafted.draft;
}

describe('the servers that are known by name', () => {
  it('are a short list of different ones', () => {
    const names = knownServers.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    assert.ok(names.length >= 10 && names.length <= 15, names.join(', '));
  });

  it('are written as the settings take them, with all the inputs that they use, and no secret', () => {
    for (const { name } of knownServers) {
      const { entry, inputs, kept, notes } = draftOfKnown(name);
      const { servers, problems } = readServerSettings({ [name]: entry }, around);
      assert.deepEqual(problems, [], name);
      const used = servers.flatMap(({ launch }) => inputsOf(launch)).sort();
      assert.deepEqual(inputs.map(({ id }) => id).sort(), used, name);
      assert.deepEqual(readInputSettings(inputs).problems, [], name);
      assert.ok(
        inputs.every(({ description }) => description),
        name,
      );
      assert.deepEqual([kept, notes], [[], []], name);
    }
  });

  it('are started as their authors say', () => {
    assert.deepEqual(draftOfKnown('git').entry, { command: 'uvx', args: ['mcp-server-git'] });
    assert.deepEqual(draftOfKnown('github').entry, {
      url: 'https://api.githubcopilot.com/mcp/',
      headers: { Authorization: 'Bearer ${input:github-token}' },
    });
  });

  it('say of each that is started here whether it works in a sandbox', () => {
    for (const { name, entry, isSandboxable } of knownServers) {
      assert.equal(isSandboxable === undefined, entry.args === undefined, name);
    }
  });

  it('are told from others by their package in any version, or by their URL', () => {
    const named = (entry: object) => knownServerOf({ ...entry })?.name;
    assert.deepEqual(
      [
        named({ command: 'npx', args: ['@playwright/mcp'] }),
        named({ command: 'cmd', args: ['/c', 'npx', '@playwright/mcp@0.0.41', '--headless'] }),
        named({ command: 'uvx', args: ['mcp-server-git==1.0', '--repository', '/proj'] }),
        named({ url: 'https://learn.microsoft.com/api/mcp' }),
        named({ url: 'https://example.com' }),
        named({ command: 'indexer' }),
        named({ command: 'npx', args: ['-y'] }),
      ],
      ['playwright', 'playwright', 'git', 'microsoft-learn', undefined, undefined, undefined],
    );
  });
});
