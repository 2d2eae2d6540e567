import type { TransportEvents, WakeUpTransport } from './wake-ups';

/** For a process alone with its log: notices reach only itself. */
export class NoTransport implements WakeUpTransport {
  readonly pauseMs = 0;

  start(on: TransportEvents): void {
    setImmediate(() => on.connected());
  }

  listen(): Promise<void> {
    return Promise.resolve();
  }

  unlisten(): void {
    // Nothing was listened to.
  }

  send(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
