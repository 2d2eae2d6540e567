import type { ChannelId } from '@annals/kernel/domain';
import { idOf, send, sendDirect } from '../requests/messages';
import { inChannel, read, texts } from '../requests/notices';
import type { Person } from '../server/organization';
import type { TestServer } from '../server/server';
import { startTestServer } from '../server/server';
import { WebhookReceiver } from './webhook-receiver';

/** The service of a bot of type 3 on the wire. */
export interface WebhookService {
  readonly base_url: string;
  readonly interface: number;
  readonly token: string;
}

/** A server with two people, and a program behind a bot of one of them. */
export class WebhookScene {
  private constructor(
    readonly server: TestServer,
    readonly receiver: WebhookReceiver,
    /** Owner of the bot. */
    readonly ann: Person,
    readonly bob: Person,
    /** Both are subscribed, and the bot is not. */
    readonly channel: ChannelId,
    /** The bot, in the generic format. */
    readonly weather: Person,
  ) {}

  static async start(): Promise<WebhookScene> {
    const receiver = await WebhookReceiver.start();
    const env = { ...WebhookReceiver.ENV, ANNALS_URL: 'https://chat.example.com' };
    const server = await startTestServer({ env });
    const [ann, bob] = [await server.person({ name: 'Ann' }), await server.person({ name: 'Bob' })];
    const channel = await server.channel(server.owner, { name: 'sky', subscribers: [server.owner, ann, bob] });
    const weather = await server.bot(ann, { name: 'Weather', type: 3, payload_url: receiver.url });
    return new WebhookScene(server, receiver, ann, bob, channel, weather);
  }

  async close(): Promise<void> {
    await this.server.close();
    this.receiver.stop();
  }

  /** Forgets all requests. The program has nothing to say. */
  reset(): void {
    this.receiver.asked.length = 0;
    this.receiver.answer = () => ({ response_not_required: true });
  }

  /** What is said in a new topic after a message there. */
  async after(by: Person, content: string): Promise<string[]> {
    const topic = `topic ${this.server.next()}`;
    await idOf(send(by, { to: this.channel, topic, content }));
    await this.server.webhooksDelivered();
    return texts(await inChannel(by, this.channel, topic)).slice(1);
  }

  /** What a bot answers to a direct message. */
  async answers(bot: Person, content: string, by = this.bob): Promise<string[]> {
    const id = await idOf(sendDirect(by, [bot.id], { content }));
    await this.server.webhooksDelivered();
    return this.repliesTo(bot, id, by);
  }

  /** What follows a direct message. */
  async repliesTo(bot: Person, id: number, by = this.bob): Promise<string[]> {
    const conversation = await read(by, [{ operator: 'dm', operand: [bot.id] }]);
    return texts(conversation.filter((message) => message.id > id));
  }

  /** What the owner of a bot is told during an act. */
  async told(act: () => Promise<unknown>, bot = this.weather): Promise<string[]> {
    const reports = () => read(this.ann, [{ operator: 'dm', operand: [bot.id] }]);
    const before = (await reports()).length;
    await act();
    return texts(await reports()).slice(before);
  }

  /** Attempts deliveries again after their wait. */
  async retried(): Promise<void> {
    this.server.clock.advance(10_000);
    await this.server.webhooksDelivered();
  }
}
