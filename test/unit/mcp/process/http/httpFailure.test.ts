import { deepEqual, equal, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { wordsInEnglish } from '../../../../../src/domain/sentence.ts';
import {
  httpFailure,
  OutageError,
  RefusedTwice,
  refusalText,
} from '../../../../../src/mcp/process/http/httpFailure.ts';
import {
  addressOf,
  headersOf,
  withHeaders,
} from '../../../../../src/mcp/process/http/httpStart.ts';
import { KnownSecrets } from '../../../../../src/mcp/process/knownSecrets.ts';
import { said } from '../../../../support/texts.ts';

const page = '<!DOCTYPE html>\n<html><body>Cannot POST /mcp</body></html>';
const secrets = new KnownSecrets(['s3cret']);

function told(error: unknown): string {
  const failure = httpFailure(error, secrets);
  return 'message' in failure ? `${failure.kind}: ${said(wordsInEnglish(failure.message))}` : '';
}

/** The error of the SDK for a response. */
function refusal(status: number, body: string, contentType = 'text/html'): SdkHttpError {
  const text = refusalText(status, body, contentType);
  const data = { status, statusText: '', text };
  return new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, `HTTP ${status}`, data);
}

test('explains a page and a long text, and shows short text or JSON unchanged', () => {
  const words = (name: string, ...values: string[]) => `httpFailure.${name}(${values.join(', ')})`;
  const instead = (status: string, what: string) =>
    words('insteadOfMcp', words('wordsOf', status), words(`instead.${what}`));
  const cases: [string, ...Parameters<typeof refusal>][] = [
    [`protocol: ${instead('404, Not Found', 'page')}`, 404, page],
    [`protocol: ${instead('405, Method Not Allowed', 'page')}`, 405, page],
    [`unauthorized: ${words('wordsOf', '403, Forbidden')}`, 403, page],
    [`protocol: ${words('wordsOf', '500, Internal Server Error')}`, 500, page],
    [`unreachable: ${words('wordsOf', '502, Bad Gateway')}`, 502, page],
    [`unreachable: ${words('wordsOf', '429, Too Many Requests')}`, 429, page],
    [`protocol: ${instead("418, I'm a Teapot", 'long')}`, 418, 'x'.repeat(301), 'text/plain'],
    [`protocol: ${instead("418, I'm a Teapot", 'page')}`, 418, '  <h1>Hello</h1>', 'text/plain'],
    [`protocol: ${words('wordsOf', '418, Short and stout.')}`, 418, 'Short and stout.', ''],
    [`protocol: ${words('wordsOf', '418, {"error":"no"}')}`, 418, '{"error":"no"}', ''],
    [`protocol: ${words('wordsOf', "418, I'm a Teapot")}`, 418, '', ''],
    [`unauthorized: ${words('wordsOf', '401, not •••')}`, 401, 'not s3cret', ''],
  ];
  for (const [expected, ...response] of cases) {
    equal(told(refusal(...response)), expected);
  }
  const content = (contentType: string | null) =>
    new SdkError(SdkErrorCode.ClientHttpUnexpectedContent, 'x', { contentType });
  equal(told(content('text/html')), `protocol: ${instead('200, OK', 'page')}`);
  equal(told(content(null)), `protocol: ${instead('200, OK', 'other')}`);
  equal(told(new SyntaxError('x')), `protocol: ${instead('200, OK', 'other')}`);
  equal(told(new Error('s3cret\u202e')), 'protocol: "•••\\\\u202e"');
  const twice = `protocol: ${words('words', instead('404, Not Found', 'page'))}`;
  equal(told(new RefusedTwice(refusal(404, page))), twice);
});

test('says why a request got no answer, with only the host of its URL', () => {
  const url = new URL('https://host.example:8080/mcp?key=s3cret');
  const reason = (message: string, code?: string) => {
    const inner = Object.assign(new Error(message), code && { code });
    const outage = new OutageError(url, new TypeError('fetch failed', { cause: inner }));
    deepEqual(httpFailure(outage, secrets), { kind: 'unreachable', message: outage.sentence });
    const [host, why = ''] = outage.sentence.values;
    return [host, said(wordsInEnglish(why))];
  };
  for (const code of ['ECONNREFUSED', 'ENOTFOUND', 'CERT_HAS_EXPIRED']) {
    deepEqual(reason('x', code), ['host.example:8080', `httpFailure.reasons.${code}()`]);
  }
  deepEqual(reason('bad port'), ['host.example:8080', 'httpFailure.reasons.port()']);
  deepEqual(reason('strange', 'EOTHER'), ['host.example:8080', '"strange"']);
  deepEqual(reason('', 'EOTHER'), ['host.example:8080', '"EOTHER"']);
});

test('refuses invalid addresses and headers without showing them', () => {
  const refused = (run: () => unknown, expected: string) =>
    throws(run, ({ message }: Error) => said(message) === expected);
  refused(() => addressOf('no address'), '"Invalid URL"');
  refused(() => addressOf('file:///proj/web'), 'httpStart.addressOf()');
  refused(() => addressOf('https://user:s3cret@example.com/'), 'httpStart.addressOf.2()');
  refused(() => headersOf({ 'x-key': 's3cret\nx: y' }), 'httpStart.headersOf(x-key)');
});

test('sends the headers of a definition to its origin only, and never over a newer one', async () => {
  const sent: Headers[] = [];
  const fetch = withHeaders(
    async (_, init) => {
      sent.push(new Headers(init?.headers));
      return new Response();
    },
    'https://a.example',
    new Headers({ authorization: 'old', 'x-key': 'k' }),
  );
  await fetch('https://a.example/mcp', { headers: { authorization: 'new' } });
  await fetch('https://b.example/mcp');
  deepEqual(
    sent.map(headers => Object.fromEntries(headers)),
    [{ authorization: 'new', 'x-key': 'k' }, {}],
  );
});
