import type { Answer, ApiClient } from './client';

/** An event that a client waited for. */
export interface Arrival {
  readonly event: Answer;
  /** On this process's clock, ms. */
  readonly at: number;
}

/** A client that polls continuously for events of one type. */
export class Receiver {
  private constructor(
    private readonly client: ApiClient,
    private readonly type: string,
    private readonly queueId: string,
    private lastEventId: number,
  ) {}

  static async register(client: ApiClient, type: string): Promise<Receiver> {
    const types = JSON.stringify([type]);
    const queue = await client.post('/register', { event_types: types, fetch_event_types: types });
    return new Receiver(client, type, String(queue['queue_id']), Number(queue['last_event_id']));
  }

  /** Polls until an event arrives. The first one if several arrive at once. */
  async next(): Promise<Arrival> {
    for (;;) {
      const query = { queue_id: this.queueId, last_event_id: String(this.lastEventId) };
      const events = (await this.client.get('/events', query))['events'] as Answer[];
      const at = performance.now();
      this.lastEventId = Math.max(...events.map((event) => Number(event['id'])));
      const event = events.find(({ type }) => type === this.type);
      if (event) return { event, at };
    }
  }
}
