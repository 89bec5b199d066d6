import { deepEqual, match, ok } from 'node:assert/strict';
import { homedir } from 'node:os';
import { test } from 'node:test';
import type { FolderAccess } from '../../../../src/domain/consent/folderAccess.ts';
import type { SandboxTerms } from '../../../../src/domain/sandbox/sandboxTerms.ts';
import type { Launch } from '../../../../src/domain/servers/launch.ts';
import {
  defaultTerms,
  type ServerDefinition,
  userServer,
} from '../../../../src/domain/servers/serverDefinition.ts';
import { startDetail, startQuestion } from '../../../../src/extension/consent/startQuestion.ts';
import { bundledFields, bundledServer } from '../../../../src/extension/servers/bundledServer.ts';
import { httpLaunch, stdioLaunch } from '../../../support/launches.ts';
import { accessOf, exclusion, folder, shownServer } from '../../../support/shownServer.ts';
import { onlyOn } from '../../../support/systems.ts';
import { said } from '../../../support/texts.ts';

const skip = onlyOn('linux', 'there is no sandbox elsewhere');

/** The keys of the texts before the start of the bundled server, a list for each paragraph. */
function bundledDetail(options: Parameters<typeof bundledServer>[1]): string[][] {
  const definition = bundledServer('/extension', options);
  const asked = { definition, fields: bundledFields(definition) };
  const paragraphs = startDetail(asked, undefined, 'told', []).split('\n\n');
  return paragraphs.map(lines => lines.split('\n').map(said));
}

test('the question before the start of the bundled server names its sandbox', { skip }, () => {
  const [, confined] = bundledDetail({ allowWrite: false, isBundledSandboxed: true });
  const [, open] = bundledDetail({ allowWrite: false, isBundledSandboxed: false });
  deepEqual([confined?.length, open?.length], [2, 1]);
});

test('the question on the bundled server names no variable and no working directory', () => {
  const [, nature, ...rest] = bundledDetail({ allowWrite: true, isBundledSandboxed: false });
  deepEqual([nature?.length, rest], [2, [['"told"']]]);
});

test('the question before a start names the settings that define it, also a remote machine’s', () => {
  const asked = (launch: Launch, more: Partial<ServerDefinition>) => {
    const definition = { ...userServer('files', launch, defaultTerms), ...more };
    return said(startDetail({ definition, fields: {} }, undefined, '', []).split('\n')[0] ?? '');
  };
  const launches = [
    stdioLaunch({ command: 'npx' }),
    stdioLaunch({ command: 'npx', args: ['-y', 'x'.repeat(5000)] }),
    httpLaunch('https://mcp.example.com'),
  ];
  const whose = [
    { from: 'user' },
    { from: 'user', isOfMachine: true },
    { from: 'workspace' },
  ] as const;
  deepEqual(
    whose.map(more => launches.map(launch => asked(launch, more))),
    ['user', 'machine', 'workspace'].map(whose => {
      const settings = `startQuestion.settingsOf.${whose}()`;
      const started = `startQuestion.startedText(${settings}, npx)`;
      return [
        started,
        started,
        `startQuestion.decidingTexts(${settings}, https://mcp.example.com)`,
      ];
    }),
  );
});

test('the question before a start says that it hides values', () => {
  const launch = stdioLaunch({ env: { API_TOKEN: 'hunter2' } });
  const definition = userServer('files', launch, defaultTerms);
  const lines = startDetail({ definition, fields: {} }, undefined, '', []).split('\n');
  ok(lines.some(line => said(line).startsWith('startQuestion.hiddenText(')));
});

test('the question says that no folder of the definition exists', async () => {
  const [api, gone] = [exclusion(folder('api'), 'not-offered'), exclusion(folder('x'), 'missing')];
  const toldOf = async (offers: readonly string[] | undefined, ...folders: FolderAccess[]) => {
    const definition = userServer('files', stdioLaunch({}), { ...defaultTerms, offers });
    const access = accessOf(...folders);
    const server = shownServer({ definition, access, sandboxNeeds: async () => [] });
    const { detail } = await startQuestion({ server, folders: [] }, undefined);
    return String(detail)
      .split('\n')
      .map(said)
      .filter(key => /toldText/.test(key));
  };
  const none = ['startQuestion.toldText.2()'];
  const denied = exclusion(folder('docs'), 'denied');
  deepEqual(
    [
      await toldOf(['x'], api, gone),
      await toldOf(['x\n', 'b', 'c', 'd', 'e'], api),
      await toldOf(['x', 'docs'], api, gone, denied),
      await toldOf(undefined, gone),
    ],
    [
      ['startQuestion.toldText("x")'],
      ['startQuestion.toldText(shownNames.firstOf("x\\u000a", "b", "c", 2))'],
      none,
      none,
    ],
  );
});

test('the question before a start names what a sandbox can reach, the most important first', () => {
  const many = Array.from({ length: 60 }, (_, index) => `/${'folder/'.repeat(9)}${index}`);
  const npx = { command: 'npx', args: ['-y', 'files'] };
  const natureOf = (terms: Partial<SandboxTerms>, needs: readonly string[] = [], launch = {}) => {
    const sandbox = { read: [], write: [], network: true, ...terms };
    const definition = userServer('files', stdioLaunch(launch), { ...defaultTerms, sandbox });
    const [, nature = ''] = startDetail({ definition, fields: {} }, undefined, '', needs).split(
      '\n\n',
    );
    return nature.split('\n').map(said);
  };
  const home = homedir();
  const [open, ...reached] = natureOf({ write: [`${home}/${'a/'.repeat(60)}`, '/', home] });
  const [closed, quoted] = natureOf({ read: ['/a b'], network: false });
  deepEqual([open === closed, quoted], [false, 'startQuestion.reachTexts.read("/a b")']);
  match(reached.join(), /^startQuestion\.reachTexts\.write\(.* \(\/\), .*\), ~\//);
  ok(reached.join().includes(` (${home}), ~/`), `${reached}`);
  deepEqual(natureOf({}, [`${home}/server`, '/opt/node']), [
    open,
    'startQuestion.reachTexts.needs(/opt/node, ~/server)',
  ]);
  deepEqual(natureOf({ network: false }, [], npx).slice(0, 1), [closed]);
  deepEqual([natureOf({ network: false }, [], npx).length, natureOf({}, [], npx).length], [2, 1]);
  const counts = natureOf({ read: many, write: many }).map(key => /, (\d+)\)+$/.exec(key)?.[1]);
  deepEqual(counts, [undefined, '57', '57']);
});
