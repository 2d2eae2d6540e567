import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { FileStore } from './file-store';

/** Provides the file store to Nest, in every module. */
@Module({})
export class FileStoreModule {
  static of(store: FileStore): DynamicModule {
    return {
      module: FileStoreModule,
      global: true,
      providers: [{ provide: FileStore, useValue: store }],
      exports: [FileStore],
    };
  }
}
