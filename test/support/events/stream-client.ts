import { createParser } from 'eventsource-parser';
import type { Caller, Params, WireEvent } from '../server/caller';

/** A part of a stream of server-sent events. */
export type StreamPart<Event = WireEvent> =
  | { readonly retry: number }
  | { readonly comment: string }
  | { readonly id: string | undefined; readonly type: string | undefined; readonly data: Event };

/** One connection of a client of server-sent events. */
export class StreamClient<Event = WireEvent> {
  private readonly parts: AsyncGenerator<StreamPart<Event>, void>;

  private constructor(
    readonly response: Response,
    private readonly leaving: AbortController,
  ) {
    this.parts = partsOf(response);
  }

  /** Of GET /events. @throws Error with the answer when the server refuses the stream */
  static open(caller: Caller, params: Params, headers: Headers = {}): Promise<StreamClient> {
    return StreamClient.openAt('/events', caller, params, headers);
  }

  /** Of any endpoint. @throws Error with the answer when the server refuses the stream */
  static async openAt<Event>(
    path: string,
    caller: Caller,
    params: Params,
    headers: Headers = {},
  ): Promise<StreamClient<Event>> {
    const leaving = new AbortController();
    const response = await askForStreamAt(path, caller, params, headers, leaving.signal);
    if (response.status !== 200) throw new Error(`refused with ${response.status}: ${await response.text()}`);
    return new StreamClient<Event>(response, leaving);
  }

  /** Null at the end of the stream. */
  async part(): Promise<StreamPart<Event> | null> {
    const { value, done } = await this.parts.next();
    return done ? null : value;
  }

  /** The next event, with its id and type left aside. Null at the end of the stream. */
  async event(): Promise<Event | null> {
    for (;;) {
      const part = await this.part();
      if (part === null) return null;
      if ('data' in part) return part.data;
    }
  }

  async events(count: number): Promise<readonly Event[]> {
    const events: Event[] = [];
    while (events.length < count) {
      const event = await this.event();
      if (!event) throw new Error(`the stream has ended after ${events.length} events`);
      events.push(event);
    }
    return events;
  }

  /** Disconnects. */
  close(): void {
    this.leaving.abort();
  }
}

type Headers = Readonly<Record<string, string>>;

/** GET /events for a stream, with whatever answer. */
export const askForStream = (caller: Caller, params: Params, headers: Headers = {}): Promise<Response> =>
  askForStreamAt('/events', caller, params, headers);

/** GET of any path for a stream, with whatever answer. */
export function askForStreamAt(
  path: string,
  caller: Caller,
  params: Params,
  headers: Headers = {},
  signal?: AbortSignal,
): Promise<Response> {
  const query = new URLSearchParams(
    Object.entries(params).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return caller.raw(`${path}?${query.toString()}`, {
    headers: { accept: 'text/event-stream', ...headers },
    ...(signal && { signal }),
  });
}

async function* partsOf<Event>({ body }: Response): AsyncGenerator<StreamPart<Event>, void> {
  const parts: StreamPart<Event>[] = [];
  const parser = createParser({
    onEvent: ({ id, event, data }) => parts.push({ id, type: event, data: JSON.parse(data) as Event }),
    onComment: (comment) => parts.push({ comment }),
    onRetry: (retry) => parts.push({ retry }),
  });
  const text = new TextDecoder();
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    parser.feed(text.decode(chunk, { stream: true }));
    yield* parts.splice(0);
  }
}
