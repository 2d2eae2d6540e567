import { SynchronizedDrafts } from '@annals/users';
import { Global, Module } from '@nestjs/common';
import { DiscardedDrafts } from './application/discarded-drafts';

/** Global, because accounts tell it which users do not synchronize their drafts any more. */
@Global()
@Module({
  providers: [{ provide: SynchronizedDrafts, useClass: DiscardedDrafts }],
  exports: [SynchronizedDrafts],
})
export class PersonalModule {}
