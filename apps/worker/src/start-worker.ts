import { FeedJobsModule } from '@annals/feed';
import { FilesJobsModule } from '@annals/files';
import type { Kernel } from '@annals/kernel';
import { FileStoreModule, KernelModule } from '@annals/kernel';
import { MessagesJobsModule } from '@annals/messages';
import { JsonLog } from '@annals/web';
import type { DynamicModule, INestApplicationContext } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { fileStoreOf } from '../../shared/src/file-store';
import type { Settings } from '../../shared/src/settings';
import { ErasingModule } from './eraser';
import { Follower } from './follower';

type WorkerSettings = Pick<
  Settings,
  'ANNALS_DATA_DIR' | 'ANNALS_ERASURE_DAYS' | 'ANNALS_LOG_LEVEL' | 'ANNALS_QUEUE_DAYS'
>;

/** What follows the log and the clock: background read models, the translation into client events, counts, job queues. */
@Module({})
export class WorkerModule {
  static of(kernel: Kernel, settings: WorkerSettings): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        KernelModule.of(kernel),
        FileStoreModule.of(fileStoreOf(settings)),
        FeedJobsModule.keeping(settings.ANNALS_QUEUE_DAYS),
        ErasingModule.after(settings.ANNALS_ERASURE_DAYS),
        FilesJobsModule,
        MessagesJobsModule,
      ],
      providers: [Follower],
    };
  }
}

/**
 * Starts to work. Read models that are not live in the version of this code are built first, beside the live ones;
 * processes of the old version serve until the switch.
 */
export async function startWorker(
  kernel: Kernel,
  settings: WorkerSettings,
  log = new JsonLog(settings.ANNALS_LOG_LEVEL),
): Promise<INestApplicationContext> {
  await kernel.store.ensureLive(kernel.projections);
  const changed = await kernel.rebuild().upgrade();
  if (changed.length > 0) log.log({ msg: 'read models were built for this version', readModels: changed });
  const worker = await NestFactory.createApplicationContext(WorkerModule.of(kernel, settings), {
    logger: log,
    abortOnError: false,
  });
  return worker.enableShutdownHooks([], { useProcessExit: true });
}
