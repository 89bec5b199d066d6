import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { inEnglish } from '../../../../src/domain/sentence.ts';
import { type EndText, lastWords } from '../../../../src/domain/servers/lastWords.ts';
import { failureSentence } from '../../../../src/domain/servers/serverFailure.ts';

/** What is said of a program that ended with this on its standard error. */
function said(...stderr: readonly string[]): string {
  return inEnglish(failureSentence({ kind: 'ended', end: { code: 1, signal: null, stderr } }));
}

/** As npm 10 and 11 write it. */
function npm(code: string, reason: string, host = 'registry.npmjs.org'): readonly string[] {
  return [
    `npm error code ${code}`,
    `npm error errno ${code}`,
    `npm error request to https://${host}/files failed, reason: ${reason}`,
    'npm error A complete log of this run can be found in: /home/me/.npm/_logs/x-debug-0.log',
  ];
}

const node = (host: string) =>
  `does not trust the certificate of ${host}: set NODE_EXTRA_CA_CERTS to the file with your company's certificates`;
const python = node('pypi.org').replace('NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE');

test('whose certificate is not trusted is said with the variable that would help', () => {
  for (const code of [
    'SELF_SIGNED_CERT_IN_CHAIN',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'CERT_UNTRUSTED',
  ]) {
    assert.equal(said(...npm(code, 'as it may be')), node('registry.npmjs.org'), code);
  }
  const older = npm('SELF_SIGNED_CERT_IN_CHAIN', 'x', 'user:pw@npm.example:4873');
  assert.equal(
    said(...older.map(line => line.replace('npm error', 'npm ERR!'))),
    node('npm.example:4873'),
  );
  assert.equal(
    said(
      ' WARN  GET https://npm.example/files error (undefined). Will retry in 10 seconds.',
      'ERR_PNPM_META_FETCH_FAIL  GET https://npm.example/files: request to https://npm.example/files failed, reason: self-signed certificate in certificate chain',
    ),
    node('npm.example'),
  );
  assert.equal(
    said(
      '  × Failed to fetch: `https://pypi.org/simple/files/`',
      '  ├─▶ Request failed after 3 retries',
      '  ├─▶ error sending request for url (https://pypi.org/simple/files/)',
      '  ├─▶ client error (Connect)',
      '  ╰─▶ invalid peer certificate: UnknownIssuer',
    ),
    python,
  );
  assert.equal(
    said(
      "Could not fetch URL https://pypi.org/simple/files/: There was a problem confirming the ssl certificate: HTTPSConnectionPool(host='pypi.org', port=443): Max retries exceeded with url: /simple/files/ (Caused by SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed certificate in certificate chain (_ssl.c:1006)'))) - skipping",
    ),
    python,
  );
});

test('a server that says no more of a certificate than that is told of, too', () => {
  assert.equal(
    said(
      'Error: unable to verify the first certificate',
      '    at TLSSocket.onConnectSecure (node:_tls_wrap:1679:34) {',
      "  code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'",
      '}',
    ),
    "does not trust a certificate: set NODE_EXTRA_CA_CERTS to the file with your company's certificates",
  );
});

test('for a certificate that has expired no variable is named', () => {
  const expired = 'does not trust the certificate of registry.npmjs.org, which has expired';
  assert.equal(said(...npm('CERT_HAS_EXPIRED', 'certificate has expired')), expired);
  assert.equal(
    said(
      'CERTIFICATE_VERIFY_FAILED] certificate verify failed: certificate has expired (_ssl.c:1)',
    ),
    'does not trust a certificate, which has expired',
  );
});

test('a download that reaches nobody is said to be one, with a proxy as what may be missing', () => {
  const from = (host: string) =>
    `could not download from ${host}: set HTTPS_PROXY if this machine needs a proxy`;
  for (const code of ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'ECONNRESET']) {
    assert.equal(said(...npm(code, `connect ${code}`)), from('registry.npmjs.org'), code);
  }
  assert.equal(
    said(
      'error: Failed to fetch: `https://pypi.org/simple/files/`',
      '  Caused by: dns error: failed to lookup address information: Name or service not known',
    ),
    from('pypi.org'),
  );
  assert.equal(
    said('npm error code ENOTFOUND'),
    'could not download: set HTTPS_PROXY if this machine needs a proxy',
  );
});

test('what else a program ends with is told as it says it', () => {
  for (const line of [
    'Error: connect ECONNREFUSED 127.0.0.1:5432',
    'npm error 404 Not Found - GET https://registry.npmjs.org/no-such-package',
    'npm error code E404',
    'usage: files [--certificate FILE]',
    'Failed to fetch the list of issues: connect ECONNREFUSED 127.0.0.1:8080',
    'error: Import failed: invalid peer certificate: UnknownIssuer',
  ]) {
    assert.equal(said(line), `ended with exit code 1: ${line}`);
  }
  const stderr = npm('ENOTFOUND', 'x');
  const end = { code: null, signal: 'SIGKILL', stderr };
  assert.equal(inEnglish(failureSentence({ kind: 'ended', end })), 'ended by SIGKILL');
});

test('the last words of a server say why it ended, unless something else has ended it', () => {
  const said = (signal: string) => {
    const end = { code: null, signal, stderr: ['Listening', 'FATAL: out of memory'] };
    return inEnglish(failureSentence({ kind: 'ended', end }));
  };
  const [killed, aborted] = [
    ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'],
    ['SIGABRT', 'SIGSEGV'],
  ];
  assert.deepEqual(
    [killed.map(said), aborted.map(said)],
    [
      killed.map(signal => `ended by ${signal}`),
      aborted.map(signal => `ended by ${signal}: FATAL: out of memory`),
    ],
  );
});

