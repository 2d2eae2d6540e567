import { ChannelsModule } from '@annals/channels';
import { VerifierKeys } from '@annals/realm';
import { Global, Module } from '@nestjs/common';
import { Auditing } from '../../read/auditing';
import { SigningKeyFacts } from '../../read/signing-keys';
import { SignedTree } from '../../read/signed-tree';
import { CheckpointsController } from './checkpoints.controller';
import { ProofsController } from './proofs.controller';
import { TilesController } from './tiles.controller';

/** Checkpoints, proofs and tiles (contract/audit.md section 5), and the verifier key for every module. */
@Global()
@Module({
  imports: [ChannelsModule],
  controllers: [CheckpointsController, ProofsController, TilesController],
  providers: [Auditing, SignedTree, { provide: VerifierKeys, useClass: SigningKeyFacts }],
  exports: [VerifierKeys],
})
export class ProofHttpModule {}
