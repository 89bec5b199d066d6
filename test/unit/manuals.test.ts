import { deepEqual, equal, ok } from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { describe, test } from 'node:test';
import { type ParseError, parse } from 'jsonc-parser';
import { longestMessage } from '../../src/base/lineReader.ts';
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
import { Deaths, planAfter } from '../../src/domain/servers/restarts.ts';
import { serverWords } from '../../src/domain/servers/serverStatus.ts';
import { serverKeys } from '../../src/domain/settings/definitionKeys.ts';
import { auditLine } from '../../src/hub/audit/auditLog.ts';
import { hubTools } from '../../src/hub/tools/hubToolAnswers.ts';
import { options } from '../../src/server/commandLine.ts';
import { maxTextBytes } from '../../src/server/reading/readLines.ts';
import { mostWholeBytes } from '../../src/server/tools/readMedia.ts';
import { readManual } from '../support/manual.ts';

const { text, blocks } = readManual('hub');
const top = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(top, path), 'utf8');

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

  test('its example of a changed name is one', () => {
    ok(text.includes(`\`${offeredName('my files', 'read.text')}\``));
  });

  test('its line of an audit is one that is written', () => {
    const line = blocks.find(block => block.text.includes('"verdict"'))?.text ?? '';
    const { time, ...event } = JSON.parse(line);
    equal(line, auditLine(event, new Date(time)));
  });
});

describe('what is written for readers', () => {
  const help = join('media', 'help');
  const texts = [
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    ...globSync(join(help, '*.md'), { cwd: top }),
  ];

  test('its links lead to files that are there', () => {
    const broken = texts.flatMap(file => {
      const links = [...read(file).matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)];
      return links
        .filter(([, link = '']) => !existsSync(join(top, file, '..', link)))
        .map(([link]) => `${file}: ${link}`);
    });
    deepEqual(broken, []);
  });

  test('the files to begin in, and those that a call travels through, are there', () => {
    const [, walks = ''] = read('CONTRIBUTING.md').split('## To change this, begin there');
    const sources = readdirSync(join(top, 'src'), { recursive: true, encoding: 'utf8' }).map(
      file => `/${file.replaceAll(sep, '/')}`,
    );
    // Where other walks begin, a comment names the files.
    const further = globSync('src/**/*.ts', { cwd: top }).flatMap(
      file => /the next files are ([^.]*)/.exec(read(file))?.[1] ?? [],
    );
    ok(further.length >= 5, `${further.length} comments`);
    const named = [...[walks, ...further].join().matchAll(/`([a-z]\w*(?:\/\w+)*)`/g)].map(
      ([, name = '']) => name,
    );
    ok(named.length > 40, `${named.length} files`);
    deepEqual(
      named.filter(name => !sources.some(file => file.endsWith(`/${name}.ts`))),
      [],
    );
  });

  test('the keys of a server are told, and those of a hub', () => {
    const table =
      read(join(help, 'yourServers.md'))
        .match(/^\| `.*?\|/gm)
        ?.join() ?? '';
    const told = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, key]) => key);
    deepEqual(told(table).sort(), [...serverKeys()].sort());
    const untold = Object.keys(hubKeys()).filter(key => !told(text).includes(key));
    deepEqual(untold, ['type']);
  });

  test('each client is named, with its files', () => {
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
      // Where one differs by system, its name alone is told.
      const file = userFileOn?.darwin ? basename(userFile ?? '') : userFile && `~/${userFile}`;
      deepEqual(told.get(label), [file ?? '', folderFile], label);
    }
  });

  test('the clients are named of which more is told than of others', () => {
    const told = {
      isApp: ['clients', /In a remote window.*/],
      tellsRoots: ['clients', /names roots itself.*/],
      startsAtHome: ['clients', /Most clients do that.*/],
      isImported: ['yourServers', /\*\*Import Servers…\*\* reads.*/],
    } as const;
    const clients = (Object.keys(knownClients) as (keyof typeof knownClients)[]).map(knownClient);
    for (const kind of Object.keys(told) as (keyof typeof told)[]) {
      const [page, place] = told[kind];
      const [line = ''] = place.exec(read(join(help, `${page}.md`))) ?? [];
      for (const { label, folderFile, [kind]: isOne = false } of clients) {
        const isNamed = line.includes(label) || line.includes(`\`${folderFile}\``);
        equal(isNamed, isOne, `${kind}: ${label}`);
      }
    }
  });

  test('the names that a sandbox protects are told', () => {
    const [line = ''] =
      /^- \*\*Files that other programs run.*/m.exec(read(join(help, 'sandbox.md'))) ?? [];
    deepEqual(
      [...line.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
      protectedNames,
    );
  });

  test('the README fits a few screens, and the help names every manual', () => {
    ok(readFileSync(join(top, 'README.md')).length <= 10 * 1024);
    const index = read(join(help, 'index.md'));
    const manuals = globSync('*.md', { cwd: join(top, help), exclude: ['index.md'] });
    deepEqual(
      manuals.filter(name => !index.includes(`(${name})`)),
      [],
    );
  });
});

