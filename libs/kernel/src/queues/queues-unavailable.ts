/** The store of the queues is unavailable, so nothing can be read from it. */
export class QueuesUnavailable extends Error {
  override readonly name = 'QueuesUnavailable';

  constructor(options?: ErrorOptions) {
    super('the store of the job queues cannot be reached', options);
  }
}
