import type { BackgroundRunner } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import { dueJobs } from '@annals/scheduling';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { Injectable } from '@nestjs/common';

/** Keeps the background read models of all contexts behind the log, and whoever else only reads it. */
@Injectable()
export class Follower implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private runner: BackgroundRunner | undefined;

  constructor(private readonly kernel: Kernel) {}

  async onApplicationBootstrap(): Promise<void> {
    this.runner = await this.kernel.follow([dueJobs(this.kernel)]);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.runner?.stop();
  }
}
