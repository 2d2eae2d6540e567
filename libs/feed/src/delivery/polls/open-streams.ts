import type { RealmId } from '@annals/kernel/domain';
import type { ClientQueue } from '../../queues/client-queue';
import type { StreamEnd } from './poll';
import type { QueueStream } from './queue-stream';

/** The streams of one process, at most one for each queue. */
export class OpenStreams {
  private readonly streams = new Map<string, QueueStream>();
  private readonly realms = new Map<RealmId, number>();

  get count(): number {
    return this.streams.size;
  }

  get queues(): readonly ClientQueue[] {
    return [...this.streams.values()].map(({ queue }) => queue);
  }

  isOpenIn(realmId: RealmId): boolean {
    return this.realms.has(realmId);
  }

  /** The queue has no other stream here. */
  add(stream: QueueStream): void {
    const { id, realmId } = stream.queue;
    this.streams.set(id, stream);
    this.realms.set(realmId, (this.realms.get(realmId) ?? 0) + 1);
  }

  /** A stream has ended. */
  remove({ id, realmId }: ClientQueue): void {
    if (!this.streams.delete(id)) return;
    const others = (this.realms.get(realmId) ?? 0) - 1;
    if (others > 0) this.realms.set(realmId, others);
    else this.realms.delete(realmId);
  }

  /** Ends the stream of a queue, if it has one here. */
  end(queueId: string, reason: StreamEnd): void {
    this.streams.get(queueId)?.close(reason);
  }

  endAll(reason: StreamEnd): void {
    for (const stream of [...this.streams.values()]) stream.close(reason);
  }
}
