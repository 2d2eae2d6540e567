import type { ChannelId } from '@annals/kernel/domain';
import { OFFLINE_MS } from '@annals/presence';
import fc from 'fast-check';
import { BATCHING_MS, isActive, mailsTo } from '../../support/mail/missed';
import { idOf, send, sendDirect } from '../../support/requests/messages';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';
import type { MissingAct, ReaderName, TopicChoice } from './model';
import { MissedModel, READERS, TOPICS } from './model';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  granted(await server.owner.patch('/realm', { message_content_delete_limit_seconds: 'unlimited' }));
});
afterAll(() => server.close());

const POLICIES: Readonly<Record<TopicChoice, number>> = { inherits: 0, muted: 1, followed: 3 };

/** A sender, the readers, and their channel. */
class Scene {
  private readonly ids: number[] = [];

  private constructor(
    private readonly ann: Person,
    readonly readers: Readonly<Record<ReaderName, Person>>,
    private readonly to: ChannelId,
  ) {}

  static async begin(): Promise<Scene> {
    const [ann, bob, cat] = [await server.person(), await server.person(), await server.person()];
    for (const reader of [bob, cat]) {
      granted(await reader.patch('/settings', { automatically_follow_topics_where_mentioned: false }));
    }
    return new Scene(ann, { bob, cat }, await server.channel(ann, { subscribers: [ann, bob, cat] }));
  }

  async happen(act: MissingAct): Promise<void> {
    if (act.act === 'wait') server.clock.advance(act.ms);
    else if (act.act === 'direct') await this.sent((content) => sendDirect(this.ann, this.idsOf(act.to), { content }));
    else if (act.act === 'say') {
      const mentions = act.mentions === 'all' ? '@**all**' : act.mentions.map((name) => this.mention(name)).join(' ');
      const post = (content: string) => ({ to: this.to, topic: act.topic, content: `${content} ${mentions}` });
      await this.sent((content) => send(this.ann, post(content)));
    } else if (act.act === 'delete') await this.about(act.message, (id) => this.ann.delete(`/messages/${id}`));
    else await this.chosen(act, this.readers[act.by]);
    await server.missedMailsMade();
    // A mail that is written later is written by what holds then.
    await server.mailsSent();
  }

  private async chosen(act: Extract<MissingAct, { by: ReaderName }>, by: Person): Promise<void> {
    if (act.act === 'active') return isActive(server, by);
    if (act.act === 'read') {
      const read = (id: number) => by.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' });
      return this.about(act.message, read);
    }
    if (act.act === 'want') {
      granted(await by.patch('/settings', { enable_offline_email_notifications: act.isOn }));
    } else if (act.act === 'choose') {
      const policy = { stream_id: this.to, topic: act.topic, visibility_policy: POLICIES[act.choice] };
      granted(await by.post('/user_topics', policy));
    } else {
      // Muting twice is refused, and changes nothing.
      const path = `/users/me/muted_users/${this.ann.id}`;
      await (act.isOn ? by.post(path) : by.delete(path));
    }
  }

  /** The texts of messages are their numbers. */
  private async sent(sending: (content: string) => ReturnType<typeof send>): Promise<void> {
    this.ids.push(await idOf(sending(`number ${this.ids.length}`)));
  }

  /** A message that does not exist, or was deleted, is refused, and nothing changes. */
  private async about(message: number, act: (id: number) => Promise<unknown>): Promise<void> {
    const id = this.ids[message];
    if (id !== undefined) await act(id);
  }

  private idsOf = (names: readonly ReaderName[]) => names.map((name) => this.readers[name].id);
  private mention = (name: ReaderName) => `@**|${this.readers[name].id}**`;
}

const someone = fc.constantFrom(...READERS);
const some = fc.constantFrom<readonly ReaderName[]>(['bob'], ['cat'], ['bob', 'cat']);
const topic = fc.constantFrom(...TOPICS);
const message = fc.nat({ max: 8 });
const act: fc.Arbitrary<MissingAct> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant('direct' as const), to: some }) },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant('say' as const),
      topic,
      mentions: fc.constantFrom<readonly ReaderName[] | 'all'>([], ['bob'], ['bob', 'cat'], 'all'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('read' as const), by: someone, message }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('delete' as const), message }) },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('choose' as const),
      by: someone,
      topic,
      choice: fc.constantFrom<TopicChoice>('inherits', 'muted', 'followed'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('mute' as const), by: someone, isOn: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('want' as const), by: someone, isOn: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('active' as const), by: someone }) },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant('wait' as const),
      ms: fc.constantFrom(1, 60_000, BATCHING_MS, OFFLINE_MS, OFFLINE_MS + 1),
    }),
  },
);

/** The numbers of the messages of each mail to a reader. */
async function sentTo(reader: Person): Promise<number[][]> {
  const mails = await mailsTo(server, reader);
  return mails.map(({ text }) => [...text.matchAll(/> number (\d+)/g)].map(([, n]) => Number(n)));
}

const ordered = (mails: readonly (readonly number[])[]) => mails.map((one) => one.join()).sort();

it('whatever happens, the mails are those of the rules: none is lost, and no message is in two', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 8, maxLength: 18 }), async (acts) => {
      const scene = await Scene.begin();
      const model = new MissedModel();
      for (const one of [...acts, { act: 'wait', ms: OFFLINE_MS + BATCHING_MS } as const]) {
        await scene.happen(one);
        model.apply(one);
      }
      for (const name of READERS) {
        const expected = model.mails.filter(({ to }) => to === name).map(({ messages }) => messages);
        expect(ordered(await sentTo(scene.readers[name]))).toEqual(ordered(expected));
      }
    }),
    { numRuns: 5 },
  );
});
