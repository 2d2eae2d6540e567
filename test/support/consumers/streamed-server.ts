import { ConsumerStreams } from '@annals/consumers';
import { StreamClient } from '../events/stream-client';
import type { Params } from '../server/caller';
import { granted } from '../server/caller';
import type { Person } from '../server/organization';
import type { ServerWithUsers } from '../server/start-with-users';
import { startWithUsers } from '../server/start-with-users';
import type { PulledEvent } from './consumer-caller';
import { ConsumerCaller } from './consumer-caller';

/** Topics that exist, so that a message to them is one event. */
export const TOPICS = ['a', 'b', 'c'] as const;

/** What a stream sends last. */
export const ended = (reason: string) => ({ type: 'end', reason });

/** The end of a stream. Events may be before it. */
export async function endOf(stream: StreamClient<PulledEvent>): Promise<unknown> {
  for (;;) {
    const event = await stream.event();
    if (event === null || event.type === 'end') return event;
  }
}

/** The ids of the next events of a stream. */
export const idsOf = async (stream: StreamClient<PulledEvent>, count: number): Promise<string[]> =>
  (await stream.events(count)).map(({ id }) => id);

export const pathOf = ({ name }: ConsumerCaller): string => `/feed/consumers/${name}/events`;

/** Two API processes whose consumers are streamed. */
export class StreamedServer {
  private readonly names: string[] = [];

  private constructor(readonly users: ServerWithUsers) {}

  static async start(): Promise<StreamedServer> {
    const streamed = new StreamedServer(await startWithUsers({ apis: 2 }));
    await streamed.users.server.channel(streamed.owner, { name: 'room', subscribers: [streamed.owner] });
    for (const topic of TOPICS) await streamed.send(topic);
    return streamed;
  }

  get owner(): Person {
    return this.users.owner;
  }

  /** A new consumer of messages from now on. */
  consumer(by = this.owner): Promise<ConsumerCaller> {
    const name = `streamed-${this.names.length}`;
    this.names.push(name);
    return ConsumerCaller.created(by, name, { types: ['messages.MessageSent'] });
  }

  async deleteConsumers(): Promise<void> {
    for (const name of this.names.splice(0)) await this.owner.delete(`/feed/consumers/${name}`);
  }

  /** Sends a message. @returns the id of its event */
  async send(topic: string): Promise<string> {
    const message = { type: 'channel', to: 'room', topic, content: 'x' };
    return `1/${granted(await this.owner.post<{ id: number }>('/messages', message)).id}`;
  }

  /** @param last the id that the client received last @param api the process that answers */
  open(it: ConsumerCaller, params: Params = {}, last?: string, api = 0): Promise<StreamClient<PulledEvent>> {
    const caller = it.owner.at(this.users.server.apis[api]?.url ?? '');
    return StreamClient.openAt(pathOf(it), caller, params, last === undefined ? {} : { 'last-event-id': last });
  }

  streams(api = 0): ConsumerStreams {
    const found = this.users.server.apis[api]?.app.get(ConsumerStreams, { strict: false });
    if (!found) throw new Error('no such api');
    return found;
  }

  /** Resolves when so many streams are open in a process. */
  opened(count: number, api = 0): Promise<void> {
    return until(() => this.streams(api).count === count);
  }

  /** Resolves when so many events of a consumer are leased. */
  inFlight(it: ConsumerCaller, count: number): Promise<void> {
    return until(async () => (await it.shown())['in_flight'] === count);
  }

  /** Time passes while the streams live. */
  async pass(seconds: number): Promise<void> {
    for (let passed = 0; passed < seconds; passed += 20) {
      this.users.server.clock.advance(20_000);
      await Promise.all([this.streams(0).tick(), this.streams(1).tick()]);
    }
  }

  close(): Promise<void> {
    return this.users.server.close();
  }
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; !(await isSo()); turn++) {
    if (turn > 100_000) throw new Error('it has not happened');
    await new Promise((resolve) => setImmediate(resolve));
  }
}
