import type { RealmId } from '@annals/kernel/domain';
import { ROLES, nullable, t, unixSeconds, userId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { JoinAddresses } from '../application/join-addresses';
import { JoinTokens } from '../application/tokens';
import type { InvitationRow } from '../read/invitation-rows';

const common = {
  id: t.Integer(),
  invited_by_user_id: userId,
  invited: t.Integer({ description: 'UNIX seconds.' }),
  expiry_date: nullable(t.Integer({ description: 'UNIX seconds.' })),
  invited_as: t.Union(ROLES.map((role) => t.Literal(role))),
};

/** An invitation as clients see it. */
export const invitationShape = t.Union(
  [
    t.Object({
      ...common,
      is_multiuse: t.Literal(false),
      email: t.String(),
      notify_referrer_on_join: t.Boolean(),
    }),
    t.Object({ ...common, is_multiuse: t.Literal(true), link_url: t.String() }),
  ],
  { $id: 'Invitation' },
);

/** Presents invitations, with the addresses of their links. */
@Injectable()
export class InvitationPresenter {
  constructor(
    private readonly tokens: JoinTokens,
    private readonly addresses: JoinAddresses,
  ) {}

  async present(realmId: RealmId, rows: readonly InvitationRow[]) {
    const links = rows.filter(({ isLink }) => isLink).map(({ id }) => id);
    const tokens = await this.tokens.tokensOf(realmId, 'invitation', links);
    const presented = [];
    for (const row of rows) {
      const token = tokens.get(row.id);
      const common = commonOf(row);
      if (!row.isLink && row.email !== null) {
        const { email, notifiesInviter: notify_referrer_on_join } = row;
        presented.push({ ...common, is_multiuse: false as const, email, notify_referrer_on_join });
      } else if (token !== undefined) {
        const link_url = await this.addresses.invitation(realmId, token);
        presented.push({ ...common, is_multiuse: true as const, link_url });
      }
    }
    return presented;
  }
}

const commonOf = ({ id, inviterId, invitedAt, expiresAt, role }: InvitationRow) => ({
  id,
  invited_by_user_id: inviterId,
  invited: unixSeconds(invitedAt),
  expiry_date: expiresAt === null ? null : unixSeconds(expiresAt),
  invited_as: role,
});
