import type { Answer, Caller } from '../../support/server/caller';

const SUCCESS = 200;

/** Users who write, read what they wrote and listen, until they are stopped, and all errors that they got. */
export class Load {
  readonly failed: string[] = [];
  /** Ids of messages that were acknowledged as stored. */
  readonly acknowledged: number[] = [];
  /** Ids of messages by the queues that they came to, in the order in which they came. */
  readonly received: number[][] = [];
  private isOver = false;
  /** Everything that was sent was answered. */
  private isAllSent = false;
  private readonly writing: Promise<void>[] = [];
  private readonly listening: Promise<void>[] = [];
  requests = 0;

  constructor(
    private readonly caller: Caller,
    private readonly channel: string,
  ) {}

  start(writers: number, listeners: number): void {
    for (let n = 0; n < writers; n += 1) this.writing.push(this.write(n));
    for (let n = 0; n < listeners; n += 1) this.listening.push(this.listen());
  }

  /** Resolves when everybody has stopped, and every queue has been asked for all that there is for it. */
  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.writing);
    this.isAllSent = true;
    await Promise.all(this.listening);
  }

  private async write(n: number): Promise<void> {
    for (let i = 0; !this.isOver; i += 1) {
      const content = `text ${i} of ${n}`;
      const sent = await this.asked(() =>
        this.caller.post<{ id: number }>('/messages', { type: 'channel', to: this.channel, topic: `t${n}`, content }),
      );
      if (!sent) continue;
      this.acknowledged.push(sent.body.id);
      const read = await this.asked(() =>
        this.caller.get<{ message: { content: string } }>(`/messages/${sent.body.id}`, { apply_markdown: false }),
      );
      if (read && read.body.message.content !== content) this.failed.push(`another text: ${JSON.stringify(read.body)}`);
      await this.asked(() => this.caller.post('/register', { fetch_event_types: ['realm', 'subscription'] }));
    }
  }

  private async listen(): Promise<void> {
    const received: number[] = [];
    this.received.push(received);
    const queue = await this.asked(() =>
      this.caller.post<{ queue_id: string; last_event_id: number }>('/register', {
        event_types: ['message'],
        fetch_event_types: [],
      }),
    );
    if (!queue) return;
    let last = queue.body.last_event_id;
    for (;;) {
      const isLast = this.isAllSent;
      const answer = await this.asked(() =>
        this.caller.get<{ events: { id: number; message?: { id: number } }[] }>('/events', {
          queue_id: queue.body.queue_id,
          last_event_id: last,
          dont_block: isLast,
        }),
      );
      for (const { id, message } of answer?.body.events ?? []) {
        last = id;
        if (message) received.push(message.id);
      }
      if (this.failed.length > 0 || (isLast && answer?.body.events.length === 0)) return;
    }
  }

  private async asked<Fields>(ask: () => Promise<Answer<Fields>>): Promise<Answer<Fields> | null> {
    this.requests += 1;
    try {
      const answer = await ask();
      if (answer.status === SUCCESS) return answer;
      this.failed.push(`${answer.status} ${JSON.stringify(answer.body)}`);
    } catch (error) {
      this.failed.push(String(error));
    }
    return null;
  }
}
