import { setTimeout as pause } from 'node:timers/promises';
import { BuildInProgress, Kernel, Repeated, TwoVersionsLive } from '@annals/kernel';
import type { BeforeApplicationShutdown, LoggerService, OnApplicationBootstrap } from '@nestjs/common';
import { Injectable } from '@nestjs/common';

/** Interval in ms at which the worker checks whether the processes of another version have ended. */
const LOOK_MS = 2_000;

/**
 * Makes the read models of this code live, beside those of processes that have not been replaced yet. Waits while
 * another process does so, and while an earlier upgrade is in progress.
 */
export async function upgrade(kernel: Kernel, log: LoggerService): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      const changed = await kernel.rebuild().upgrade();
      if (changed.length > 0) log.log({ msg: 'read models were built for this version', readModels: changed });
      return;
    } catch (error) {
      if (!isOthers(error)) throw error;
      if (isFirst) log.warn({ msg: 'read models of this version have to wait', reason: error.message });
      await settle(kernel, log);
      await pause(LOOK_MS);
    }
  }
}

/** Ends what is live in two versions once all processes are of the same one. Any number of workers may do so. */
@Injectable()
export class Upgrades implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly looks: Repeated;

  constructor(kernel: Kernel) {
    const { log } = kernel.options;
    this.looks = new Repeated(LOOK_MS, () =>
      settle(kernel, { log: (message) => log.info(message), warn: (message) => log.warn(message) }),
    );
  }

  onApplicationBootstrap(): void {
    this.looks.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.looks.stop();
  }
}

/** Never rejects: what fails now is tried again with the next look. */
async function settle(kernel: Kernel, log: Pick<LoggerService, 'log' | 'warn'>): Promise<void> {
  try {
    const ended = await kernel.rebuild().settle();
    if (ended.length > 0) log.log({ msg: 'read models are live in one version again', readModels: ended });
  } catch (error) {
    if (!isOthers(error)) log.warn({ msg: 'an upgrade could not be ended; trying again', err: error as Error });
  }
}

/** Another process is at it, or has to go first. */
const isOthers = (error: unknown): error is Error =>
  error instanceof BuildInProgress || error instanceof TwoVersionsLive;