/** What a server written like this writes to its standard error, as much of it as is kept. */
function stderrOf(program: string): readonly string[] {
  const { stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
  return stderr.split(/\r?\n/).slice(0, -1).slice(-20);
}

describe('the last words of a program of Node', () => {
  const ends: Readonly<Record<string, string>> = {
    "throw new Error('no key')": 'Error: no key',
    "throw 'a text'": 'a text',
    "require('no-such-module')": "Error: Cannot find module 'no-such-module'",
    'const a = ;': "SyntaxError: Unexpected token ';'",
    "Promise.reject(new Error('later'))": 'Error: later',
    "throw Object.assign(new TypeError('bad\\nsecond line'), { code: 'E', list: [1, 2] })":
      'TypeError: bad',
    "throw new Error('outer', { cause: new Error('inner') })": 'Error: outer',
    "throw new AggregateError([new Error('one'), new Error('other')], 'many')": 'Error: other',
    "console.error(new Error('first')); console.error('giving up'); process.exit(2)": 'giving up',
    "console.error('Error: first try'); console.error('no luck'); process.exit(2)": 'no luck',
  };
  for (const [program, words] of Object.entries(ends)) {
    test(`are not its version: ${program}`, () => {
      const stderr = stderrOf(program);
      assert.ok(lastWords(stderr)?.includes(words), `${lastWords(stderr)}\n${stderr.join('\n')}`);
    });
  }
});

test('the last words of other programs are their last line', () => {
  const python = ['Traceback (most recent call last):', '  File "x", line 1', "KeyError: 'k'"];
  const java = ['Exception in thread "main" java.lang.Error: none', '\tat A.main(A.java:3)'];
  const npm = [
    'npm error 404 Not Found',
    'npm error A complete log of this run can be found in: x',
  ];
  const usage = ['usage: server [options]', '  --fast  quicker', ''];
  assert.deepEqual([python, java, npm, usage, ['', ' '], []].map(lastWords), [
    "KeyError: 'k'",
    'Exception in thread "main" java.lang.Error: none',
    'npm error 404 Not Found',
    '--fast  quicker',
    undefined,
    undefined,
  ]);
});

test('a server that said nothing of its failure is told of with what it printed instead', () => {
  const silent = failureSentence({ kind: 'silent', seconds: 30, rubbishLines: 1 });
  assert.equal(
    inEnglish(silent),
    'did not answer within 30 seconds, and printed a line that is not an MCP message',
  );
  const said = (end: EndText) =>
    [0, 1, 2].map(rubbishLines => inEnglish(failureSentence({ kind: 'ended', end, rubbishLines })));
  assert.deepEqual(said({ code: 0, signal: null, stderr: [] }), [
    'ended with exit code 0',
    'ended with exit code 0, and printed a line that is not an MCP message',
    'ended with exit code 0, and printed 2 lines that are not MCP messages',
  ]);
  const killed = said({ code: null, signal: 'SIGTERM', stderr: ['\n'] }).at(-1);
  assert.equal(killed, 'ended by SIGTERM, and printed 2 lines that are not MCP messages');
  const words = said({ code: 1, signal: null, stderr: ['no such option'] });
  assert.deepEqual(new Set(words), new Set(['ended with exit code 1: no such option']));
});

test('a server that closed its output is told of as that, and not by how it was ended', () => {
  const said = (rubbishLines: number, ...stderr: string[]) => {
    const end = { code: null, signal: 'SIGTERM', stderr };
    return inEnglish(failureSentence({ kind: 'ended', end, hadClosedOutput: true, rubbishLines }));
  };
  assert.deepEqual(
    [said(0), said(2), said(2, 'no more space')],
    [
      'closed its output and went on running',
      'closed its output and went on running, and printed 2 lines that are not MCP messages',
      'closed its output and went on running: no more space',
    ],
  );
});

test('of an installation that failed its reason is told, and no notice or advice', () => {
  const missing = [
    'npm warn Unknown user config "nodedir".',
    'npm error code E404',
    'npm error 404 Not Found - GET https://registry.example/no-such - Not found',
    'npm error 404',
    "npm error 404  'no-such@*' is not in this registry.",
    'npm error 404 Note that you can also install from a',
    'npm error 404 tarball, folder, http url, or git folder.',
    'npm notice',
    'npm notice New major version of npm available!',
    'npm notice',
  ];
  assert.deepEqual(
    [
      lastWords(missing),
      lastWords([
        'npm error code EACCES',
        'npm error syscall mkdir',
        'npm error path /x',
        'npm error errno -13',
        "npm error Error: EACCES: permission denied, mkdir '/x'",
      ]),
      lastWords([
        ' ERR_PNPM_FETCH_404  GET https://registry.example/x: Not Found',
        'This error happened',
      ]),
      lastWords(['could not start', 'npm notice']),
    ],
    [
      'npm error 404 Not Found - GET https://registry.example/no-such - Not found',
      "npm error Error: EACCES: permission denied, mkdir '/x'",
      'ERR_PNPM_FETCH_404  GET https://registry.example/x: Not Found',
      'could not start',
    ],
  );
});
