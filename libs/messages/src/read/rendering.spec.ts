import type { Position, RealmId } from '@annals/kernel/domain';
import { htmlOf } from './rendering';

const REALM = 1 as RealmId;
const plans = { users: [], groups: [], channels: [{ written: 'Plans', channelId: 2, name: 'plans' }] };
const html = (content: string, names: object) =>
  htmlOf(REALM, { position: 10 as Position, content, names: JSON.stringify(names) }, true);
const link = (path: string, topic: string) =>
  `<p><a class="stream-topic" data-stream-id="2" href="/#narrow/channel/2-plans/topic/${path}">#plans &gt; ${topic}</a></p>`;

describe('a link to a topic', () => {
  it('holds the message by which its author knew the topic', () => {
    const topics = [{ channelId: 2, written: 'Lunch', messageId: 214 }];
    expect(html('#**Plans>Lunch**', { ...plans, topics })).toBe(link('Lunch/with/214', 'Lunch'));
    expect(html('#**Plans>dinner**', { ...plans, topics })).toBe(link('dinner', 'dinner'));
  });

  it('goes by its name in texts from before messages were kept for topics', () => {
    expect(html('#**Plans>Lunch**', plans)).toBe(link('Lunch', 'Lunch'));
  });

  it('shows the name of the empty topic that clients are told', () => {
    const topics = [{ channelId: 2, written: '', messageId: 214 }];
    expect(html('#**Plans>**', { ...plans, topics })).toBe(link('/with/214', '<em>general chat</em>'));
  });
});
