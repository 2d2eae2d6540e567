import type { ChannelId, GroupId, Instant, Role } from '@annals/kernel/domain';
import { ROLES, t } from '@annals/kernel/domain';
import { BooleanParam, IntegerParam, IntegersParam, JsonParam, PathId, TextParam } from '@annals/web';
import type { InvitationId } from '../domain/events';
import type { Invitee } from '../domain/invitation';
import type { InvitationOffer } from '../domain/offer';

const MINUTE_MS = 60_000;
/** Ten days. */
const DEFAULT_MINUTES = 14_400;
/** A hundred years. */
const MAX_MINUTES = 52_560_000;

/** What both kinds of invitations give. */
class OfferParams {
  @IntegerParam({ nullable: true, min: 1, max: MAX_MINUTES, about: 'Null for an invitation that does not expire.' })
  invite_expires_in_minutes: number | null = DEFAULT_MINUTES;
  @JsonParam(t.Union(ROLES.map((role) => t.Literal(role)))) invite_as: Role = 400;
  @IntegersParam({ min: 1, maxItems: 1_000 }) group_ids: readonly GroupId[] = [];
  @BooleanParam() include_realm_default_subscriptions = false;
  @TextParam({ optional: true, max: 8_000, about: 'Administrators only. Instead of the text of the organization.' })
  welcome_message_custom_text?: string;
}

export class InvitePeopleParams extends OfferParams {
  @TextParam({ about: 'Addresses, separated by commas or newlines: `ann@example.com` or `Ann <ann@example.com>`.' })
  invitee_emails: string;
  @IntegersParam({ min: 1, maxItems: 1_000 }) stream_ids: readonly ChannelId[];
  @BooleanParam() notify_referrer_on_join = true;
}

export class CreateLinkParams extends OfferParams {
  @IntegersParam({ min: 1, maxItems: 1_000 }) stream_ids: readonly ChannelId[] = [];
}

export class InvitationParams {
  @PathId() invite_id: InvitationId;
}

/** @param now of the request */
export function toOffer(params: InvitePeopleParams | CreateLinkParams, now: Instant): InvitationOffer {
  const { invite_expires_in_minutes: minutes } = params;
  return {
    role: params.invite_as,
    channelIds: [...new Set(params.stream_ids)],
    groupIds: [...new Set(params.group_ids)],
    withDefaultChannels: params.include_realm_default_subscriptions,
    welcomeText: params.welcome_message_custom_text ?? null,
    expiresAt: minutes === null ? null : ((now + minutes * MINUTE_MS) as Instant),
  };
}

/** Longest name of an account, in characters. */
const MAX_NAME = 100;
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u;

/** The people of a request, each address once in its first spelling. */
export function toInvitees({ invitee_emails: text }: Pick<InvitePeopleParams, 'invitee_emails'>): Invitee[] {
  const byEmail = new Map<string, Invitee>();
  for (const part of text.split(/[,\n]/)) {
    const invitee = inviteeIn(part.trim());
    if (invitee.email === '' || byEmail.has(invitee.email.toLowerCase())) continue;
    byEmail.set(invitee.email.toLowerCase(), invitee);
  }
  return [...byEmail.values()];
}

/** `ann@example.com` or `Ann <ann@example.com>`. A name that no account can have is left out. */
function inviteeIn(part: string): Invitee {
  const open = part.indexOf('<');
  if (open < 0 || !part.endsWith('>')) return { email: part, fullName: null };
  const name = part.slice(0, open).trim();
  const isPossible = name !== '' && [...name].length <= MAX_NAME && !UNPRINTABLE.test(name);
  return { email: part.slice(open + 1, -1).trim(), fullName: isPossible ? name : null };
}
