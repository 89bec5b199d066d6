import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandLine } from '../../../../src/domain/servers/launch.ts';
import {
  configurationRoutes,
  defaultTerms,
  userServer,
} from '../../../../src/domain/servers/serverDefinition.ts';
import { foundAsExpected } from '../../../support/cases.ts';
import { httpLaunch, stdioLaunch } from '../../../support/launches.ts';

test('a server of the settings has a distinct kind of id, its name as label, and terms', () => {
  const launch = stdioLaunch({ args: ['/data'], env: { A: 'b' } });
  const terms = { ...defaultTerms, protocol: 'legacy', offers: ['web'] } as const;
  const name = 'two\nlines\u202e';
  const own = { id: `setting:${name}`, label: 'two\\u000alines\\u202e', launch };
  assert.deepEqual(userServer(name, launch, terms), { ...own, ...terms });
});

test('shows where each word of a command line begins and ends, without forgery', () => {
  const args = ['-y', 'a b', '', 'say "hi"', '$HOME', 'two\nlines', 'rtl\u202ename'];
  assert.equal(
    commandLine(stdioLaunch({ command: 'npx', args })),
    'npx -y "a b" "" "say \\"hi\\"" "$HOME" "two\\nlines" rtl\\u202ename',
  );
});

test('shows the URL of a server over HTTP without credentials and secrets', () => {
  const shown = (url: string) => commandLine(httpLaunch(url, { Authorization: 'Bearer hunter2' }));
  foundAsExpected({
    plain: [shown('https://example.com:8080/mcp'), 'https://example.com:8080/mcp'],
    path: [shown('https://h/sk-aaaaaaaaaaaaaaaaaaaa/mcp'), 'https://h/…[23]/mcp'],
    query: [
      shown('https://example.com/mcp?key=hunter2&team=a=hunter2&hunter2#hunter2'),
      'https://example.com/mcp?key=…[7]&team=a=hunter2&…[7]#hunter2',
    ],
    user: [shown('https://me:hunter2@example.com/mcp'), 'https://me:…[7]@example.com/mcp'],
    odd: [shown('HTTP://me:hunter2?@hunter2'), 'HTTP://me:hunter2?…[8]'],
    variables: [shown('${env:BASE}/mcp?key=${input:key}'), '${env:BASE}/mcp?key=${input:key}'],
    forged: [shown('https://example.com/\n\u202emcp'), 'https://example.com/\\u000a\\u202emcp'],
    empty: [shown('https://example.com/mcp?'), 'https://example.com/mcp?'],
  });
});

test('counts only arguments and environment as configuration', () => {
  assert.deepEqual(configurationRoutes(['roots', 'env', 'args']), ['env', 'args']);
});
