import { Kernel } from '@annals/kernel';
import { RealmFacts, ServerAddress } from '@annals/realm';
import type { BeforeApplicationShutdown, DynamicModule, OnApplicationBootstrap } from '@nestjs/common';
import { Module } from '@nestjs/common';
import type { KeyStore } from '../application/key-store';
import type { Witness } from '../application/witness-client';
import { CheckpointSigner } from './checkpoint-signer';
import { WitnessSender } from './witness-sender';

/** What a worker needs to prove the logs. */
export class ProofOptions {
  /** @param isStarted false: nothing is signed before `sweep()` is called. For specs, so that all events are their own */
  constructor(
    readonly keys: KeyStore,
    readonly witnesses: readonly Witness[],
    readonly isStarted = true,
  ) {}
}

/** Signs the logs, and has the checkpoints witnessed. */
@Module({})
export class AuditJobsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly signer: CheckpointSigner,
    private readonly sender: WitnessSender,
    private readonly options: ProofOptions,
  ) {}

  static proving(options: ProofOptions): DynamicModule {
    const { keys, witnesses } = options;
    return {
      module: AuditJobsModule,
      providers: [
        { provide: ProofOptions, useValue: options },
        {
          provide: CheckpointSigner,
          inject: [Kernel, RealmFacts, ServerAddress],
          useFactory: (kernel: Kernel, realms: RealmFacts, address: ServerAddress) =>
            new CheckpointSigner(kernel, keys, realms, address),
        },
        {
          provide: WitnessSender,
          inject: [Kernel],
          useFactory: (kernel: Kernel) => new WitnessSender(kernel, witnesses),
        },
      ],
      exports: [CheckpointSigner, WitnessSender],
    };
  }

  onApplicationBootstrap(): void {
    if (!this.options.isStarted) return;
    this.signer.start();
    this.sender.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.signer.stop(), this.sender.stop()]);
  }
}
