import { deepEqual, equal, ok } from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { describe, test } from 'node:test';
import { type ParseError, parse } from 'jsonc-parser';
import type { StopReason } from '../../src/domain/activity.ts';
import { folderRemarks, folderWords } from '../../src/domain/consent/statusWords.ts';
import type { ConfigurationRoute, Trigger } from '../../src/domain/exposure.ts';
import { knownClient, knownClients } from '../../src/domain/gateway/clientFiles.ts';
import { ruleKeys } from '../../src/domain/guard/guardRules.ts';
import { readHubConfig } from '../../src/domain/hubConfig/hubConfig.ts';
import { hubKeys } from '../../src/domain/hubConfig/hubServer.ts';
import { offeredName } from '../../src/domain/hubConfig/offeredNames.ts';
import { protectedNames } from '../../src/domain/paths/protectedPath.ts';
import { inEnglish } from '../../src/domain/sentence.ts';
import { serverWords } from '../../src/domain/servers/serverStatus.ts';
import { serverKeys } from '../../src/domain/settings/definitionKeys.ts';
import { auditLine } from '../../src/hub/audit/auditLog.ts';
import { hubTools } from '../../src/hub/tools/hubToolAnswers.ts';
import { options } from '../../src/server/commandLine.ts';
import { readManual } from '../support/manual.ts';

const [hub, checks] = [readManual('hub'), readManual('hubChecks')];
const [text, blocks] = [hub.text + checks.text, [...hub.blocks, ...checks.blocks]];
const top = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(top, path), 'utf8');

