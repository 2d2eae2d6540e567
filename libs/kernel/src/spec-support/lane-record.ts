import { Client } from 'pg';

/** A statement as a lane sent it. */
export interface Sent {
  readonly text: string;
  /** Whether the process did something else between the answer that came last and this. */
  readonly idle: boolean;
}

type Query = (...args: unknown[]) => Promise<unknown>;

const clients = Client.prototype as unknown as { query: Query };

/**
 * Records what the lanes of this process send. Whoever waits for anything but an answer lets the event loop turn, which
 * shows in the next statement: what is sent because of an answer is sent before the loop turns.
 */
export class LaneRecord {
  private readonly sent: Sent[] = [];
  private unanswered = 0;
  private turned = false;

  private constructor(private readonly original: Query) {}

  static begin(): LaneRecord {
    const record = new LaneRecord(clients.query);
    clients.query = function (this: unknown, ...args: unknown[]) {
      return record.note(this, args);
    };
    return record;
  }

  end(): readonly Sent[] {
    clients.query = this.original;
    return this.sent;
  }

  private note(client: unknown, args: unknown[]): Promise<unknown> {
    const answer = this.original.apply(client, args);
    if (!(client as { pipeline: boolean }).pipeline) return answer;
    const [statement] = args as [string | { text: string }];
    const text = typeof statement === 'string' ? statement : statement.text;
    this.sent.push({ text, idle: this.unanswered === 0 && this.turned });
    this.unanswered += 1;
    const answered = () => {
      this.unanswered -= 1;
      this.turned = false;
      setImmediate(() => (this.turned = true));
    };
    answer.then(answered, answered);
    return answer;
  }
}
