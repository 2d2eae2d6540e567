import { Eraser, Kernel } from '@annals/kernel';
import type { BeforeApplicationShutdown, DynamicModule, OnApplicationBootstrap } from '@nestjs/common';
import { Module } from '@nestjs/common';

/** Forgets for good what was deleted long enough ago. */
@Module({})
export class ErasingModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(private readonly eraser: Eraser) {}

  /** @param graceDays how long what was deleted stays in the log (`ANNALS_ERASURE_DAYS`) */
  static after(graceDays: number): DynamicModule {
    const eraser = { provide: Eraser, inject: [Kernel], useFactory: (kernel: Kernel) => new Eraser(kernel, graceDays) };
    return { module: ErasingModule, providers: [eraser] };
  }

  onApplicationBootstrap(): void {
    this.eraser.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.eraser.stop();
  }
}
