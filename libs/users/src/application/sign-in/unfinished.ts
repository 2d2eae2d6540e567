import type { Work } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
import { PENDING_LOGINS, pendingLoginSecret } from '../two-factors/pending-logins';
import { MAILED_LINKS, mailedLinkSecret } from './mailed-tokens';

/**
 * Ends what somebody began for an account and did not finish: links in mails, and logins that wait for another step. Another password, other
 * keys, another email and a deactivation do this, so that nobody gets in with what is older. Each of them is an event of the account, which
 * finishing depends on.
 */
export function endUnfinished(work: Work, userId: UserId): void {
  const links = MAILED_LINKS.map((link) => mailedLinkSecret(link, userId));
  const logins = PENDING_LOGINS.map((kind) => pendingLoginSecret(kind, userId));
  for (const drop of [...links, ...logins]) work.secret({ drop });
}
