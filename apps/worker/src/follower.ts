import type { BackgroundRunner } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { Injectable } from '@nestjs/common';

/** Keeps the background read models of all contexts behind the log. */
@Injectable()
export class Follower implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private runner: BackgroundRunner | undefined;

  constructor(private readonly kernel: Kernel) {}

  async onApplicationBootstrap(): Promise<void> {
    this.runner = await this.kernel.follow();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.runner?.stop();
  }
}
