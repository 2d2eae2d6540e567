import type { GroupId, Role, UserId } from '@annals/kernel/domain';
import type { ChannelPrivacy, Reader } from './access';
import { administers, historyScope, seesContent, seesMetadata } from './access';
import { maySubscribeOthers } from '../policies';

const [NOBODY, INSIDERS, JOINERS, KEEPERS] = [1, 11, 12, 13] as [GroupId, GroupId, GroupId, GroupId];
const settings = {
  can_add_subscribers_group: INSIDERS,
  can_subscribe_group: JOINERS,
  can_administer_channel_group: KEEPERS,
};
const shape = (inviteOnly: boolean, historyPublicToSubscribers: boolean, isWebPublic = false): ChannelPrivacy => ({
  inviteOnly,
  historyPublicToSubscribers,
  isWebPublic,
  settings,
});
const SHAPES = {
  webPublic: shape(false, true, true),
  public: shape(false, true),
  privateShared: shape(true, true),
  privateProtected: shape(true, false),
};
const reader = (role: Role, ...groups: GroupId[]): Reader => ({ userId: 5 as UserId, role, groups: new Set(groups) });
const READERS = {
  guest: reader(600),
  'guest in every group': reader(600, INSIDERS, JOINERS, KEEPERS),
  member: reader(400),
  administrator: reader(200),
  'who may add': reader(400, INSIDERS),
  'who may join': reader(400, JOINERS),
  'channel administrator': reader(400, KEEPERS),
};
type Shape = keyof typeof SHAPES;
type Person = keyof typeof READERS;
const everybody = Object.keys(READERS) as Person[];
const nonGuests = everybody.filter((person) => !person.startsWith('guest'));

const TABLE: [Shape, { content: Person[]; metadata: Person[] }][] = [
  ['webPublic', { content: everybody, metadata: everybody }],
  ['public', { content: nonGuests, metadata: nonGuests }],
  [
    'privateShared',
    {
      content: ['who may add', 'who may join'],
      metadata: ['administrator', 'who may add', 'who may join', 'channel administrator'],
    },
  ],
  [
    'privateProtected',
    {
      content: ['who may add', 'who may join'],
      metadata: ['administrator', 'who may add', 'who may join', 'channel administrator'],
    },
  ],
];

describe.each(TABLE)('a %s channel', (name, { content, metadata }) => {
  const channel = SHAPES[name];

  it.each(everybody)('shows %s without a subscription what the contract allows', (person) => {
    expect(seesContent(channel, READERS[person], false)).toBe(content.includes(person));
    expect(seesMetadata(channel, READERS[person], false)).toBe(metadata.includes(person));
  });

  it.each(everybody)('shows %s with a subscription everything, if history is shared', (person) => {
    expect(seesMetadata(channel, READERS[person], true)).toBe(true);
    expect(historyScope(channel, READERS[person], true)).toBe(name === 'privateProtected' ? 'received' : 'all');
  });

  it.each(everybody)('gives %s without a subscription history only with access to the content', (person) => {
    const scope = name === 'privateProtected' ? 'received' : 'all';
    expect(historyScope(channel, READERS[person], false)).toBe(content.includes(person) ? scope : 'none');
  });
});

it('is administered by administrators of the organization and its own, never by a guest', () => {
  const who = everybody.filter((person) => administers(SHAPES.privateShared, READERS[person]));
  expect(who).toEqual(['administrator', 'channel administrator']);
});

describe('subscribing others', () => {
  const may = (channel: ChannelPrivacy, person: Person, isSubscribed: boolean, canAdd: GroupId = NOBODY) =>
    maySubscribeOthers(channel, READERS[person], isSubscribed, canAdd).allowed;

  it('requires access to the content and one of the permissions', () => {
    expect(may(SHAPES.public, 'member', false)).toBe(false);
    expect(may(SHAPES.public, 'who may add', false)).toBe(true);
    expect(may(SHAPES.public, 'channel administrator', false)).toBe(true);
    expect(may(SHAPES.public, 'administrator', false)).toBe(true);
    expect(may(SHAPES.privateShared, 'administrator', false)).toBe(false);
    expect(may(SHAPES.privateShared, 'administrator', true)).toBe(true);
    expect(may(SHAPES.privateShared, 'channel administrator', false)).toBe(false);
    expect(may(SHAPES.privateShared, 'who may join', false)).toBe(false);
    expect(may(SHAPES.privateShared, 'who may join', false, JOINERS)).toBe(true);
    expect(may(SHAPES.public, 'guest in every group', true, JOINERS)).toBe(false);
  });
});
