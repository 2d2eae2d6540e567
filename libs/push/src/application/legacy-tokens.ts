import { createHash } from 'node:crypto';
import { Kernel, UnitOfWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { PushToken } from '../domain/devices';
import { addLegacyToken, devicesAggregate, removeLegacyToken } from '../domain/devices';
import type { LegacyTokenId, TokenKind } from '../domain/events';
import { legacySecret } from '../read/devices';

/** A token as an older app sends it. Never logged. */
export interface GivenToken {
  readonly kind: TokenKind;
  readonly token: string;
}

/** Identifies the token where it must not be written itself (contract/push.md section 2, `token_id`). */
export const tokenOf = ({ kind, token }: GivenToken): PushToken => ({
  kind,
  id: createHash('sha256').update(token).digest().subarray(0, 8).toString('base64'),
});

/** contract/push.md section 5 */
export class AddLegacyToken extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly given: GivenToken & { readonly appId: string | null },
  ) {
    super();
  }
}

@CommandHandler(AddLegacyToken)
export class AddLegacyTokenHandler implements ICommandHandler<AddLegacyToken> {
  constructor(
    private readonly kernel: Kernel,
    private readonly work: UnitOfWork,
  ) {}

  async execute({ by, given }: AddLegacyToken): Promise<void> {
    const { realmId, userId } = by;
    const id = (await this.kernel.ids.next(realmId, 'legacy-push-token')) as LegacyTokenId;
    const token = { ...tokenOf(given), appId: given.appId };
    await this.work.run(by, async (work) => {
      const facts = await work.decide(devicesAggregate, userId, (state) => addLegacyToken(state, userId, token, id));
      if (facts.length === 0) return;
      work.secret({ put: legacySecret(id), kind: 'legacy-push-token', value: Buffer.from(given.token) });
    });
  }
}

/** contract/push.md section 5 */
export class RemoveLegacyToken extends Command<void> {
  constructor(
    readonly by: Actor,
    readonly given: GivenToken,
  ) {
    super();
  }
}

@CommandHandler(RemoveLegacyToken)
export class RemoveLegacyTokenHandler implements ICommandHandler<RemoveLegacyToken> {
  constructor(private readonly work: UnitOfWork) {}

  async execute({ by, given }: RemoveLegacyToken): Promise<void> {
    const { userId } = by;
    const token = tokenOf(given);
    await this.work.run(by, async (work) => {
      const facts = await work.decide(devicesAggregate, userId, (state) => removeLegacyToken(state, userId, token));
      for (const { data } of facts)
        if ('legacyTokenId' in data) work.secret({ drop: legacySecret(data.legacyTokenId) });
    });
  }
}
