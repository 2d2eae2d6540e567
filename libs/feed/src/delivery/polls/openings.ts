/** Requests for events of one queue that are about to begin. */
export interface Opening {
  requests: number;
  /** The queue was deleted since the first of them arrived. */
  isDeleted: boolean;
}

/** Requests that have not found their queue yet. One that found it just before its deletion would wait for nothing. */
export class Openings {
  private readonly queues = new Map<string, Opening>();

  /** @param open finds the queue, and lets the request wait for events */
  async run<Result>(queueId: string, open: (opening: Opening) => Promise<Result>): Promise<Result> {
    const opening = this.queues.get(queueId) ?? { requests: 0, isDeleted: false };
    this.queues.set(queueId, opening);
    opening.requests += 1;
    try {
      return await open(opening);
    } finally {
      opening.requests -= 1;
      if (opening.requests === 0) this.queues.delete(queueId);
    }
  }

  /** A queue was deleted. */
  deleted(queueId: string): void {
    const opening = this.queues.get(queueId);
    if (opening) opening.isDeleted = true;
  }
}
