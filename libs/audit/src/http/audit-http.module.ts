import { ChannelsModule } from '@annals/channels';
import { GroupsModule } from '@annals/groups';
import { MessagesModule } from '@annals/messages';
import { OnboardingModule } from '@annals/onboarding';
import { AuditedReadings } from '@annals/realm';
import { Global, Module } from '@nestjs/common';
import { ReadLife } from '../application/read-life';
import { ReadTrail } from '../application/read-trail';
import { RecordedReadings } from '../application/recorded-readings';
import { AuditReads } from '../application/audit-reads';
import { UndoActHandler } from '../application/undo-act';
import { Undoers } from '../application/undoers';
import { Auditing } from '../read/auditing';
import { LifePages } from '../read/life/life-pages';
import { Things } from '../read/life/things';
import { TrailEntries } from '../read/trail/trail-entries';
import { TrailPages } from '../read/trail/trail-pages';
import { LifeController } from './life/life.controller';
import { PositionsController } from './positions.controller';
import { ProofHttpModule } from './proof/proof-http.module';
import { TrailController } from './trail/trail.controller';
import { TypesController } from './trail/types.controller';
import { UndoController } from './undo/undo.controller';

/** The history of the organization, asked through HTTP (contract/audit.md). Global, because it records reads of other contexts. */
@Global()
@Module({
  imports: [GroupsModule, ChannelsModule, MessagesModule, OnboardingModule, ProofHttpModule],
  controllers: [PositionsController, TypesController, TrailController, LifeController, UndoController],
  providers: [
    Auditing,
    TrailEntries,
    TrailPages,
    AuditReads,
    ReadTrail,
    Things,
    LifePages,
    ReadLife,
    Undoers,
    UndoActHandler,
    { provide: AuditedReadings, useClass: RecordedReadings },
  ],
  exports: [AuditedReadings],
})
export class AuditHttpModule {}
