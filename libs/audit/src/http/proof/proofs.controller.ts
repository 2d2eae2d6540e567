import type { Actor } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import { By, Endpoint, IntegerParam, Params } from '@annals/web';
import { Controller } from '@nestjs/common';
import { SignedTree } from '../../read/signed-tree';
import { Auditing } from '../../read/auditing';

class InclusionParams {
  @IntegerParam({ min: 1, about: 'Position of the event.' }) position: number;
  @IntegerParam({ optional: true, min: 1, about: 'Size of the tree. Default: that of the newest checkpoint.' })
  size?: number;
}

class ConsistencyParams {
  @IntegerParam({ min: 1, about: 'The smaller size.' }) from: number;
  @IntegerParam({ optional: true, min: 1, about: 'The greater size. Default: that of the newest checkpoint.' })
  to?: number;
}

const hashes = t.Array(t.String({ description: 'SHA-256, base64.' }));
const base64 = (buffers: readonly Buffer[]): string[] => buffers.map((buffer) => buffer.toString('base64'));

@Controller()
export class ProofsController {
  constructor(
    private readonly tree: SignedTree,
    private readonly auditors: Auditing,
  ) {}

  /** contract/audit.md section 5 */
  @Endpoint('GET', 'audit/proofs/inclusion', {
    audience: 'anyone',
    section: 'audit 5',
    summary: 'Proof that an event is in the log (RFC 6962)',
    returns: t.Object({
      leaf_index: t.Integer(),
      size: t.Integer(),
      hashes,
      event: t.String({ description: 'The bytes that were hashed, base64. What people wrote is not among them.' }),
    }),
  })
  async inclusion(@By() by: Actor, @Params(InclusionParams) { position, size }: InclusionParams) {
    await this.auditors.ensure(by);
    const proof = await this.tree.inclusion(by.realmId, position, size);
    const { leafIndex: leaf_index, event } = proof;
    return { leaf_index, size: proof.size, hashes: base64(proof.hashes), event: event.toString('base64') };
  }

  /** contract/audit.md section 5 */
  @Endpoint('GET', 'audit/proofs/consistency', {
    audience: 'anyone',
    section: 'audit 5',
    summary: 'Proof that the log of one size begins with that of another (RFC 6962)',
    returns: t.Object({ from: t.Integer(), to: t.Integer(), hashes }),
  })
  async consistency(@By() by: Actor, @Params(ConsistencyParams) { from, to }: ConsistencyParams) {
    await this.auditors.ensure(by);
    const proof = await this.tree.consistency(by.realmId, from, to);
    return { from: proof.from, to: proof.to, hashes: base64(proof.hashes) };
  }
}
