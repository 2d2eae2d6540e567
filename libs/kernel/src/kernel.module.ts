import type { DynamicModule, OnApplicationShutdown } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Kernel } from './kernel';
import { EventTrail } from './log/trail/event-trail';
import { Moments } from './log/moments';
import { Past } from './past/past';
import { UnitOfWork } from './work/unit-of-work';

/** Provides an opened kernel to Nest, in every module, and closes it after everything else of the application. */
@Module({})
export class KernelModule implements OnApplicationShutdown {
  constructor(private readonly kernel: Kernel) {}

  static of(kernel: Kernel): DynamicModule {
    return {
      module: KernelModule,
      global: true,
      imports: [CqrsModule.forRoot()],
      providers: [
        { provide: Kernel, useValue: kernel },
        { provide: UnitOfWork, useValue: kernel.work },
        { provide: Moments, useValue: new Moments(kernel) },
        { provide: Past, useValue: new Past(kernel) },
        { provide: EventTrail, useValue: new EventTrail(kernel) },
      ],
      exports: [Kernel, UnitOfWork, Moments, Past, EventTrail, CqrsModule],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.kernel.close();
  }
}
