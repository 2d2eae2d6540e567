import type { ChannelId, GroupId, MessageId, UserId } from '@annals/kernel/domain';
import { channelLink, code, group, join, notice, person, quote, topicOf } from './notice-text';

const ann = { userId: 5 as UserId, fullName: 'Ann Example' };
const plans = { id: 7 as ChannelId, name: 'plans' };

describe('a notice', () => {
  it('has names of users, channels and groups with their meaning', () => {
    const text = notice`${person(ann)} made ${channelLink(plans)} for ${group(3 as GroupId, 'role:members', 'Members')}.`;
    expect(text.content).toBe('@_**Ann Example|5** made #**plans** for @_*role:members*.');
    expect(text.names).toEqual({
      users: [{ name: 'Ann Example', id: 5, userId: 5, fullName: 'Ann Example' }],
      groups: [{ written: 'role:members', groupId: 3, name: 'Members' }],
      channels: [{ written: 'plans', channelId: 7, name: 'plans' }],
    });
  });

  it('lists names', () => {
    const { content, names } = join([channelLink(plans), channelLink({ ...plans, name: 'lunch' })], ', ');
    expect(content).toBe('#**plans**, #**lunch**');
    expect(names.channels.map(({ written }) => written)).toEqual(['plans', 'lunch']);
  });

  it('links to topics, with a message if there is one', () => {
    const text = notice`From ${topicOf(plans, 'lunch')} to ${topicOf(plans, 'dinner', 42 as MessageId)}.`;
    expect(text.content).toBe('From #**plans>lunch** to #**plans>dinner**.');
    expect(text.names.topics).toEqual([{ channelId: 7, written: 'dinner', messageId: 42 }]);
    expect(notice`${topicOf(plans, 'lunch')}`.names).not.toHaveProperty('topics');
    expect(topicOf(plans, 'a*b', 42 as MessageId).names).not.toHaveProperty('topics');
  });

  it('keeps the meaning of names in included texts', () => {
    const emoji = [{ name: 'mascot', file: 'm.png' }];
    const said = { content: ':mascot:', names: { users: [], groups: [], channels: [], emoji } };
    expect(notice`${person(ann)} said ${said}`.names.emoji).toEqual(emoji);
  });

  it.each(['a*b', 'a>b', '`a`', '@**all**'])('shows a name that a link cannot contain as code: %s', (name) => {
    const { content, names } = channelLink({ ...plans, name });
    expect(content).toBe(code(name));
    expect(names.channels).toEqual([]);
    expect(content.slice(1, -1)).not.toContain('`');
  });

  it('mentions a user by id alone if the name would end the mention', () => {
    const odd = { ...ann, fullName: 'Ann **' };
    expect(person(odd).content).toBe('@_**|5**');
    expect(person(odd).names.users).toEqual([{ id: 5, userId: 5, fullName: 'Ann **' }]);
  });

  it('quotes a text in a block that it cannot end', () => {
    expect(quote('as it was')).toBe('```quote\nas it was\n```');
    expect(quote('```` is a fence')).toBe('`````quote\n```` is a fence\n`````');
  });
});
