import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ParseError, parse } from 'jsonc-parser';
import { exposedName } from '../../src/domain/hub/exposedNames.ts';
import { readHubConfig } from '../../src/domain/hub/hubConfig.ts';
import { ruleKeys } from '../../src/domain/hub/hubConfigKeys.ts';
import { inEnglish } from '../../src/domain/sentence.ts';
import { options } from '../../src/server/commandLine/commandLineOptions.ts';
import { auditLine } from '../../src/server/hub/audit/auditLine.ts';
import { hubTools } from '../../src/server/hub/tools/hubTools.ts';
import { hubSection } from '../support/readme.ts';

const { text, blocks } = hubSection();

/** What stands in the first column of all tables, in their order. */
const rows = [...text.matchAll(/^\| (`.*?)\s*\|/gm)].flatMap(([, cell = '']) =>
  cell.split(', ').map(code => code.replaceAll('`', '')),
);

describe('what the README says of the hub', () => {
  test('its configuration is one without mistakes', () => {
    const errors: ParseError[] = [];
    const example = blocks.find(({ language }) => language === 'jsonc');
    const value = parse(example?.text ?? '', errors);
    const { servers, mistakes } = readHubConfig(value, '/home/ada');
    deepEqual(
      { errors, mistakes: mistakes.map(one => inEnglish(one.text)) },
      { errors: [], mistakes: [] },
    );
    deepEqual(
      servers.map(({ name }) => name),
      ['files', 'indexer', 'remote'],
    );
  });

  test('its tables have the tools, the options and the keys of the guard, and no others', () => {
    const ofHub = Object.entries(options).filter(
      ([name, { isOfHub }]) => name === 'config' || isOfHub,
    );
    deepEqual(
      [...rows].sort(),
      [
        ...hubTools.map(({ name }) => name),
        ...ofHub.map(([name, { value }]) => `--${name} ${value}`),
        ...ruleKeys,
        'tools',
      ].sort(),
    );
    for (const [name] of ofHub) {
      ok(text.includes(`\`MCP_ROOTS_${name.toUpperCase()}\``), name);
    }
  });

  test('its example of a changed name is one', () => {
    ok(text.includes(`\`${exposedName('my files', 'read.text')}\``));
  });

  test('its line of an audit is one that is written', () => {
    const line = blocks.find(block => block.text.includes('"verdict"'))?.text ?? '';
    const { time, ...event } = JSON.parse(line);
    equal(line, auditLine(event, new Date(time)));
  });
});
