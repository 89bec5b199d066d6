import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expandTemplate, templateVariables } from '../../../src/domain/uriTemplate.ts';

test('a template is filled in as its operators say', () => {
  const values = { var: 'value', hello: 'Hello World!', path: '/foo/bar', x: '1024', empty: '' };
  const filled = {
    '{var}': 'value',
    'a/{hello}/b': 'a/Hello%20World%21/b',
    '{+path}/here': '/foo/bar/here',
    '{path}': '%2Ffoo%2Fbar',
    'X{#hello}': 'X#Hello%20World!',
    'X{.x,var}': 'X.1024.value',
    '{/var,x}/here': '/value/1024/here',
    '{;x,empty}': ';x=1024',
    '{?x,missing,var}': '?x=1024&var=value',
    '?fixed=yes{&x}': '?fixed=yes&x=1024',
    '{var:3}{var*}': 'valvalue',
    'a{missing}b{}': 'ab{}',
  };
  assert.deepEqual(
    Object.keys(filled).map(template => expandTemplate(template, values)),
    Object.values(filled),
  );
});

test('its variables are named once each, in their order', () => {
  assert.deepEqual(templateVariables('a://{b}/{+c*}{?d,b,e:3}'), ['b', 'c', 'd', 'e']);
  assert.deepEqual(templateVariables('a://b'), []);
});
