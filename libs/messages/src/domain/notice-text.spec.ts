import type { ChannelId, GroupId, UserId } from '@annals/kernel/domain';
import { channel, code, group, join, notice, person, quote } from './notice-text';

const ann = { userId: 5 as UserId, fullName: 'Ann Example' };
const plans = { id: 7 as ChannelId, name: 'plans' };

describe('a notice', () => {
  it('names people, channels and groups, and knows what the names mean', () => {
    const text = notice`${person(ann)} made ${channel(plans)} for ${group(3 as GroupId, 'role:members', 'Members')}.`;
    expect(text.content).toBe('@_**Ann Example|5** made #**plans** for @_*role:members*.');
    expect(text.names).toEqual({
      users: [{ name: 'Ann Example', id: 5, userId: 5, fullName: 'Ann Example' }],
      groups: [{ written: 'role:members', groupId: 3, name: 'Members' }],
      channels: [{ written: 'plans', channelId: 7, name: 'plans' }],
    });
  });

  it('lists names', () => {
    const { content, names } = join([channel(plans), channel({ ...plans, name: 'lunch' })], ', ');
    expect(content).toBe('#**plans**, #**lunch**');
    expect(names.channels.map(({ written }) => written)).toEqual(['plans', 'lunch']);
  });

  it.each(['a*b', 'a>b', '`a`', '@**all**'])('shows a name that no link can hold as it is: %s', (name) => {
    const { content, names } = channel({ ...plans, name });
    expect(content).toBe(code(name));
    expect(names.channels).toEqual([]);
    expect(content.slice(1, -1)).not.toContain('`');
  });

  it('names somebody by id alone where the name would end the mention', () => {
    const odd = { ...ann, fullName: 'Ann **' };
    expect(person(odd).content).toBe('@_**|5**');
    expect(person(odd).names.users).toEqual([{ id: 5, userId: 5, fullName: 'Ann **' }]);
  });

  it('quotes words in a block that they cannot end', () => {
    expect(quote('as it was')).toBe('```quote\nas it was\n```');
    expect(quote('```` is a fence')).toBe('`````quote\n```` is a fence\n`````');
  });
});
