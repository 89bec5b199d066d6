import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  answer,
  type Decision,
  decide,
  decider,
  type Grant,
  isGrant,
  latestRefusals,
  readOnlyChoices,
} from '../../../../src/domain/consent/grants.ts';
import { diskFolder } from '../../../../src/domain/folders/folders.ts';

const api = 'file:///proj/api';
const web = 'file:///proj/web';

const terms = { forbiddenWithin: [], sessionStart: 0 };

function decisionOn(grants: readonly Grant[], identity: string, uri: string): Decision {
  return decide(grants, identity, { uri, disk: 'directory', place: '1:2' }, terms);
}

function grant(change: Partial<Grant> = {}): Grant {
  return {
    serverId: 'files',
    identity: 'id-1',
    fields: { transport: 'stdio', command: 'files', args: [] },
    folder: api,
    decision: 'allowed',
    scope: 'workspace',
    at: 1000,
    ...change,
  };
}

test('an answer holds for its server identity and its folder only, and none is no permission', () => {
  const grants = [grant(), grant({ folder: web, decision: 'denied' })];
  assert.deepEqual(
    {
      'nothing said': decisionOn([], 'id-1', api),
      'allowed folder': decisionOn(grants, 'id-1', api),
      'denied folder': decisionOn(grants, 'id-1', web),
      'another folder': decisionOn(grants, 'id-1', 'file:///proj'),
      'a folder below': decisionOn(grants, 'id-1', `${api}/src`),
      'another identity': decisionOn(grants, 'id-2', api),
    },
    {
      'nothing said': 'undecided',
      'allowed folder': 'allowed',
      'denied folder': 'denied',
      'another folder': 'undecided',
      'a folder below': 'undecided',
      'another identity': 'undecided',
    },
  );
});

test('deny beats allow, in whatever order and for however long they were said', () => {
  const allowed = grant({ scope: 'always', at: 9000 });
  const denied = grant({ scope: 'session', decision: 'denied' });
  assert.equal(decisionOn([allowed, denied], 'id-1', api), 'denied');
  assert.equal(decisionOn([denied, allowed], 'id-1', api), 'denied');
});

test('a permission holds for the folder it was given on, not for one in the same place', () => {
  const on = (place: string | undefined, at: number, change: Partial<Grant> = {}) => {
    const grants = [grant({ place: '1:2:3', at, ...change })];
    const folder = { uri: api, disk: 'directory', place } as const;
    return decide(grants, 'id-1', folder, { forbiddenWithin: [], sessionStart: 500 });
  };
  assert.deepEqual(
    {
      'the same': on('1:2:3', 1000),
      'no birth time told': on('1:2', 1000),
      'another inode': on('1:3:3', 1000),
      'another birth time': on('1:2:4', 1000),
      'another device': on('7:2:3', 1000),
      'another device, answered before this session': on('7:2:3', 100),
      'another inode, answered before this session': on('7:3:3', 100),
      'another birth time, answered before this session': on('7:2:4', 100),
      'a place that is not known': on(undefined, 1000),
      'denied, another place': on('7:3', 1000, { decision: 'denied' }),
      'answered without a place': on('7:3', 1000, { place: undefined }),
    },
    {
      'the same': 'allowed',
      'no birth time told': 'allowed',
      'another inode': 'replaced',
      'another birth time': 'replaced',
      'another device': 'replaced',
      'another device, answered before this session': 'allowed',
      'another inode, answered before this session': 'replaced',
      'another birth time, answered before this session': 'replaced',
      'a place that is not known': 'replaced',
      'denied, another place': 'denied',
      'answered without a place': 'allowed',
    },
  );
});

test('a folder that is gone is no other folder', () => {
  const gone = { uri: api, disk: 'missing', place: undefined } as const;
  assert.equal(decide([grant({ place: '1:2' })], 'id-1', gone, terms), 'allowed');
});

