import type { ChannelId } from '@annals/kernel/domain';
import type { ApiClient } from './client';
import { CONTENT } from '../message';

const EMOJI = ['+1', 'tada', 'heart', 'octopus', 'smile'];

/** A user who sends messages, edits them and reacts to them. */
export class Writer {
  private readonly sent: number[] = [];
  private edits = 0;
  private reactions = 0;

  constructor(
    private readonly client: ApiClient,
    private readonly channels: readonly ChannelId[],
  ) {}

  async send(): Promise<void> {
    const to = String(this.channels[this.sent.length % this.channels.length]);
    const { id } = await this.client.post('/messages', { type: 'channel', to, topic: 'benchmark', content: CONTENT });
    this.sent.push(Number(id));
  }

  /** Replaces the text of one of those messages, of each in turn. */
  async edit(): Promise<void> {
    const edit = this.edits++;
    await this.client.patch(`/messages/${this.nth(edit)}`, { content: `${CONTENT}, edit ${edit}` });
  }

  /** Puts an emoji under one of them; when each has one, another one under each. */
  async react(): Promise<void> {
    const reaction = this.reactions++;
    const emoji_name = EMOJI[Math.floor(reaction / this.sent.length)];
    if (emoji_name === undefined) throw new Error('there are more reactions than messages and emoji');
    await this.client.post(`/messages/${this.nth(reaction)}/reactions`, { emoji_name });
  }

  private nth(n: number): number {
    const id = this.sent[n % this.sent.length];
    if (id === undefined) throw new Error('nothing was sent yet');
    return id;
  }
}
