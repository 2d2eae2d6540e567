import { DAY_MS, ManualClock } from '@annals/kernel/domain';
import type { Instant } from '@annals/kernel/domain';
import { digestsBegun, unsubscribePath } from '../../support/mail/missed';
import { outboxOf } from '../../support/mail/outbox';
import { idOf, send } from '../../support/requests/messages';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

/** A Thursday. */
const BEGINNING = Date.UTC(2026, 0, 1) as Instant;
const TUESDAY = 1;

let server: TestServer;
let ann: Person;
let away: Person;
beforeAll(async () => {
  server = await startTestServer({ clock: new ManualClock(BEGINNING) });
  ann = await server.person({ name: 'Ann Example' });
  away = await server.person({ name: 'Amy Away' });
  granted(await server.owner.patch('/realm', { digest_emails_enabled: true, digest_weekday: TUESDAY }));
});
afterAll(() => server.close());

const digestsTo = async (person: Person) => {
  await digestsBegun(server);
  const mails = await outboxOf(server);
  return mails.filter(({ to, subject }) => to.includes(person.email) && subject === 'What happened in Annals');
};
/** Moves on to the next Tuesday, in the middle of which those act who are not away. */
async function nextTuesday(): Promise<void> {
  do server.clock.advance(DAY_MS);
  while (new Date(server.clock.now()).getUTCDay() !== 2);
}
const say = (to: number, topic: string, content: string, by = ann) => idOf(send(by, { to, topic, content }));

describe('digests', () => {
  it('are sent once a week, on the day of the organization, to those who were away', async () => {
    const to = await server.channel(ann, { name: 'design', subscribers: [ann, away] });
    server.clock.advance(4 * DAY_MS);
    await say(to, 'colours', 'Blue **or** green?');
    await say(to, 'colours', 'Green.', server.owner).catch(() => undefined);
    expect(await digestsTo(away)).toEqual([]);
    server.clock.advance(DAY_MS);
    await say(to, 'colours', 'We decide today.');
    server.clock.advance(DAY_MS);
    expect(new Date(server.clock.now()).getUTCDay()).toBe(3);
    expect(await digestsTo(away)).toEqual([]);
    await nextTuesday();
    await say(to, 'colours', 'It is green.');
    const [digest, ...more] = await digestsTo(away);
    expect(more).toEqual([]);
    expect(digest?.text).toMatch(/#design > colours/);
    expect(digest?.text).toContain('It is green.');
    expect(await digestsTo(ann)).toEqual([]);
    server.clock.advance(60_000);
    expect(await digestsTo(away)).toHaveLength(1);
  });

  it('have another one in the next week only, also if the day of the week is changed', async () => {
    const to = await server.channel(ann, { name: 'news', subscribers: [ann, away] });
    const before = (await digestsTo(away)).length;
    granted(await server.owner.patch('/realm', { digest_weekday: 3 }));
    server.clock.advance(2 * DAY_MS);
    expect(await digestsTo(away)).toHaveLength(before);
    granted(await server.owner.patch('/realm', { digest_weekday: TUESDAY }));
    await nextTuesday();
    await say(to, 'x', 'something new');
    expect(await digestsTo(away)).toHaveLength(before + 1);
  });

  it('show nothing that the user may not see, and no muted channel or topic', async () => {
    const own = await server.channel(ann, { name: 'own', subscribers: [ann, away] });
    const muted = await server.channel(ann, { name: 'muted', subscribers: [ann, away] });
    const closed = await server.channel(ann, { name: 'closed', subscribers: [ann], invite_only: true });
    const subscription_data = [{ stream_id: muted, property: 'is_muted', value: true }];
    granted(await away.post('/users/me/subscriptions/properties', { subscription_data }));
    granted(await away.post('/user_topics', { stream_id: own, topic: 'noise', visibility_policy: 1 }));
    await nextTuesday();
    for (const [to, topic] of [
      [own, 'signal'],
      [own, 'noise'],
      [muted, 'quiet'],
      [closed, 'hidden plan'],
    ] as const) {
      await say(to, topic, `words about ${topic}`);
    }
    const digest = (await digestsTo(away)).at(-1);
    expect(digest?.text).toContain('words about signal');
    expect(`${digest?.text}${digest?.html}`).not.toMatch(/noise|quiet|hidden plan|closed/);
  });

  it('have new channels and new people', async () => {
    await nextTuesday();
    await server.channel(ann, { name: 'brand new', subscribers: [ann] });
    await server.person({ name: 'Nina Newcomer' });
    const digest = (await digestsTo(away)).at(-1);
    expect(digest?.text).toMatch(/New channels[^]*#brand new[^]*New people[^]*Nina Newcomer/);
  });

  it('have numbers only where the organization or the user wants no messages in mails', async () => {
    const ofRealm = (allowed: boolean) =>
      server.owner.patch('/realm', { message_content_allowed_in_email_notifications: allowed });
    const ofUser = (wanted: boolean) => away.patch('/settings', { message_content_in_email_notifications: wanted });
    for (const [name, change, reason] of [
      ['talk', ofRealm, 'Annals does not show messages in mails.'],
      ['walk', ofUser, 'You chose not to see messages in mails.'],
    ] as const) {
      granted(await change(false));
      await nextTuesday();
      const to = await server.channel(ann, { name, subscribers: [ann, away] });
      await server.person({ name: `Nora ${name}` });
      await say(to, 'merger', 'a confidential word');
      const digest = (await digestsTo(away)).at(-1);
      expect(digest?.text).toMatch(/\* \d+ new channels?\n/);
      expect(digest?.text).toMatch(/\* \d+ new messages?\n/);
      expect(digest?.text).toContain(reason);
      expect(`${digest?.text}${digest?.html}`).not.toMatch(/confidential|merger|[tw]alk|Nora|Ann Example/);
      granted(await change(true));
    }
  });

  it('end by the link in them, and without anything that happened', async () => {
    const path = unsubscribePath((await digestsTo(away)).at(-1));
    const before = (await digestsTo(away)).length;
    await nextTuesday();
    await nextTuesday();
    expect(await digestsTo(away)).toHaveLength(before);
    expect((await fetch(new URL(path, server.url), { method: 'POST' })).status).toBe(200);
    const to = await server.channel(ann, { name: 'late', subscribers: [ann, away] });
    await nextTuesday();
    await say(to, 'x', 'nobody reads this');
    expect(await digestsTo(away)).toHaveLength(before);
  });
});
