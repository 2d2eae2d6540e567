import { Client } from 'pg';
import { PipelinedBatch } from '../log/statements/pipelined-batch';

/** A statement as a lane sent it. */
export interface Sent {
  readonly text: string;
  /** Statements of one number were sent together. */
  readonly batch: number;
  /** Whether the process did other work between the last answer and this statement. */
  readonly idle: boolean;
}

type Query = (this: unknown, ...args: unknown[]) => unknown;

const clients = Client.prototype as unknown as { query: Query };

/**
 * Records what the lanes of this process send. A statement that is sent because of an answer is sent before the event
 * loop turns. If the process waits for anything else, the loop turns, and the next statement shows it.
 */
export class LaneRecord {
  private readonly sent: Sent[] = [];
  private batches = 0;
  private unanswered = 0;
  private turned = false;

  private constructor(private readonly original: Query) {}

  static begin(): LaneRecord {
    const record = new LaneRecord(clients.query);
    clients.query = function (...args) {
      if (args[0] instanceof PipelinedBatch) record.note(args[0]);
      return record.original.apply(this, args);
    };
    return record;
  }

  /** Whether an answer is missing. */
  get underWay(): boolean {
    return this.unanswered > 0;
  }

  end(): readonly Sent[] {
    clients.query = this.original;
    return this.sent;
  }

  private note({ statements, answers }: PipelinedBatch): void {
    const idle = this.unanswered === 0 && this.turned;
    const batch = ++this.batches;
    this.sent.push(...statements.map(({ text }) => ({ text, batch, idle })));
    this.unanswered += 1;
    const answered = () => {
      this.unanswered -= 1;
      this.turned = false;
      setImmediate(() => (this.turned = true));
    };
    answers.then(answered, answered);
  }
}
