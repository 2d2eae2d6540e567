import { EventEmitter, once } from 'node:events';

/** Requests that wait until they are released or their client disconnects. */
class Polls {
  readonly waiting = new Set<() => void>();
  left = 0;
  /** Runs when the application shuts down, before waiting requests are answered. */
  onShutdown: () => void = () => undefined;
  private readonly watch = new EventEmitter();

  /** Resolves when the next poll has begun to wait. */
  arrival = () => once(this.watch, 'arrival');
  /** Resolves when the next client has disconnected. */
  departure = () => once(this.watch, 'departure');

  wait(disconnected: AbortSignal): Promise<object> {
    return new Promise((resolve) => {
      const answer = () => {
        this.waiting.delete(answer);
        resolve({ events: [] });
      };
      this.waiting.add(answer);
      disconnected.addEventListener('abort', () => {
        this.left += 1;
        answer();
        this.watch.emit('departure');
      });
      this.watch.emit('arrival');
    });
  }
}
export const polls = new Polls();
