import type { Answer, Caller, Params } from '../server/caller';
import { granted } from '../server/caller';

/** An event as consumers get it, as far as specs look at it. */
export interface PulledEvent {
  readonly id: string;
  readonly type: string;
  readonly subject?: string;
  readonly sequence: string;
  readonly partitionkey: string;
  readonly dataschema: string;
  readonly annalswords?: string;
  readonly data: unknown;
}

/** The answer to a worker. */
export interface Pulled {
  readonly events: readonly PulledEvent[];
  readonly cursor: string;
  readonly head: number;
}

/** A consumer and its owner, over HTTP. */
export class ConsumerCaller {
  constructor(
    readonly owner: Caller,
    readonly name: string,
  ) {}

  private get path(): string {
    return `/feed/consumers/${this.name}`;
  }

  /** Creates a consumer from the newest position on, of everything that its owner may get. */
  static async created(owner: Caller, name: string, wanted: Params = {}): Promise<ConsumerCaller> {
    granted(await owner.post('/feed/consumers', { name, view: 'domain', ...wanted }));
    return new ConsumerCaller(owner, name);
  }

  ask(asked: Params = {}): Promise<Answer<Pulled>> {
    return this.owner.get<Pulled>(`${this.path}/events`, asked);
  }

  async pull(asked: Params = {}): Promise<readonly PulledEvent[]> {
    return granted(await this.ask(asked)).events;
  }

  /** Ids of the next events. */
  async ids(asked: Params = {}): Promise<string[]> {
    return (await this.pull(asked)).map(({ id }) => id);
  }

  ack(asked: Params): Promise<Answer<{ acknowledged: number }>> {
    return this.owner.post(`${this.path}/ack`, asked);
  }

  nack(id: string, action: string, asked: Params = {}): Promise<Answer> {
    return this.owner.post(`${this.path}/nack`, { id, action, ...asked });
  }

  async parked(): Promise<readonly { id: string; event: PulledEvent | null; attempts: number; at: string }[]> {
    const answer = await this.owner.get<{ parked: { id: string; event: null; attempts: number; at: string }[] }>(
      `${this.path}/parked`,
    );
    return granted(answer).parked;
  }

  parkedAct(act: 'replay' | 'skip', asked: Params): Promise<Answer> {
    return this.owner.post(`${this.path}/parked/${act}`, asked);
  }

  change(wanted: Params): Promise<Answer> {
    return this.owner.patch(this.path, wanted);
  }

  rewind(to: string): Promise<Answer> {
    return this.owner.post(`${this.path}/rewind`, { to });
  }

  async shown(): Promise<Record<string, unknown>> {
    return granted(await this.owner.get<{ consumer: Record<string, unknown> }>(this.path)).consumer;
  }
}
