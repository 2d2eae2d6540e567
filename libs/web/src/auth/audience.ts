import type { Actor } from '@annals/kernel/domain';
import { isAdministrator, isBot, isGuest, isOwner, rejection } from '@annals/kernel/domain';

/**
 * The callers who may use an endpoint at all (contract/conventions.md section 4):
 *
 * - `public`: everybody, without a login. An Authorization header is ignored.
 * - `public-access`: like `anyone`, but without a login the refusal is UNAUTHENTICATED_USER.
 * - `anyone`: every account.
 * - `members`: no guests. `humans`: no bots. `human-members`: neither. `bots`: nobody else.
 * - `webhooks`: incoming webhook bots, with their key as `api_key` in the query string instead of a login.
 * - `administrators`: also owners. `owners`.
 * - `provisioning`: programs with a token of the organization, as a bearer token, instead of an account.
 * - `session`: people who have logged in with a browser. For pages only.
 */
export type EndpointAudience =
  | 'public'
  | 'public-access'
  | 'anyone'
  | 'members'
  | 'humans'
  | 'human-members'
  | 'bots'
  | 'webhooks'
  | 'administrators'
  | 'owners'
  | 'provisioning'
  | 'session';

/** The audiences of accounts. */
export type AccountAudience = Exclude<EndpointAudience, 'public' | 'provisioning'>;

const INCOMING_WEBHOOK = 2;

const reject = {
  webhookBot: rejection('UNAUTHORIZED', 'This API is not available to incoming webhook bots.'),
  guest: rejection('BAD_REQUEST', 'Not allowed for guest users'),
  bot: rejection('BAD_REQUEST', 'This endpoint does not accept bot requests.'),
  notWebhookBot: rejection('UNAUTHORIZED', 'This API is available to incoming webhook bots only.'),
  human: rejection('BAD_REQUEST', 'This endpoint is for bots only.'),
  administratorNeeded: rejection('UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator'),
  ownerNeeded: rejection('UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner', { onPages: 'ownerNeeded' }),
};

/**
 * Admits the account to an endpoint, or refuses it.
 *
 * @param webhookBots whether incoming-webhook bots may use the endpoint. They may only send messages
 * @throws Rejected with the code of conventions.md sections 3 and 4
 */
export function admit(actor: Pick<Actor, 'role' | 'botType'>, audience: AccountAudience, webhookBots: boolean): void {
  if (audience === 'webhooks') {
    if (actor.botType !== INCOMING_WEBHOOK) throw reject.notWebhookBot();
    return;
  }
  if (actor.botType === INCOMING_WEBHOOK && !webhookBots) throw reject.webhookBot();
  switch (audience) {
    case 'anyone':
    case 'public-access':
      return;
    case 'members':
      if (isGuest(actor)) throw reject.guest();
      return;
    case 'humans':
    case 'session':
      if (isBot(actor)) throw reject.bot();
      return;
    case 'human-members':
      if (isGuest(actor)) throw reject.guest();
      if (isBot(actor)) throw reject.bot();
      return;
    case 'bots':
      if (!isBot(actor)) throw reject.human();
      return;
    case 'administrators':
      if (!isAdministrator(actor)) throw reject.administratorNeeded();
      return;
    case 'owners':
      if (!isOwner(actor)) throw reject.ownerNeeded();
      return;
  }
}
