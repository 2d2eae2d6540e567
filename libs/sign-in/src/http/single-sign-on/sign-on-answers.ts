import { channelQuestion } from '@annals/invitations/http';
import type { Bytes, PageVisit, Problem } from '@annals/web';
import { SESSION_COOKIE, button, field, html, problemNotice } from '@annals/web';
import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { begun } from '../pages/login-answers';
import type { RealmId } from '@annals/kernel/domain';
import { FLOW_MS } from '../../application/single-sign-on/flows';
import type { Unknown } from '../../application/single-sign-on/finish-sign-on';
import { FinishSignOn } from '../../application/single-sign-on/finish-sign-on';
import type { Granted } from '../../application/single-sign-on/sign-on-grants';
import type { SignOnTarget, ProvenPerson } from '../../domain/single-sign-on/flow';

/** The cookie of a login under way at another system. */
export const FLOW_COOKIE = 'annals_sign_on';
/** Seconds that such a cookie is stored. */
export const FLOW_SECONDS = FLOW_MS / 1000;
/** The cookie of somebody who is asked whether they want an account. */
export const JOINING_COOKIE = 'annals_joining';
export const JOINING_PAGE = '/accounts/sign-on/join';
const JOINING_SECONDS = 60 * 60;

/** A proved person, and where they go. */
export interface ProvenArrival {
  readonly person: ProvenPerson;
  readonly to: SignOnTarget;
}

/** Finishes logins of pages: with a session, with a link to an app, or with a question. */
@Injectable()
export class SignOnAnswers {
  constructor(private readonly commands: CommandBus) {}

  /** Logs the person in. @throws Rejected when they may not */
  async finish(realmId: RealmId, visit: PageVisit, { person, to }: ProvenArrival): Promise<Bytes> {
    const former = visit.cookies.get(SESSION_COOKIE);
    const login = { realmId, person, to, origin: visit.origin, former };
    return this.answer(visit, await this.commands.execute(new FinishSignOn(login)));
  }

  answer(visit: PageVisit, outcome: Granted | Unknown): Bytes {
    switch (outcome.kind) {
      case 'session':
        return begun(visit, outcome.cookie, outcome.next ?? undefined);
      case 'app':
        return visit.leave(outcome.url);
      case 'desktop':
        return desktopPage(visit, outcome.text);
      case 'unknown':
        visit.cookies.set(JOINING_COOKIE, outcome.token, { maxAge: JOINING_SECONDS });
        return joiningPage(visit, outcome);
    }
  }
}

/** What the page shows, and what somebody has entered before. */
type Joiner = Pick<Unknown, 'email' | 'fullName' | 'offered'> & { readonly channelGroups?: readonly number[] };

/** Asks somebody whether they want an account with an address that was proved. */
export function joiningPage(
  visit: PageVisit,
  { email, fullName, offered, channelGroups }: Joiner,
  problem?: Problem,
): Bytes {
  const { t } = visit;
  const form = html`${field({
    name: 'full_name',
    label: t('signOn.fullName'),
    autocomplete: 'name',
    value: fullName ?? '',
    max: 100,
    isFirst: true,
    problem,
  })}
  ${channelQuestion(visit, offered, channelGroups)} ${button(t('signOn.join'))}`;
  return visit.page({
    title: t('signOn.noAccount'),
    status: problem === undefined ? 200 : 400,
    // The form may end in an app on a phone.
    formTargets: ['zulip:'],
    body: html`${problemNotice(problem)}
      <p>${t('signOn.noAccountHint', { email })}</p>
      ${visit.form(JOINING_PAGE, form)}
      <p><a href="/login">${t('signOn.otherAccount')}</a></p>`,
  });
}

const desktopPage = (visit: PageVisit, text: string): Bytes =>
  visit.page({
    title: visit.t('signOn.toApp'),
    body: html`<p>${visit.t('signOn.toAppHint')}</p>
      <p><code class="copy" dir="ltr">${text}</code></p>`,
  });