test('a folder that holds forbidden ones needs a yes to each of them', () => {
  const within = (despite: readonly string[] | undefined, ...forbiddenWithin: string[]) => {
    const folder = { uri: api, disk: 'directory', place: '1:2' } as const;
    return decide([grant({ despite })], 'id-1', folder, { forbiddenWithin, sessionStart: 0 });
  };
  assert.deepEqual(
    [
      within(undefined),
      within(undefined, '/proj/.ssh'),
      within(['/proj/.ssh'], '/proj/.ssh'),
      within(['/proj/.ssh'], '/proj/.ssh', '/proj/.aws'),
      within(['/proj/.ssh', '/proj/.aws'], '/proj/.ssh'),
    ],
    ['allowed', 'undecided', 'allowed', 'undecided', 'allowed'],
  );
});

test('what is decided for many folders at once is what is decided for each', () => {
  const folder = fc.constantFrom(api, web, 'file:///proj/docs');
  const someGrant = fc
    .record({
      serverId: fc.constantFrom('files', 'git'),
      identity: fc.constantFrom('id-1', 'id-2', 'id-3'),
      folder,
      decision: fc.constantFrom('allowed', 'denied'),
      at: fc.constantFrom(0, 1000),
    })
    .map(change => grant(change));
  fc.assert(
    fc.property(fc.array(someGrant), fc.constantFrom('id-1', 'id-2'), (grants, identity) => {
      const decideOn = decider(grants, { serverId: 'files', identity }, 0);
      for (const uri of [api, web]) {
        const asked = { ...diskFolder('/x', 'x', 'directory', 'linux'), uri };
        const ofServer = grants.filter(({ serverId }) => serverId === 'files');
        const own = ofServer.filter(grant => grant.identity === identity && grant.folder === uri);
        const decision = decideOn(asked, []);
        assert.equal(decision, decisionOn(ofServer, identity, uri));
        // A denial always wins, and what another server or identity was told is nothing to this one.
        const isDenied = own.some(({ decision }) => decision === 'denied');
        assert.equal(decision, isDenied ? 'denied' : own.length > 0 ? 'allowed' : 'undecided');
      }
    }),
  );
});

test('a folder was refused where the last answer says so, whatever server and clock were', () => {
  const wasRefused = (...changes: Partial<Grant>[]) =>
    latestRefusals(changes.map(grant), 'files')({ uri: api });
  const [denied, identity, at] = ['denied', 'id-0', 2000] as const;
  assert.deepEqual(
    [
      wasRefused(),
      wasRefused({ decision: denied, identity }),
      wasRefused({ identity: 'id-2', at }, { decision: denied, identity }),
      wasRefused({ decision: denied, identity, at }, { identity: 'id-2' }),
      wasRefused({ decision: denied, folder: web }, { decision: denied, serverId: 'git' }),
    ],
    [false, true, true, false, false],
  );
});

test('a folder is read only where one answer says so, of those on what the server is now', () => {
  const isReadOnly = true;
  const chosen = (...changes: Partial<Grant>[]) => {
    const grants = changes.map(grant);
    return readOnlyChoices(grants, { serverId: 'files', identity: 'id-1' })({ uri: api });
  };
  assert.deepEqual(
    {
      'nothing said': chosen(),
      'both allowed': chosen({}),
      'said so': chosen({ isReadOnly }),
      'said so in another scope': chosen({ at: 2000 }, { isReadOnly, scope: 'always' }),
      'said so of another folder': chosen({ isReadOnly, folder: web }),
      'said so of another server': chosen({ isReadOnly, serverId: 'git' }),
      refused: chosen({ isReadOnly, decision: 'denied' }),
      'said so of what it was': chosen({ isReadOnly, identity: 'id-0' }, {}),
      'said so last of what it was': chosen(
        { identity: 'id-2', at: 2000 },
        { isReadOnly, identity: 'id-0' },
      ),
      'taken back of what it was': chosen(
        { isReadOnly, identity: 'id-0', at: 2000 },
        { identity: 'id-2' },
      ),
    },
    {
      'nothing said': false,
      'both allowed': false,
      'said so': true,
      'said so in another scope': true,
      'said so of another folder': false,
      'said so of another server': false,
      refused: true,
      'said so of what it was': false,
      'said so last of what it was': true,
      'taken back of what it was': false,
    },
  );
});

