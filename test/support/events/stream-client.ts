import { createParser } from 'eventsource-parser';
import type { Caller, Params, WireEvent } from '../server/caller';

/** A part of a stream of server-sent events. */
export type StreamPart =
  | { readonly retry: number }
  | { readonly comment: string }
  | { readonly id: string | undefined; readonly type: string | undefined; readonly data: WireEvent };

/** One connection of a client of server-sent events. */
export class StreamClient {
  private readonly parts: AsyncGenerator<StreamPart, void>;

  private constructor(
    readonly response: Response,
    private readonly leaving: AbortController,
  ) {
    this.parts = partsOf(response);
  }

  /** @throws Error with the answer when the server refuses the stream */
  static async open(
    caller: Caller,
    params: Params,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<StreamClient> {
    const leaving = new AbortController();
    const response = await askForStream(caller, params, headers, leaving.signal);
    if (response.status !== 200) throw new Error(`refused with ${response.status}: ${await response.text()}`);
    return new StreamClient(response, leaving);
  }

  /** Null at the end of the stream. */
  async part(): Promise<StreamPart | null> {
    const { value, done } = await this.parts.next();
    return done ? null : value;
  }

  /** The next event, with its id and type left aside. Null at the end of the stream. */
  async event(): Promise<WireEvent | null> {
    for (;;) {
      const part = await this.part();
      if (part === null) return null;
      if ('data' in part) return part.data;
    }
  }

  async events(count: number): Promise<readonly WireEvent[]> {
    const events: WireEvent[] = [];
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

/** GET /events for a stream, with whatever answer. */
export function askForStream(
  caller: Caller,
  params: Params,
  headers: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
): Promise<Response> {
  const query = new URLSearchParams(
    Object.entries(params).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return caller.raw(`/events?${query.toString()}`, {
    headers: { accept: 'text/event-stream', ...headers },
    ...(signal && { signal }),
  });
}

async function* partsOf({ body }: Response): AsyncGenerator<StreamPart, void> {
  const parts: StreamPart[] = [];
  const parser = createParser({
    onEvent: ({ id, event, data }) => parts.push({ id, type: event, data: JSON.parse(data) as WireEvent }),
    onComment: (comment) => parts.push({ comment }),
    onRetry: (retry) => parts.push({ retry }),
  });
  const text = new TextDecoder();
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    parser.feed(text.decode(chunk, { stream: true }));
    yield* parts.splice(0);
  }
}
