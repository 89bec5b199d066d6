import { deepEqual, ok } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { readHubConfig } from '../../../../src/domain/hubConfig/hubConfig.ts';
import { readInputSettings } from '../../../../src/domain/settings/inputs.ts';
import { type MistakesIn, repaired, repairsOf } from '../../../../src/domain/settings/repairs.ts';
import { readServerSettings } from '../../../../src/domain/settings/serverSettings.ts';
import { effort } from '../../../support/effort.ts';

const around = { folders: [], userHome: '/home/me' };
const command = 'files';
const url = 'https://example.com/mcp';
const remove = { kind: 'remove' };
const rename = (to: string) => ({ kind: 'rename', to });
const replace = (value: unknown) => ({ kind: 'replace', value });

/** Where the mistakes in a value are, each with the ways to mend it. */
function shown(value: unknown, read: MistakesIn) {
  return read(value).map(mistake => [mistake.path.join(' '), ...repairsOf(value, mistake, read)]);
}

const ofServers: MistakesIn = value => readServerSettings(value, around).problems;
const ofHubs: MistakesIn = value => readHubConfig(value, '/home/me').mistakes;
const ofServer = (entry: object) => shown({ files: entry }, ofServers);
const ofHub = (entry: object) => shown({ mcpServers: { it: entry } }, ofHubs);

describe('a mistake', () => {
  test('in a key is mended by the key that was meant, or by leaving it out', () => {
    deepEqual(ofServer({ comand: 'x' }), [
      ['files comand', rename('command'), remove],
      ['files command'],
    ]);
    deepEqual(ofServer({ command, zzzzzzzz: 1 }), [['files zzzzzzzz', remove]]);
    deepEqual(ofServer({ command, url }), [['files url', remove]]);
    deepEqual(ofServer({ command, sandbox: { reed: [] } }), [
      ['files sandbox reed', rename('read'), remove],
    ]);
    deepEqual(shown({ mcpServer: {}, servers: {} }, ofHubs), [
      ['mcpServer', rename('mcpServers'), remove],
    ]);
  });

  test('in a value is mended by the value that was meant, where that can be told', () => {
    deepEqual(
      ofServer({
        ...{ command, type: 'stdoi', args: '-y', protocol: 'legacyy', autoStart: 'true' },
        ...{ rootsAs: 'arg', env: { PORT: true, LIST: [] }, sandbox: true },
      }),
      [
        ['files sandbox', replace('on')],
        ['files type', replace('stdio')],
        ['files args', replace(['-y'])],
        ['files env PORT', replace('true')],
        ['files env LIST'],
        ['files rootsAs', replace('args')],
        ['files protocol', replace('legacy')],
        ['files autoStart', replace(true)],
      ],
    );
    deepEqual(ofServer({ url, type: 'streamable-http' }), [['files type', replace('http')]]);
    deepEqual(ofServer({ command, args: [8080] }), [['files args 0', replace('8080')]]);
    const inputs = [{ id: 'a' }, { id: 'b', type: 'promptStrin' }];
    deepEqual(
      shown(inputs, value => readInputSettings(value).problems),
      [['1 type', replace('promptString')]],
    );
  });

  test('in a variable is mended by the one that can stand there', () => {
    deepEqual(
      ofServer({
        ...{ command, cwd: '${roots}', env: { DIRS: '--${roots}' }, envFile: '${firstRoot}/.env' },
        ...{ rootsAs: ['roots'] },
      }),
      [
        ['files cwd', replace('${firstRoot}')],
        ['files env DIRS', replace('--${rootsJoined:,}')],
        ['files envFile'],
        ['files rootsAs', replace(['roots', 'args'])],
        ['files rootsAs', replace(['roots', 'env'])],
      ],
    );
    deepEqual(ofHub({ command, args: ['${TOKEN:-abc}/${TOKEN:-abc}', '${workspaceFolder}'] }), [
      ['mcpServers it args 0', replace('${env:TOKEN}/${env:TOKEN}')],
      ['mcpServers it args 0', replace('${env:TOKEN}/${env:TOKEN}')],
      ['mcpServers it args 1', replace('${firstRoot}')],
    ]);
    deepEqual(ofHub({ command, deny: ['src\\**', '!src'] }), [
      ['mcpServers it deny 0', replace('src/**')],
      ['mcpServers it deny 1'],
    ]);
  });

  test('is mended by nothing that is a mistake, too, or that takes the place of another key', () => {
    deepEqual(ofServer({ comand: 'x', command: 'y' }), [['files comand', remove]]);
    deepEqual(ofServer({ command: '' }), [['files command']]);
    deepEqual(ofServer({ command, env: { 'A=B': '1' } }), [['files env A=B', remove]]);

    deepEqual(shown([], ofServers), [['']]);
  });

  test('is mended whatever the value is, or left as it is: the reader says less of it then', () => {
    let count = 0;
    const key = fc.constantFrom('command', 'comand', 'args', 'url', 'env', 'rootsAs', 'protocl');
    const text = fc.constantFrom('true', '-y', '${roots}', 'legacyy', 'https://example.com', 'arg');
    const value = fc.oneof(text, fc.array(text), fc.jsonValue(), fc.dictionary(text, text));
    const property = fc.property(fc.dictionary(key, value), entry => {
      const whole = { files: entry };
      const mistakes = ofServers(whole);
      for (const mistake of mistakes) {
        for (const repair of repairsOf(whole, mistake, ofServers)) {
          const after = repaired(whole, mistake.path, repair);
          ok(ofServers(after).length <= mistakes.length);
          count += 1;
        }
      }
    });
    fc.assert(property, { numRuns: 30 * effort });
    ok(count > 5 * effort, `only ${count} repairs`);
  });
});
