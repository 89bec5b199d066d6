import { deepEqual, equal, ok } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { describe, test } from 'node:test';
import { type ParseError, parse } from 'jsonc-parser';
import { userFiles } from '../../src/domain/gateway/clientFiles.ts';
import { readHubConfig } from '../../src/domain/hubConfig/hubConfig.ts';
import { ruleKeys } from '../../src/domain/hubConfig/hubConfigGuard.ts';
import { offeredName } from '../../src/domain/hubConfig/offeredNames.ts';
import { inEnglish } from '../../src/domain/sentence.ts';
import { auditLine } from '../../src/hub/audit/auditLog.ts';
import { hubTools } from '../../src/hub/tools/hubTools.ts';
import { options } from '../../src/server/commandLine/commandLineOptions.ts';
import { hubManual } from '../support/manual.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

const { text, blocks } = hubManual();

/** What stands in the first column of all tables, in their order. */
const rows = [...text.matchAll(/^\| (`.*?)\s*\|/gm)].flatMap(([, cell = '']) =>
  cell.split(', ').map(code => code.replaceAll('`', '')),
);

describe('what the manual says of the hub', () => {
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
    ok(text.includes(`\`${offeredName('my files', 'read.text')}\``));
  });

  test('its line of an audit is one that is written', () => {
    const line = blocks.find(block => block.text.includes('"verdict"'))?.text ?? '';
    const { time, ...event } = JSON.parse(line);
    equal(line, auditLine(event, new Date(time)));
  });
});

describe('the manual of the API', () => {
  test('has an example that keeps to the types', t => {
    const top = join(import.meta.dirname, '..', '..');
    const manual = readFileSync(join(top, 'media/help/api.md'), 'utf8');
    const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(manual) ?? [];
    const folder = tempFolder(t);
    writeTree(folder, {
      'example.ts': example,
      'mcp-roots.d.ts': readFileSync(join(top, 'media/api/mcp-roots.d.ts'), 'utf8'),
    });
    const modules = join(top, 'node_modules');
    const flags = '--noEmit --strict --skipLibCheck false --types vscode,node --module commonjs';
    const args = [
      join(modules, 'typescript', 'bin', 'tsc'),
      ...['--ignoreConfig', ...flags.split(' ')],
      ...['--typeRoots', join(modules, '@types'), 'example.ts'],
    ];
    const { stdout, status } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    deepEqual({ stdout, status }, { stdout: '', status: 0 });
  });
});

describe('what is written for readers', () => {
  const top = join(import.meta.dirname, '..', '..');
  const help = join('media', 'help');
  const texts = [
    'README.md',
    'CONTRIBUTING.md',
    ...readdirSync(join(top, help)).map(name => join(help, name)),
  ];

  test('its links lead to files that are there', () => {
    const broken = texts.flatMap(file => {
      const links = [
        ...readFileSync(join(top, file), 'utf8').matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g),
      ];
      return links
        .filter(([, link = '']) => !existsSync(join(top, file, '..', link)))
        .map(([link]) => `${file}: ${link}`);
    });
    deepEqual(broken, []);
  });

  test('the files that a call travels through are there', () => {
    const walks = readFileSync(join(top, 'CONTRIBUTING.md'), 'utf8').split(
      '## How a call travels',
    )[1];
    const sources = readdirSync(join(top, 'src'), { recursive: true, encoding: 'utf8' }).map(
      file => `/${file.replaceAll(sep, '/')}`,
    );
    const named = [...(walks ?? '').matchAll(/`([a-z]\w*(?:\/\w+)*)`/g)].map(
      ([, name = '']) => name,
    );
    ok(named.length > 40, `${named.length} files`);
    deepEqual(
      named.filter(name => !sources.some(file => file.endsWith(`/${name}.ts`))),
      [],
    );
  });

  test('the files of clients are named', () => {
    const manual = readFileSync(join(top, help, 'clients.md'), 'utf8');
    deepEqual(
      Object.values(userFiles).filter(file => !manual.includes(`\`~/${file}\``)),
      [],
    );
  });

  test('the README fits a few screens, and the help names every manual', () => {
    ok(readFileSync(join(top, 'README.md')).length <= 10 * 1024);
    const index = readFileSync(join(top, help, 'index.md'), 'utf8');
    const manuals = readdirSync(join(top, help)).filter(name => name !== 'index.md');
    deepEqual(
      manuals.filter(name => !index.includes(`(${name})`)),
      [],
    );
  });
});
