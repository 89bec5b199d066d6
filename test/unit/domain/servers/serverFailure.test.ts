import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { downloadProblem, lastWords } from '../../../../src/domain/servers/lastWords.ts';
import { type Failure, failureSentence } from '../../../../src/domain/servers/serverFailure.ts';
import { foundAsExpected } from '../../../support/cases.ts';
import { saidBy } from '../../../support/texts.ts';

/** The problem of a download in the standard error of a program that failed. */
function problemIn(...stderr: readonly string[]) {
  return downloadProblem({ code: 1, stderr });
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

const distrusts = (host: string | undefined, variable: string | undefined) =>
  ({ kind: 'distrust', host, variable }) as const;
const node = (host?: string) => distrusts(host, 'NODE_EXTRA_CA_CERTS');
const python = distrusts('pypi.org', 'SSL_CERT_FILE');
const unreachable = (host?: string) => ({ kind: 'unreachable', host }) as const;

test('names the host of an untrusted certificate and the variable that helps', () => {
  for (const code of [
    ...['SELF_SIGNED_CERT_IN_CHAIN', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT'],
    ...['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'CERT_UNTRUSTED'],
  ]) {
    assert.deepEqual(problemIn(...npm(code, 'as it may be')), node('registry.npmjs.org'), code);
  }
  const older = npm('SELF_SIGNED_CERT_IN_CHAIN', 'x', 'user:pw@npm.example:4873');
  const rows: readonly (readonly [unknown, ...stderr: string[]])[] = [
    [node('npm.example:4873'), ...older.map(line => line.replace('npm error', 'npm ERR!'))],
    [
      node('npm.example'),
      ' WARN  GET https://npm.example/files error (undefined). Will retry in 10 seconds.',
      'ERR_PNPM_META_FETCH_FAIL  GET https://npm.example/files: request to https://npm.example/files failed, reason: self-signed certificate in certificate chain',
    ],
    [
      python,
      '  × Failed to fetch: `https://pypi.org/simple/files/`',
      '  ├─▶ Request failed after 3 retries',
      '  ├─▶ error sending request for url (https://pypi.org/simple/files/)',
      '  ├─▶ client error (Connect)',
      '  ╰─▶ invalid peer certificate: UnknownIssuer',
    ],
    [
      python,
      "Could not fetch URL https://pypi.org/simple/files/: There was a problem confirming the ssl certificate: HTTPSConnectionPool(host='pypi.org', port=443): Max retries exceeded with url: /simple/files/ (Caused by SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed certificate in certificate chain (_ssl.c:1006)'))) - skipping",
    ],
    [
      node(),
      'Error: unable to verify the first certificate',
      '    at TLSSocket.onConnectSecure (node:_tls_wrap:1679:34) {',
      "  code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'",
      '}',
    ],
  ];
  assert.deepEqual(
    rows.map(([, ...stderr]) => [problemIn(...stderr), ...stderr]),
    rows,
  );
});

test('names no variable for an expired certificate', () => {
  const ofPython = 'CERTIFICATE_VERIFY_FAILED] certificate verify failed: certificate has expired';
  const ofNpm = npm('CERT_HAS_EXPIRED', 'certificate has expired');
  assert.deepEqual(problemIn(...ofNpm), distrusts('registry.npmjs.org', undefined));
  assert.deepEqual(problemIn(`${ofPython} (_ssl.c:1)`), distrusts(undefined, undefined));
});

test('recognizes a download that reaches no host', () => {
  for (const code of ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'ECONNRESET']) {
    const found = problemIn(...npm(code, `connect ${code}`));
    assert.deepEqual(found, unreachable('registry.npmjs.org'), code);
  }
  assert.deepEqual(
    problemIn(
      'error: Failed to fetch: `https://pypi.org/simple/files/`',
      '  Caused by: dns error: failed to lookup address information: Name or service not known',
    ),
    unreachable('pypi.org'),
  );
  assert.deepEqual(problemIn('npm error code ENOTFOUND'), unreachable());
});

test('recognizes no other failure as a download problem', () => {
  for (const line of [
    'Error: connect ECONNREFUSED 127.0.0.1:5432',
    'npm error 404 Not Found - GET https://registry.npmjs.org/no-such-package',
    'npm error code E404',
    'usage: files [--certificate FILE]',
    'Failed to fetch the list of issues: connect ECONNREFUSED 127.0.0.1:8080',
    'error: Import failed: invalid peer certificate: UnknownIssuer',
  ]) {
    assert.equal(problemIn(line), undefined, line);
  }
  assert.equal(downloadProblem({ code: null, stderr: npm('ENOTFOUND', 'x') }), undefined);
});

type Ended = Extract<Failure, { readonly kind: 'ended' }>;

/** The message about an end: the text by its key, then the last words of the server. */
function told(end: Partial<Ended['end']>, more: Partial<Ended> = {}): unknown[] {
  const whole = { code: null, signal: null, stderr: [], ...end };
  const { template, values } = failureSentence({ kind: 'ended', end: whole, ...more });
  const [how, line] = values;
  return typeof how === 'object' && template === '{0}: {1}'
    ? [saidBy(how), line]
    : [saidBy({ template, values })];
}

const way = (value: string) => `serverFailure.wayToEnd(${value})`;

test('names the host of a download problem, and what helps', () => {
  const text = (...values: string[]) => `serverFailure.downloadSentence(${values.join(', ')})`;
  assert.deepEqual(
    ['CERT_UNTRUSTED', 'CERT_HAS_EXPIRED', 'ENOTFOUND'].map(code =>
      told({ code: 1, stderr: npm(code, 'x', 'a') }),
    ),
    [[text(text('a'), 'NODE_EXTRA_CA_CERTS')], [text(text('a'))], [text(text('a'))]],
  );
  // Without the name of a host.
  assert.deepEqual(
    ['npm error code CERT_UNTRUSTED', 'npm error code ENOTFOUND'].map(line =>
      told({ code: 1, stderr: [line] }),
    ),
    [[text(text(), 'NODE_EXTRA_CA_CERTS')], [text(text())]],
  );
});

test('last words explain the end of a server, unless another program ended it', () => {
  const stderr = ['Listening', 'FATAL: out of memory'];
  for (const signal of ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP']) {
    assert.deepEqual(told({ signal, stderr }), [way(signal)]);
  }
  for (const signal of ['SIGABRT', 'SIGSEGV']) {
    assert.deepEqual(told({ signal, stderr }), [way(signal), stderr[1]]);
  }
  assert.deepEqual(told({ code: 1, stderr: ['no such option'] }), [way('1'), 'no such option']);
});

/** The standard error of a server with this code, as much as is kept. */
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
    test(`are not the version of Node: ${program}`, () => {
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
  const oneFrame = ['Error: no key', '    at x (/s.js:1:2) {', "  code: 'E'", '}'];
  const noFrame = ['starting', '[Error: no key] {', "  code: 'E'", '}'];
  foundAsExpected({
    python: [lastWords(python), python[2]],
    java: [lastWords(java), java[0]],
    npm: [lastWords(npm), npm[0]],
    usage: [lastWords(['usage: server [options]', '  --fast  quicker', '']), '--fast  quicker'],
    'one frame': [lastWords(oneFrame), oneFrame[0]],
    'no frame': [lastWords(noFrame), '[Error: no key]'],
    json: [lastWords(['{', '  "error": "no key"', '}']), '"error": "no key"'],
    blanks: [lastWords(['', ' ']), undefined],
    nothing: [lastWords([]), undefined],
  });
});

test('shows the output of a server that failed without a message', () => {
  const rubbish = (how: string, ...count: number[]) => [
    `serverFailure.withRubbish(${[how, ...count].join(', ')})`,
  ];
  const silent = failureSentence({ kind: 'silent', seconds: 30, rubbishLines: 1 });
  assert.deepEqual([saidBy(silent)], rubbish('serverFailure.failures(30)'));
  const printed = (end: Partial<Ended['end']>, more: Partial<Ended> = {}) =>
    [0, 1, 2].map(rubbishLines => told(end, { ...more, rubbishLines }));
  assert.deepEqual(printed({ code: 0 }), [[way('0')], rubbish(way('0')), rubbish(way('0'), 2)]);
  const killed = { signal: 'SIGTERM', stderr: ['\n'] };
  assert.deepEqual(printed(killed).at(-1), rubbish(way('SIGTERM'), 2));
  for (const said of printed({ code: 1, stderr: ['no such option'] })) {
    assert.deepEqual(said, [way('1'), 'no such option']);
  }
  // The report names the closed output, not the later end.
  const hadClosedOutput = true;
  assert.deepEqual(printed({ signal: 'SIGTERM' }, { hadClosedOutput }), [
    [way('')],
    rubbish(way('')),
    rubbish(way(''), 2),
  ]);
  const full = { signal: 'SIGTERM', stderr: ['no more space'] };
  assert.deepEqual(printed(full, { hadClosedOutput }).at(-1), [way(''), 'no more space']);
});

test('gives the reason of a failed installation without notices and advice', () => {
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
  const reason = "npm error Error: EACCES: permission denied, mkdir '/x'";
  const facts = ['code EACCES', 'syscall mkdir', 'path /x', 'errno -13'];
  const forbidden = facts.map(fact => `npm error ${fact}`);
  const pnpm = 'ERR_PNPM_FETCH_404  GET https://registry.example/x: Not Found';
  foundAsExpected({
    missing: [lastWords(missing), missing[2]],
    forbidden: [lastWords([...forbidden, reason]), reason],
    'of pnpm': [lastWords([` ${pnpm}`, 'This error happened']), pnpm],
    'of the program itself': [lastWords(['could not start', 'npm notice']), 'could not start'],
  });
});