/** The first column of all tables, in order. */
const rows = [...text.matchAll(/^\| (`.*?)\s*\|/gm)].flatMap(([, cell = '']) =>
  cell.split(', ').map(code => code.replaceAll('`', '')),
);

describe('the manuals of the hub', () => {
  test('show a configuration without mistakes', () => {
    const errors: ParseError[] = [];
    const example = blocks.find(({ language }) => language === 'jsonc');
    const value = parse(example?.text ?? '', errors);
    const { servers, mistakes } = readHubConfig(value, '/home/ada');
    deepEqual([errors, mistakes.map(one => inEnglish(one.text))], [[], []]);
    const names = servers.map(({ name }) => name);
    deepEqual(names, ['files', 'indexer', 'remote']);
  });

  test('list the tools, the options and the keys of the guard', () => {
    const ofHub = Object.entries(options).filter(
      ([name, { needs }]) => name === 'config' || needs === 'config',
    );
    deepEqual(
      [...rows].sort(),
      [
        ...hubTools.map(({ name }) => name),
        ...ofHub.map(([name, { value }]) => `--${name} ${value}`),
        ...Object.keys(ruleKeys),
        'tools',
      ].sort(),
    );
    for (const [name] of ofHub) {
      ok(text.includes(`\`MCP_ROOTS_${name.toUpperCase()}\``), name);
    }
  });

  test('show a tool name as the hub changes it', () => {
    ok(text.includes(`\`${offeredName('my files', 'read.text')}\``));
  });

  test('show a line of the audit as the hub writes it', () => {
    const line = blocks.find(block => block.text.includes('"verdict"'))?.text ?? '';
    const { time, ...event } = JSON.parse(line);
    equal(line, auditLine(event, new Date(time)));
  });
});

describe('manuals, README and CONTRIBUTING', () => {
  const help = join('media', 'help');
  const texts = [
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    ...globSync(join(help, '*.md'), { cwd: top }),
  ];

  test('link to files and headings that exist', () => {
    const headings = (path: string) =>
      [...read(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replace(/[^\w\s-]/g, '')
          .replaceAll(' ', '-'),
      );
    const broken = texts.flatMap(file => {
      const links = [...read(file).matchAll(/\]\((?!https?:)([^)#]*)#?([^)]*)\)/g)];
      return links
        .map(([, link, heading = '']) => [link ? join(file, '..', link) : file, heading] as const)
        .filter(
          ([path, heading]) =>
            !existsSync(join(top, path)) || (heading && !headings(path).includes(heading)),
        )
        .map(link => `${file}: ${link.join('#')}`);
    });
    deepEqual(broken, []);
  });

  test('name source files that exist, as do comments on the next files', () => {
    const [, walks = ''] = read('CONTRIBUTING.md').split(
      /^## (?:To change this, begin there|Commands)$/m,
    );
    const sources = globSync('src/**/*.ts', { cwd: top });
    // Where other walks begin, a comment names the files.
    const further = sources.flatMap(
      file => /the next files are ([^.]*)/.exec(read(file))?.[1] ?? [],
    );
    ok(further.length >= 5, `${further.length} comments`);
    const named = [...[walks, ...further].join().matchAll(/`([a-z]\w*(?:\/\w+)*)`/g)].map(
      ([, name = '']) => name,
    );
    ok(named.length > 40, `${named.length} files`);
    const gone = named.filter(
      name => !sources.some(file => file.replaceAll(sep, '/').endsWith(`/${name}.ts`)),
    );
    deepEqual(gone, []);
  });

  test('list the keys of a server and of a hub', () => {
    const table =
      read(join(help, 'definitions.md'))
        .match(/^\| `.*?\|/gm)
        ?.join() ?? '';
    const told = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, key]) => key);
    deepEqual(told(table).sort(), [...serverKeys()].sort());
    const untold = Object.keys(hubKeys()).filter(key => !told(text).includes(key));
    deepEqual(untold, ['type']);
  });

  test('list each client with its files', () => {
    const rows = [...read(join(help, 'clients.md')).matchAll(/^\|(.*)\|$/gm)];
    const told = new Map(
      rows.map(([, row = '']) => {
        const [name = '', ...files] = row.split('|').map(cell => cell.trim().replaceAll('`', ''));
        return [name, files.slice(0, 2)];
      }),
    );
    const { vscode: _, other: __, ...named } = knownClients;
    for (const client of Object.keys(named) as (keyof typeof named)[]) {
      const { label, userFile, userFileOn, folderFile = '' } = knownClient(client);
      // If a path differs by system, only its name counts.
      const file = userFileOn?.darwin ? basename(userFile ?? '') : userFile && `~/${userFile}`;
      deepEqual(told.get(label), [file ?? '', folderFile], label);
    }
  });

  test('list the names that a sandbox protects', () => {
    const [line = ''] =
      /^- \*\*Files that other programs run.*/m.exec(read(join(help, 'sandbox.md'))) ?? [];
    const told = [...line.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
    deepEqual(told, protectedNames);
  });

  test('are linked from the first page of the help', () => {
    const index = read(join(help, 'index.md'));
    const manuals = globSync('*.md', { cwd: join(top, help), exclude: ['index.md'] });
    const unlinked = manuals.filter(name => !index.includes(`(${name})`));
    deepEqual(unlinked, []);
  });
});

test('each command and button that the manuals name exists', () => {
  const named = Object.values<string>(JSON.parse(read('package.nls.json')));
  const quoted = globSync('src/**/*.ts', { cwd: top }).flatMap(path =>
    [...read(path).matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"/g)].map(([, one, other]) =>
      (one ?? other ?? '').replace(/^\$\([a-z-]+\) /, ''),
    ),
  );
  const known = new Set([...named, ...quoted]);
  const pages = ['README.md', ...globSync('media/help/*.md', { cwd: top })];
  const told = pages.flatMap(path =>
    [...read(path).matchAll(/\*\*(?:MCP Roots: )?([^*\n]+)\*\*/g)].map(([, name = '']) => name),
  );
  // Words that begin with capitals, or dots that promise a question: the names of commands and buttons.
  const clicked = told.filter(name => /^[A-Z]\w*(?: [A-Z]\w*)+…?$|^[A-Z][\w ]*…$/.test(name));
  ok(clicked.length > 40, `only ${clicked.length} are named`);
  const unknown = clicked.filter(name => !known.has(name));
  deepEqual(unknown, []);
});

test('the manual lists the commands of the palette', () => {
  const { commands, menus } = JSON.parse(read('package.json')).contributes;
  const titles = JSON.parse(read('package.nls.json'));
  const hidden = menus.commandPalette.filter(({ when }: { when: string }) => when === 'false');
  const isHidden = (id: string) =>
    hidden.some(({ command }: { command: string }) => command === id);
  const inPalette = commands.flatMap((one: { command: string; title: string }) =>
    isHidden(one.command) ? [] : [titles[one.title.replaceAll('%', '')]],
  );
  const [, section = ''] = read('media/help/running.md').split('## Commands and settings');
  const lines = [...section.matchAll(/^- \*\*.+:\*\* (.+)\.$/gm)];
  const listed = lines.flatMap(([, list = '']) => list.split(', '));
  deepEqual(listed.sort(), [...inPalette].sort());
});

test('the help lists each reason of a stop and each trigger of an exposure', () => {
  const reasons: Record<StopReason, true> = {
    'by-hand': true,
    window: true,
    removed: true,
    changed: true,
    'no-folder': true,
    idle: true,
    'folders-changed': true,
    rule: true,
    'no-page': true,
  };
  const kinds: Record<Trigger['kind'], true> = {
    'roots/list': true,
    'tools/call': true,
    launch: true,
  };
  const routes: Record<ConfigurationRoute, true> = { args: true, env: true, mount: true };
  const told = (line: RegExp) => {
    const [, text = ''] = line.exec(read('media/help/running.md')) ?? [];
    return [...text.matchAll(/`([a-z/-]+)`/g)].map(([, word = '']) => word);
  };
  deepEqual(told(/^\| `stopped` +\| `why`: (.*?) +\|$/m), Object.keys(reasons));
  deepEqual(
    [...new Set(told(/^The `kind` of a `trigger` is (.*)$/m))].filter(
      word => !['tool', 'as'].includes(word),
    ),
    [...Object.keys(kinds), ...Object.keys(routes)],
  );
});

test('the help lists each word that the row of a server or a folder can have', () => {
  const words = [...Object.values(serverWords).map(({ text }) => text), 'retry at …'];
  const section =
    read('media/help/access.md')
      .split('\n## ')
      .find(part => part.startsWith('What do the rows say?')) ?? '';
  const untold = words.filter(word => !section.includes(`\`${word}\``));
  deepEqual(untold, []);
  const [, ofFolders = ''] = section.split("| A folder's row");
  const told = [...ofFolders.matchAll(/^\| ([^-].*?) +\|/gm)].flatMap(([, cell = '']) =>
    cell.split(/, | \u00b7 /),
  );
  const { none: _, ...worded } = folderWords;
  const known = [
    ...Object.values(worded).map(({ word }) => word),
    ...Object.values(folderRemarks),
    '…',
  ];
  deepEqual([...new Set(told)].sort(), [...new Set(known)].sort());
  ok(read('README.md').includes(`_${folderRemarks.isStillKnown}_`));
});

test('each page of the help that a message names exists', () => {
  const titles = globSync('media/help/*.md', { cwd: top }).map(
    page => read(page).split('\n', 1)[0],
  );
  const named = globSync('src/**/*.ts', { cwd: top }).flatMap(path =>
    [...read(path).matchAll(/"([^"\n]+)" in the help/g)].map(([, title]) => `# ${title}`),
  );
  ok(named.length > 0);
  const gone = named.filter(title => !titles.includes(title));
  deepEqual(gone, []);
});