test('what the manuals and README tell to click is there, by that name', () => {
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
  deepEqual(
    clicked.filter(name => !known.has(name)),
    [],
  );
});

test('the manual lists the commands of the palette, and no others', () => {
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

test('the help names every reason of a stop that is exported', () => {
  const reasons: Record<StopReason, true> = {
    'by-hand': true,
    window: true,
    removed: true,
    changed: true,
    'no-folder': true,
    'folders-changed': true,
    rule: true,
    'no-page': true,
  };
  const [, told = ''] =
    /^\| `stopped` +\| `why`: (.*?) +\|$/m.exec(read('media/help/running.md')) ?? [];
  deepEqual(
    [...told.matchAll(/`([a-z-]+)`/g)].map(([, reason]) => reason),
    Object.keys(reasons),
  );
});

test('the help names every reason of an exposure that is exported', () => {
  const kinds: Record<Trigger['kind'], true> = {
    'roots/list': true,
    'tools/call': true,
    launch: true,
  };
  const routes: Record<ConfigurationRoute, true> = { args: true, env: true, mount: true };
  const [, told = ''] =
    /^The `kind` of a `trigger` is (.*)$/m.exec(read('media/help/running.md')) ?? [];
  const named = [...told.matchAll(/`([a-z/]+)`/g)].map(([, word]) => word);
  deepEqual(
    named.filter(word => word !== 'tool' && word !== 'as'),
    [...Object.keys(kinds), ...Object.keys(routes)],
  );
});

test('the help names every word that the row of a server or a folder can have', () => {
  const words = [...Object.values(serverWords).map(({ text }) => text), 'retry at …'];
  const section =
    read('media/help/index.md')
      .split('\n## ')
      .find(part => part.startsWith('What the rows say')) ?? '';
  deepEqual(
    words.filter(word => !section.includes(`\`${word}\``)),
    [],
  );
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

test('the figures of the help are those of the product', () => {
  const inMegabytes = (bytes: number) => `${bytes / 1024 ** 2} MB`;
  const size = `over ${inMegabytes(longestMessage)}`;
  ok((mostWholeBytes / 3) * 4 < longestMessage, 'a file that is read whole fits into an answer');
  const most = `${inMegabytes(maxTextBytes)} of text or ${inMegabytes(mostWholeBytes)} of an image`;
  const planOf = (count: number, span: number) => {
    const deaths = Array.from({ length: count }, (_, index) => ({
      at: (span * index) / (count - 1 || 1),
      upSince: 0,
    }));
    return planAfter(deaths, { kind: 'ended', wasReached: true });
  };
  const minutes = (count: number) => count * 60_000;
  const delay = (count: number) => {
    const plan = planOf(count, minutes(60));
    const last = count === 1 ? 0 : minutes(60);
    return plan.kind === 'waiting' ? (plan.at - last) / 1000 : plan.kind;
  };
  const delays = [...[1, 2, 3, 4].map(delay)].join(', ');
  const neverUp = new Deaths();
  const starts = [0, 15, 30].map(at =>
    neverUp.add({ kind: 'silent', seconds: 60 }, { at: minutes(at), upSince: undefined }),
  );
  const plans = [planOf(4, 1), planOf(5, minutes(3)), planOf(5, minutes(3) + 1), ...starts];
  deepEqual(
    plans.map(({ kind }) => kind),
    ['waiting', 'given-up', 'waiting', 'waiting', 'waiting', 'given-up'],
  );
  const told = [
    ['hub', `An answer of a server ${size} becomes an error`],
    [
      'bundledServer',
      `An answer holds about ${most}, and says how to go on.\n- Files ${size} are not edited`,
    ],
    [
      'running',
      `after ${delays} … ${delay(9)} seconds, and given up after 5 deaths in 3 minutes, or after 3 starts`,
    ],
    ['running', `is looked for every ${delay(9)} seconds`],
    ['running', `again ${neverUp.pauseAt(minutes(30)) / 1000} seconds after it was given up`],
  ] as const;
  for (const [page, sentence] of told) {
    ok(read(join('media', 'help', `${page}.md`)).includes(sentence), sentence);
  }
});

test('the page of the help that a message names has what it is named for', () => {
  const pages = globSync('media/help/*.md', { cwd: top }).map(read);
  const hints = globSync('src/**/*.ts', { cwd: top }).flatMap(path => [
    ...read(path).matchAll(/(browser|AppArmor)\b[^\n]*"([^"\n]+)" in the help/g),
  ]);
  ok(hints.length >= 3, `${hints.length} hints`);
  for (const [hint, subject = '', title] of hints) {
    const page = pages.find(text => text.startsWith(`# ${title}\n`));
    ok(page?.toLowerCase().includes(subject.toLowerCase()), hint);
  }
});