test('a new answer takes the place of every earlier one on the same server as it is, and folder', () => {
  const kept = [grant({ folder: web }), grant({ serverId: 'git' })];
  const earlier = [grant({ scope: 'always' }), grant({ scope: 'session', decision: 'denied' })];
  const next = grant({ decision: 'denied', at: 2000 });
  assert.deepEqual(answer([earlier[0]!, ...kept, earlier[1]!], next), [...kept, next]);
});

test('what was answered on a server holds again when it becomes again what it was', () => {
  for (const decision of ['allowed', 'denied'] as const) {
    const before = [grant(), grant({ folder: web, decision: 'denied' })];
    const grants = answer(before, grant({ identity: 'id-2', decision, at: 2000 }));
    assert.deepEqual(
      [
        decisionOn(grants, 'id-2', api),
        decisionOn(grants, 'id-1', api),
        decisionOn(grants, 'id-1', web),
      ],
      [decision, 'allowed', 'denied'],
    );
  }
});

test('a withdrawn permission is withdrawn from all that the server was, and a refusal stays', () => {
  const before = [
    grant(),
    grant({ identity: 'id-0', decision: 'denied' }),
    grant({ folder: web }),
    grant({ serverId: 'git', identity: 'id-git' }),
    grant({ identity: 'id-2', at: 2000 }),
  ];
  const grants = answer(before, grant({ identity: 'id-2', decision: 'denied', at: 3000 }));
  assert.deepEqual(
    ['id-0', 'id-1', 'id-2'].map(identity => decisionOn(grants, identity, api)),
    ['denied', 'undecided', 'denied'],
  );
  assert.equal(decisionOn(grants, 'id-1', web), 'allowed');
  assert.equal(decisionOn(grants, 'id-git', api), 'allowed');
});

test('a server that keeps changing leaves a bounded number of answers, the newest', () => {
  const times = Array.from({ length: 100 }, (_, index) => index);
  const grants = times.reduce<Grant[]>(
    (all, at) => answer(all, grant({ identity: `id-${at}`, at })),
    [],
  );
  const ages = grants.map(({ at }) => at).sort((a, b) => a - b);
  assert.deepEqual(ages, times.slice(-8));
});

test('a new answer leaves the list it was added to as it was', () => {
  const grants = [grant()];
  answer(grants, grant({ decision: 'denied' }));
  assert.deepEqual(grants, [grant()]);
});

test('a stored grant is one, also through JSON, and a value that is broken is none', () => {
  const whole = [
    grant(),
    grant({ scope: 'always', decision: 'denied', folder: web }),
    grant({ folder: web, place: '64769:131:1795959202', despite: ['/proj/web/.ssh'] }),
    grant({ isReadOnly: true }),
  ];
  assert.ok(whole.every(one => isGrant(JSON.parse(JSON.stringify(one)))));
  const broken: Record<string, unknown> = {
    null: null,
    text: 'grants',
    list: [grant()],
    'no identity': { ...grant(), identity: undefined },
    'an unknown decision': { ...grant(), decision: 'maybe' },
    'a decision in a list': { ...grant(), decision: ['denied'] },
    'a scope in a list': { ...grant(), scope: ['always'] },
    'an unknown scope': { ...grant(), scope: 'forever' },
    'a folder that is no text': { ...grant(), folder: 5 },
    'no server': { ...grant(), serverId: undefined },
    'a place that is none': grant({ place: 'here' }),
    'a place that is no text': { ...grant(), place: 5 },
    'a second yes to nothing': { ...grant(), despite: 'all' },
    'read only in words': { ...grant(), isReadOnly: 'no' },
    'read only said not to be': { ...grant(), isReadOnly: false },
    'no time': { ...grant(), at: 'yesterday' },
    'no fields': { ...grant(), fields: null },
    'fields of numbers': { ...grant(), fields: { args: 5 } },
    'fields of lists of numbers': { ...grant(), fields: { args: [5] } },
  };
  assert.deepEqual(
    Object.entries(broken).filter(([, stored]) => isGrant(stored)),
    [],
  );
});
