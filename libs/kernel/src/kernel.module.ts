import type { DynamicModule, OnApplicationShutdown } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Kernel } from './kernel';
import { UnitOfWork } from './work/unit-of-work';

/** Makes an opened kernel known to Nest, in every module, and closes it as the last thing of the application. */
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
      ],
      exports: [Kernel, UnitOfWork, CqrsModule],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.kernel.close();
  }
}
